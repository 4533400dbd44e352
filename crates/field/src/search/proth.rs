//! Primality tests of many numbers p = 1 + j*2^m.
//!
//! Proth's theorem (1878): let p = k*2^n + 1, k < 2^n. If a^((p-1)/2) = -1 mod p for some a, then p is prime.
//! And if the Jacobi symbol (a/p) is -1, the converse holds (Euler). So one power decides for such an a.
//! Powers are computed for several p at a time, because the products of one power depend on each other.

use crate::primality::WITNESSES;
use crate::reduction::{Arithmetic, Montgomery, Reduction};

/// Numbers whose powers are computed at a time.
const LANES: usize = 4;

/// Candidate bases. For one in 2^18 numbers, and for squares, none of them is a non-residue.
const BASES: [u64; 18] = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67];

/// Appends the primes among 1 + j*2^m to `primes`, in the order of `js`.
pub(super) fn primes(m: u32, js: &[u64], primes: &mut Vec<u64>) {
    let mut rest = js;
    while !rest.is_empty() {
        let (lanes, after) = rest.split_at(rest.len().min(LANES));
        // Padding repeats the first number.
        let padded: [u64; LANES] = core::array::from_fn(|i| *lanes.get(i).unwrap_or(&lanes[0]));
        let is_prime = test(m, padded);
        primes
            .extend(lanes.iter().zip(is_prime).filter(|(_, is_prime)| *is_prime).map(|(j, _)| 1 + (j << m)));
        rest = after;
    }
}

/// Tests each 1 + j*2^m for primality, for j >= 1.
fn test(m: u32, js: [u64; LANES]) -> [bool; LANES] {
    let fields = js.map(|j| Montgomery::<u64>::new(1 + (j << m)));
    let bases = js.map(|j| base(m, j));
    let euler = euler(m, js, &fields, bases.map(|base| base.unwrap_or(3)));
    core::array::from_fn(|i| match bases[i] {
        Some(_) => euler[i],
        None => modulus_is_prime(&fields[i]),
    })
}

/// A base that decides primality, if the theorem applies and the table has one.
fn base(m: u32, j: u64) -> Option<u64> {
    let n = m + j.trailing_zeros();
    let k = j >> j.trailing_zeros();
    if n < 32 && k >> n != 0 {
        return None;
    }
    let p = 1 + (j << m);
    // By reciprocity (a/p) = (p/a), as p is 1 modulo 4 for n > 1.
    BASES.into_iter().find(|&a| n > 1 && NON_RESIDUES[a as usize] >> (p % a) & 1 == 1)
}

/// Tests a^((p-1)/2) = -1 mod p for each lane's p = 1 + j*2^m and a.
fn euler(m: u32, js: [u64; LANES], fields: &[Montgomery<u64>; LANES], bases: [u64; LANES]) -> [bool; LANES] {
    let bases: [u64; LANES] = core::array::from_fn(|i| fields[i].encode(bases[i]));
    let ones = fields.map(|field| field.one());
    let mut powers = ones;
    let bits = u64::BITS - js.iter().fold(0, |all, j| all | j).leading_zeros();
    for bit in (0..bits).rev() {
        for i in 0..LANES {
            let square = fields[i].square(powers[i]);
            // A factor of 1 for a bit of 0: a branch would be mispredicted half the time.
            let mask = ((js[i] >> bit) & 1).wrapping_neg();
            let factor = ones[i] ^ (mask & (ones[i] ^ bases[i]));
            powers[i] = fields[i].mul(square, factor);
        }
    }
    for _ in 1..m {
        for i in 0..LANES {
            powers[i] = fields[i].square(powers[i]);
        }
    }
    core::array::from_fn(|i| powers[i] == fields[i].neg(ones[i]))
}

/// Bit r of entry a is 1 if r is a non-square modulo the prime a, for each a of [`BASES`].
const NON_RESIDUES: [u128; 68] = {
    let mut table = [0; 68];
    let mut i = 0;
    while i < BASES.len() {
        let a = BASES[i];
        // All but 0 and the squares.
        let mut bits = (1_u128 << a) - 2;
        let mut x = 1;
        while x < a {
            bits &= !(1 << (x * x % a));
            x += 1;
        }
        table[a as usize] = bits;
        i += 1;
    }
    table
};

/// [`is_prime`](crate::primality::is_prime) in Montgomery form, for the modulus of `field`, odd and above 1.
fn modulus_is_prime(field: &Montgomery<u64>) -> bool {
    let p = field.modulus();
    WITNESSES.iter().all(|&witness| {
        if p.is_multiple_of(witness) { p == witness } else { passes_strong_test(field, witness) }
    })
}

fn passes_strong_test(field: &Montgomery<u64>, base: u64) -> bool {
    let (p, one) = (field.modulus(), field.one());
    let minus_one = field.neg(one);
    let s = (p - 1).trailing_zeros();
    let mut power = field.pow(field.encode(base), (p - 1) >> s);
    if power == one {
        return true;
    }
    for _ in 1..s {
        if power == minus_one {
            return true;
        }
        power = field.square(power);
    }
    power == minus_one
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::modular::{mul_mod, pow_mod};
    use crate::primality::is_prime;

    /// Odd numbers above 1, often at the ends of the range.
    fn moduli() -> impl Strategy<Value = u64> {
        prop_oneof![
            (1..=u64::MAX / 2).prop_map(|h| 2 * h + 1),
            (1..50_u64).prop_map(|h| 2 * h + 1),
            (0..50_u64).prop_map(|h| u64::MAX - 2 * h)
        ]
    }

    proptest! {
        /// The search and Pollard's rho compute modulo composite numbers, too.
        #[test]
        fn composite_moduli_equal_the_reference(p in moduli(), a: u64, b: u64, exponent: u64) {
            let field = Montgomery::<u64>::new(p);
            let (a, b) = (a % p, b % p);
            let (x, y) = (field.encode(a), field.encode(b));
            prop_assert_eq!(field.mul(x, y), field.encode(mul_mod(a, b, p)));
            prop_assert_eq!(field.pow(x, exponent), field.encode(pow_mod(a, exponent, p)));
            prop_assert_eq!(field.add(x, y), field.encode(((u128::from(a) + u128::from(b)) % u128::from(p)) as u64));
            prop_assert_eq!(field.add(field.neg(field.one()), field.one()), 0);
        }

        #[test]
        fn primality_equals_the_reference(p in moduli()) {
            prop_assert_eq!(modulus_is_prime(&Montgomery::<u64>::new(p)), is_prime(p));
        }
    }

    #[test]
    fn primality_of_small_and_hard_numbers() {
        let hard =
            [2047, 3_215_031_751, 3_825_123_056_546_413_051, 561, 9_746_347_772_161, u64::MAX, u64::MAX - 58];
        for p in (3..20_000).step_by(2).chain(hard) {
            assert_eq!(modulus_is_prime(&Montgomery::<u64>::new(p)), is_prime(p), "{p}");
        }
    }
}
