//! The eight primes of the transforms.

use limbforge_field::primality::is_prime;

/// Most levels of a transform: the adicity of the primes.
pub(super) const MAX_DEPTH: u32 = 20;

/// Primes that compute together: as many as double precision numbers in the widest vector register.
pub(super) const PRIMES: usize = 8;

/// k of the primes `k * 2^20 + 1`, the eight largest of this form below 2^50.
const FACTORS: [u64; PRIMES] = [
    1_073_741_785,
    1_073_741_781,
    1_073_741_766,
    1_073_741_755,
    1_073_741_752,
    1_073_741_743,
    1_073_741_740,
    1_073_741_722,
];

/// The primes. Their product P is just below 2^400.
pub(super) const P: [u64; PRIMES] = {
    let mut primes = [0; PRIMES];
    let mut i = 0;
    while i < PRIMES {
        primes[i] = (FACTORS[i] << MAX_DEPTH) + 1;
        assert!(is_prime(primes[i]) && primes[i] < 1 << 50);
        assert!(i == 0 || primes[i] < primes[i - 1]);
        i += 1;
    }
    primes
};

/// Bits of the parts that numbers are cut into where they are put together again.
pub(super) const PART_BITS: u32 = 24;
