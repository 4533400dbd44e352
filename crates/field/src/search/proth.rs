//! Primality tests of many numbers p = 1 + j*2^m.
//!
//! Proth's theorem (1878): let p = k*2^n + 1, k < 2^n. If a^((p-1)/2) = -1 mod p for some a, then p is prime.
//! And if the Jacobi symbol (a/p) is -1, the converse holds (Euler). So one power decides for such an a.
//! Powers are computed for several p at a time, because the products of one power depend on each other.

use super::strong_test::modulus_is_prime;
use crate::reduction::{Montgomery, Reduction};

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

/// Whether each 1 + j*2^m is prime, for j >= 1.
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

/// Whether a^((p-1)/2) = -1 mod p for each lane's p = 1 + j*2^m and a.
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

/// Bit r of entry a: whether r is a non-square modulo the prime a, up to the largest of [`BASES`].
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
