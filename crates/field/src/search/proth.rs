//! Which of many numbers p = 1 + j*2^m are prime.
//!
//! Proth's theorem (1878): let p = k*2^n + 1, k < 2^n. If a^((p-1)/2) = -1 mod p for some a, then p is prime. And if the
//! Jacobi symbol (a/p) is -1, the converse holds (Euler). So for such an a one power decides. Powers are computed for
//! several p in step, because the products of one alone would wait for each other.

use super::montgomery::Montgomery;

/// Numbers whose powers are computed in step.
const LANES: usize = 4;

/// Bases to choose from: for one in 2^18 candidates or for squares none of them is a non-residue.
const BASES: [u64; 18] = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67];

/// Appends the primes among 1 + j*2^m to `primes`, in the order of `js`.
pub(super) fn primes(m: u32, js: &[u64], primes: &mut Vec<u64>) {
    let mut rest = js;
    while !rest.is_empty() {
        let (lanes, after) = rest.split_at(rest.len().min(LANES));
        // The last lanes repeat the first number.
        let padded: [u64; LANES] = core::array::from_fn(|i| *lanes.get(i).unwrap_or(&lanes[0]));
        let is_prime = test(m, padded);
        primes
            .extend(lanes.iter().zip(is_prime).filter(|(_, is_prime)| *is_prime).map(|(j, _)| 1 + (j << m)));
        rest = after;
    }
}

/// Whether each 1 + j*2^m is prime, j at least 1.
fn test(m: u32, js: [u64; LANES]) -> [bool; LANES] {
    let fields = js.map(|j| Montgomery::new(1 + (j << m)));
    let bases = js.map(|j| base(m, j));
    let euler = euler(m, js, &fields, bases.map(|base| base.unwrap_or(3)));
    core::array::from_fn(|i| match bases[i] {
        Some(_) => euler[i],
        None => fields[i].modulus_is_prime(),
    })
}

/// A base that decides, if the theorem applies and the table has one.
fn base(m: u32, j: u64) -> Option<u64> {
    let n = m + j.trailing_zeros();
    let k = j >> j.trailing_zeros();
    if n < 32 && k >> n != 0 {
        return None;
    }
    let p = 1 + (j << m);
    // By reciprocity (a/p) = (p/a): p is 1 modulo 4 unless n is 1, and then k is 1 and p is 3.
    BASES.into_iter().find(|&a| n > 1 && NON_RESIDUES[a as usize] >> (p % a) & 1 == 1)
}

/// Whether a^((p-1)/2) = -1 mod p for each lane's p = 1 + j*2^m and a.
fn euler(m: u32, js: [u64; LANES], fields: &[Montgomery; LANES], bases: [u64; LANES]) -> [bool; LANES] {
    let bases: [u64; LANES] = core::array::from_fn(|i| fields[i].residue(bases[i]));
    let ones = fields.map(|field| field.one());
    let mut powers = ones;
    let bits = u64::BITS - js.iter().fold(0, |all, j| all | j).leading_zeros();
    for bit in (0..bits).rev() {
        for i in 0..LANES {
            let square = fields[i].mul(powers[i], powers[i]);
            // Multiplied by 1 where the bit is 0: a branch would be guessed wrong half the time.
            let mask = ((js[i] >> bit) & 1).wrapping_neg();
            let factor = ones[i] ^ (mask & (ones[i] ^ bases[i]));
            powers[i] = fields[i].mul(square, factor);
        }
    }
    for _ in 1..m {
        for i in 0..LANES {
            powers[i] = fields[i].mul(powers[i], powers[i]);
        }
    }
    core::array::from_fn(|i| powers[i] == fields[i].minus_one())
}

/// Bit r of entry a: r is no square modulo the prime a, up to the largest of [`BASES`].
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
