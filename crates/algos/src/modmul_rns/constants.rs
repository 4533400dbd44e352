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
    let row = |j: usize| {
        let SecondConstants { prime, scale, .. } = second[j];
        let factor = |modulus| prime.product([prime.r(), scale, remainder(modulus, prime)]);
        let mut entries = prime.quotients(one.map_or(1, factor), &values);
        for (entry, _) in entries.iter_mut().zip(first).filter(|(_, first)| first.negative) {
            *entry = prime.neg(*entry);
        }
        (prime, entries)
    };
    Matrix::modular(second.len(), bases.residues(), row)
}

/// Row i, slot j: `R s_i Q/q_j mod p_i`.
pub(crate) fn to_first(bases: &Bases, first: &[FirstConstants]) -> Matrix {
    let values: Vec<u32> = bases.second.values().collect();
    let row = |i: usize| {
        let FirstConstants { prime, correction, .. } = first[i];
        // The correction is -R s_i Q.
        (prime, prime.quotients(prime.neg(correction), &values))
    };
    Matrix::modular(first.len(), bases.residues(), row)
}

/// Words of 32 bits of a number of so many bits, in vectors of four.
const fn vector_words(bits: u32) -> usize {
    bits.div_ceil(128) as usize * 4
}

/// Row i of base 1, then row j of base 2, slot w: `R scale 2^(32 w)`, of the words of a number.
pub(crate) fn enter(bits: u32, first: &[FirstConstants], second: &[SecondConstants]) -> Matrix {
    let scales = first.iter().map(|c| (c.prime, c.scale)).chain(second.iter().map(|c| (c.prime, c.scale)));
    let scales: Vec<(Prime, u32)> = scales.collect();
    let row = |row: usize| {
        let (prime, scale) = scales[row];
        let next = |&power: &u32| Some((0..4).fold(power, |power, _| prime.times_256(power)));
        let powers = core::iter::successors(Some(prime.mul(scale, prime.r())), next);
        (prime, powers.take(bits.div_ceil(32) as usize).collect())
    };
    Matrix::modular(scales.len(), vector_words(bits), row)
}

/// Row w, slot j: word w of `256^byte Q/q_j`.
pub(crate) fn leave(base: &PrimeBase) -> Matrix {
    let k = base.primes.len();
    let digits = |value: u32| {
        let mut digits = (&base.product / value).to_u32_digits();
        digits.resize(k, 0);
        digits
    };
    let quotients: Vec<Vec<u32>> = base.primes.iter().map(|prime| digits(prime.value)).collect();
    // Word w of a number that is shifted by some bytes.
    let entry = |digits: &[u32], w: usize| {
        let below = w.checked_sub(1).map_or(0, |below| digits[below]);
        let both = (u64::from(digits[w]) << 32) | u64::from(below);
        core::array::from_fn(|byte| (both >> (32 - 8 * byte)) as u32)
    };
    Matrix::new(k, k, |w| quotients.iter().map(move |digits| entry(digits, w)))
}
