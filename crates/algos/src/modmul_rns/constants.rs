//! The constants of a plan: words of each prime, and the matrices.

use num_bigint::BigUint;

use super::bases::{Bases, PrimeBase};
use super::matrix::Matrix;
use super::prime::Prime;

/// The constants of a prime `p_i` of base 1; `R = 2^32`. A number z has the residue `z scale mod p_i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstConstants {
    /// `p_i`.
    pub prime: Prime,
    /// `s_i`: 1 if each instance has a modulus; else `s_i^2 = +-R c_i`, `c_i = -(P/p_i)^-1 / N`.
    pub scale: u32,
    /// `-Q s_i R`, which alpha multiplies.
    pub correction: u32,
    /// `-(P/p_i)^-1 R^2`: over N it is the factor of a modulus of an instance.
    pub factor: u32,
    /// Whether `s_i^2 = -R c_i`, so that column i of the first matrix is negated.
    pub negative: bool,
}

/// The constants of a prime `q_j` of base 2. A number z has the residue `z scale mod q_j`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondConstants {
    /// `q_j`.
    pub prime: Prime,
    /// `d_j = (Q/q_j)^-1`.
    pub scale: u32,
    /// `R^2 / (d_j P)`, which multiplies products of residues.
    pub product_factor: u32,
    /// `R^2 d_j`: times N it is the factor of a modulus of an instance.
    pub factor: u32,
}

/// `number mod prime`.
pub(crate) fn remainder(number: &BigUint, prime: Prime) -> u32 {
    // The remainder is below the prime, which has one digit.
    (number % prime.value).iter_u32_digits().next().unwrap_or(0)
}

pub(crate) fn first_constants(bases: &Bases, one: Option<&BigUint>) -> Vec<FirstConstants> {
    let constants = |(i, &prime): (usize, &Prime)| {
        let r = prime.r();
        let negated = prime.neg(prime.invert(bases.first.cofactor(i)));
        let (scale, negative) = one.map_or((1, false), |modulus| {
            let over = prime.mul(negated, prime.invert(remainder(modulus, prime)));
            prime.signed_root(prime.mul(over, r))
        });
        let product = prime.product(bases.second.values());
        FirstConstants {
            prime,
            scale,
            correction: prime.neg(prime.product([product, scale, r])),
            factor: prime.product([negated, r, r]),
            negative,
        }
    };
    bases.first.primes.iter().enumerate().map(constants).collect()
}

pub(crate) fn second_constants(bases: &Bases) -> Vec<SecondConstants> {
    let constants = |(j, &prime): (usize, &Prime)| {
        let (r, cofactor) = (prime.r(), bases.second.cofactor(j));
        let scale = prime.invert(cofactor);
        let over = prime.invert(prime.product(bases.first.values()));
        SecondConstants {
            prime,
            scale,
            product_factor: prime.product([r, r, cofactor, over]),
            factor: prime.product([r, r, scale]),
        }
    };
    bases.second.primes.iter().enumerate().map(constants).collect()
}

/// Row j, slot i: `1 / p_i mod q_j`, times `+-R d_j N` if there is one modulus.
pub(crate) fn to_second(
    bases: &Bases,
    first: &[FirstConstants],
    second: &[SecondConstants],
    one: Option<&BigUint>,
) -> Matrix {
    let values: Vec<u32> = bases.first.values().collect();
    let row = |constants: &SecondConstants| {
        let prime = constants.prime;
        let mut entries = prime.invert_all(&values);
        if let Some(modulus) = one {
            let factor = prime.product([prime.r(), constants.scale, remainder(modulus, prime)]);
            for (entry, first) in entries.iter_mut().zip(first) {
                let product = prime.mul(*entry, factor);
                *entry = if first.negative { prime.neg(product) } else { product };
            }
        }
        (prime, entries)
    };
    Matrix::modular(second.iter().map(row), bases.residues())
}

/// Row i, slot j: `R s_i Q/q_j mod p_i`.
pub(crate) fn to_first(bases: &Bases, first: &[FirstConstants]) -> Matrix {
    let values: Vec<u32> = bases.second.values().collect();
    let row = |constants: &FirstConstants| {
        let prime = constants.prime;
        // The correction is -R s_i Q.
        let factor = prime.neg(constants.correction);
        let inverses = prime.invert_all(&values).into_iter();
        (prime, inverses.map(|inverse| prime.mul(inverse, factor)).collect())
    };
    Matrix::modular(first.iter().map(row), bases.residues())
}

/// Words of 32 bits of a number of so many bits, in vectors of four.
const fn vector_words(bits: u32) -> usize {
    bits.div_ceil(128) as usize * 4
}

/// Row i of base 1, then row j of base 2, slot w: `R scale 2^(32 w)`, of the words of a number.
pub(crate) fn enter(bits: u32, first: &[FirstConstants], second: &[SecondConstants]) -> Matrix {
    let scales = first.iter().map(|c| (c.prime, c.scale)).chain(second.iter().map(|c| (c.prime, c.scale)));
    let row = |(prime, scale): (Prime, u32)| {
        let r = prime.r();
        let powers = core::iter::successors(Some(prime.mul(scale, r)), |&power| Some(prime.mul(power, r)));
        (prime, powers.take(bits.div_ceil(32) as usize).collect())
    };
    Matrix::modular(scales.map(row), vector_words(bits))
}

/// Row w, slot j: word w of `256^byte Q/q_j`.
pub(crate) fn leave(base: &PrimeBase) -> Matrix {
    let k = base.primes.len();
    let mut rows = vec![vec![[0; 4]; k]; k];
    for (slot, value) in base.values().enumerate() {
        let mut multiple = &base.product / value;
        for byte in 0..4 {
            for (row, digit) in rows.iter_mut().zip(multiple.iter_u32_digits()) {
                row[slot][byte] = digit;
            }
            multiple <<= 8;
        }
    }
    Matrix::new(rows, k)
}
