//! Well-known primes.

use crate::prime_field;

prime_field! {
    /// p = 3221225473 = 3 * 2^30 + 1 of Oancea and Watt, "GPU Implementations for Midsize Integer Addition
    /// and Multiplication".
    pub type PrimeField32: u32 = 3 * 2^30 + 1, root 13;
    /// p = 4179340454199820289 = 29 * 2^57 + 1 of the same paper. Two spare bits for lazy results.
    pub type PrimeField64: u64 = 29 * 2^57 + 1, root 21;
    /// p = 2^64 - 2^32 + 1, for which 2^96 = -1, with the root 7^(2^32 - 1).
    pub type Goldilocks: u64 = 4_294_967_295 * 2^32 + 1, root 1_753_635_133_440_165_772, reduction Goldilocks;
    /// p = 2013265921 = 15 * 2^27 + 1, with the root 31^15.
    pub type BabyBear: u32 = 15 * 2^27 + 1, root 440_564_289;
    /// p = 2130706433 = 127 * 2^24 + 1, with the root 3^127.
    pub type KoalaBear: u32 = 127 * 2^24 + 1, root 1_791_270_792;
}

prime_field! {
    /// p = 998244353 = 119 * 2^23 + 1, with the root 3^119.
    pub type F998244353: u32 = 119 * 2^23 + 1, root 15_311_432;
    /// p = 469762049 = 7 * 2^26 + 1, with the root 3^7.
    pub type F469762049: u32 = 7 * 2^26 + 1, root 2187;
    /// p = 167772161 = 5 * 2^25 + 1, with the root 3^5.
    pub type F167772161: u32 = 5 * 2^25 + 1, root 243;
}

/// The largest primes below 2^31 with an adicity of 25 or more: [`F2113929217`], [`BabyBear`],
/// [`F1811939329`], [`F1711276033`], [`F1107296257`]. Their product is above 2^153.
pub const PRIMES_31: [u64; 5] = [2_113_929_217, 2_013_265_921, 1_811_939_329, 1_711_276_033, 1_107_296_257];

prime_field! {
    /// p = 2113929217 = 63 * 2^25 + 1.
    pub type F2113929217: u32 = 63 * 2^25 + 1;
    /// p = 1811939329 = 27 * 2^26 + 1.
    pub type F1811939329: u32 = 27 * 2^26 + 1;
    /// p = 1711276033 = 51 * 2^25 + 1.
    pub type F1711276033: u32 = 51 * 2^25 + 1;
    /// p = 1107296257 = 33 * 2^25 + 1.
    pub type F1107296257: u32 = 33 * 2^25 + 1;
}

/// The five smallest primes above 2^28 that are 1 modulo 2^14. Their product is above 2^140: five residues
/// determine a coefficient of a convolution of 64-bit digits, with three spare bits in a signed word.
pub const PRIMES_28: [u64; 5] = [268_582_913, 268_664_833, 268_730_369, 268_779_521, 268_861_441];

prime_field! {
    /// p = 268582913 = 16393 * 2^14 + 1.
    pub type F268582913: u32 = 16393 * 2^14 + 1;
    /// p = 268664833 = 8199 * 2^15 + 1.
    pub type F268664833: u32 = 8199 * 2^15 + 1;
    /// p = 268730369 = 8201 * 2^15 + 1.
    pub type F268730369: u32 = 8201 * 2^15 + 1;
    /// p = 268779521 = 16405 * 2^14 + 1.
    pub type F268779521: u32 = 16405 * 2^14 + 1;
    /// p = 268861441 = 8205 * 2^15 + 1.
    pub type F268861441: u32 = 8205 * 2^15 + 1;
}
