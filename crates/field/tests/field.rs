//! Every preset, and primes as a user names them, obey the laws of a prime field.

use limbforge_field::presets::*;
use limbforge_field::prime_field;
use limbforge_testing::conformance_field;

prime_field! {
    /// The largest prime below 2^64: no spare bit, and adicity 2.
    pub type Largest64: u64 = 4_611_686_018_427_387_889 * 2^2 + 1;
    /// The largest prime below 2^32.
    type Largest32: u32 = 2_147_483_645 * 2^1 + 1, root 4_294_967_290;
    /// The reduction for n >= 32 without a spare bit.
    type Proth40: u64 = 16_777_215 * 2^40 + 1, reduction Proth;
    /// The same with two spare bits.
    type Proth57: u64 = 29 * 2^57 + 1, root 21, reduction Proth;
    /// A preset by the reference.
    type Reference: u64 = 29 * 2^57 + 1, root 21, reduction Remainder;
    /// A 32-bit prime by the reference.
    type Reference32: u32 = 3 * 2^30 + 1, root 13, reduction Remainder;
    type Three: u32 = 1 * 2^1 + 1;
    type Five: u64 = 1 * 2^2 + 1;
    type Fermat: u32 = 1 * 2^16 + 1, root 3, reduction Montgomery;
}

conformance_field!(prime_field_32: PrimeField32);
conformance_field!(prime_field_64: PrimeField64);
conformance_field!(goldilocks: Goldilocks);
conformance_field!(baby_bear: BabyBear);
conformance_field!(koala_bear: KoalaBear);
conformance_field!(f998244353: F998244353);
conformance_field!(f469762049: F469762049);
conformance_field!(f167772161: F167772161);
conformance_field!(f2113929217: F2113929217);
conformance_field!(f1811939329: F1811939329);
conformance_field!(f1711276033: F1711276033);
conformance_field!(f1107296257: F1107296257);
conformance_field!(f268582913: F268582913);
conformance_field!(f268664833: F268664833);
conformance_field!(f268730369: F268730369);
conformance_field!(f268779521: F268779521);
conformance_field!(f268861441: F268861441);

conformance_field!(largest_64: Largest64);
conformance_field!(largest_32: Largest32);
conformance_field!(proth_40: Proth40);
conformance_field!(proth_57: Proth57);
conformance_field!(reference: Reference);
conformance_field!(reference_32: Reference32);
conformance_field!(three: Three);
conformance_field!(five: Five);
conformance_field!(fermat: Fermat);
