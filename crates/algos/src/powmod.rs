//! Powers modulo any number: a fixed window over the exponent, with Montgomery's reduction for odd moduli.
//!
//! Montgomery's reduction (1985) adds multiples of the modulus so that the lower half of a product becomes zero, one word after
//! the other. Even moduli, and long ones, whose products are transforms, are reduced by division; the inverse of the
//! modulus is computed once.

use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{bits, cmp, sub, words};
use limbforge_limb::{Base, DivisionByZero};

use crate::cpu::Product;
use crate::div::{self, div_rem};

/// From so many words on, division with products by transforms is faster than Montgomery's reduction word by word.
const MONTGOMERY_BELOW: usize = 256;

/// Below so many words, products by rows are faster than those by columns, whose loops are too short.
const ROWS_BELOW: usize = 24;

/// Memory that powers are computed in; reused, one per thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    division: div::Scratch,
    product: Product,
    wide: Vec<u64>,
    quotient: Vec<u64>,
}

/// `out = base^exponent mod modulus`. Of no factors the product is 1, also of 0; modulo 1 all is 0.
///
/// ```
/// use limbforge_algos::powmod::{Scratch, powmod};
/// let mut out = [0_u64];
/// powmod(&mut out, &[3], &[u64::MAX], &[1_000_003], &mut Scratch::default())?;
/// assert_eq!(out, [(0..u64::MAX % 1_000_002).fold(1, |power, _| power * 3 % 1_000_003)]);
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
///
/// # Errors
/// [`DivisionByZero`] if the modulus is zero; `out` is then untouched.
///
/// # Panics
/// Unless all have one length.
pub fn powmod<B: Base>(
    out: &mut [B],
    base: &[B],
    exponent: &[B],
    modulus: &[B],
    scratch: &mut Scratch,
) -> Result<(), DivisionByZero> {
    assert!([base, exponent, modulus].iter().all(|x| x.len() == out.len()), "operands of one length");
    let len = words::words_for::<B>(out.len());
    let [base, modulus] = [base, modulus].map(|limbs| {
        let mut packed = vec![0; len];
        words::pack(&mut packed, limbs);
        packed
    });
    let modulus = bits::significant(&modulus);
    if modulus.is_empty() {
        return Err(DivisionByZero);
    }
    let ring = Ring::new(modulus);
    let base = ring.enter(&base, scratch);
    let one = ring.enter(&[1], scratch);
    let mut power = ring.leave(ring.power(&base, one, exponent, scratch), scratch);
    power.resize(len, 0);
    words::unpack(out, &power);
    Ok(())
}

/// Residues modulo a number, n words each; times `2^(64 n)` where they are reduced by Montgomery's method.
struct Ring<'m> {
    modulus: &'m [u64],
    /// `-1/modulus mod 2^64` for Montgomery's reduction.
    negated_inverse: Option<u64>,
}

impl<'m> Ring<'m> {
    fn new(modulus: &'m [u64]) -> Self {
        let is_odd = modulus[0] % 2 == 1;
        let negated_inverse = (is_odd && modulus.len() < MONTGOMERY_BELOW).then(|| {
            // Correct to 3 bits, which each step doubles.
            let inverse = (0..5).fold(modulus[0], |inverse, _| {
                inverse.wrapping_mul(2_u64.wrapping_sub(modulus[0].wrapping_mul(inverse)))
            });
            inverse.wrapping_neg()
        });
        Self { modulus, negated_inverse }
    }

    /// The residue of a number.
    fn enter(&self, number: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        let n = self.modulus.len();
        let mut shifted = vec![0; if self.negated_inverse.is_some() { n } else { 0 }];
        shifted.extend_from_slice(number);
        let mut residue = vec![0; n];
        self.divide(&mut residue, &shifted, &mut scratch.quotient, &mut scratch.division);
        residue
    }

    /// The number of a residue.
    fn leave(&self, residue: Vec<u64>, scratch: &mut Scratch) -> Vec<u64> {
        if self.negated_inverse.is_none() {
            return residue;
        }
        let mut one = vec![0; residue.len()];
        one[0] = 1;
        let mut number = vec![0; residue.len()];
        self.mul(&mut number, Factors::Pair(&residue, &one), scratch);
        number
    }

    fn divide(&self, out: &mut [u64], number: &[u64], quotient: &mut Vec<u64>, division: &mut div::Scratch) {
        quotient.resize(quotient.len().max(number.len()), 0);
        // The modulus is not zero.
        _ = div_rem(&mut quotient[..number.len()], out, number, self.modulus, division);
    }

    /// `out = product of the residues`.
    fn mul(&self, out: &mut [u64], factors: Factors<'_, u64>, scratch: &mut Scratch) {
        let Scratch { division, product, wide, quotient } = scratch;
        wide.resize(2 * out.len(), 0);
        match factors {
            Factors::Pair(a, b) if a.len() < ROWS_BELOW => multiply(wide, a, b),
            Factors::Square(a) if a.len() < ROWS_BELOW => multiply(wide, a, a),
            _ => product.wide(wide, factors),
        }
        match self.negated_inverse {
            Some(inverse) => reduce(out, wide, self.modulus, inverse),
            None => self.divide(out, wide, quotient, division),
        }
    }

    /// `base^exponent` of residues: a table of powers for the digits of the exponent.
    fn power<B: Base>(&self, base: &[u64], one: Vec<u64>, exponent: &[B], scratch: &mut Scratch) -> Vec<u64> {
        let len = bits::bit_len(exponent);
        let window = window_bits(len);
        let mut table = vec![one];
        for i in 1..1_usize << window {
            let mut next = vec![0; base.len()];
            self.mul(&mut next, Factors::Pair(&table[i - 1], base), scratch);
            table.push(next);
        }
        let mut power = table[0].clone();
        let mut next = power.clone();
        for digit in (0..len.div_ceil(window)).rev() {
            if digit + 1 != len.div_ceil(window) {
                for _ in 0..window {
                    self.mul(&mut next, Factors::Square(&power), scratch);
                    core::mem::swap(&mut power, &mut next);
                }
            }
            let bit = |i: u32| usize::from(bits::bit(exponent, digit * window + i));
            let digit = (0..window).rev().fold(0, |digit, i| 2 * digit + bit(i));
            if digit != 0 {
                self.mul(&mut next, Factors::Pair(&power, &table[digit]), scratch);
                core::mem::swap(&mut power, &mut next);
            }
        }
        power
    }
}

/// Bits of a digit of an exponent of `bits` bits: the fewest products with its table.
const fn window_bits(bits: u32) -> u32 {
    match bits {
        0..8 => 1,
        8..24 => 2,
        24..80 => 3,
        80..240 => 4,
        240..700 => 5,
        _ => 6,
    }
}

/// `out = wide / 2^(64 n) mod modulus`, for `wide < modulus * 2^(64 n)`.
fn reduce(out: &mut [u64], wide: &mut [u64], modulus: &[u64], negated_inverse: u64) {
    let n = modulus.len();
    let mut over = false;
    for i in 0..n {
        // Makes word i zero.
        let factor = wide[i].wrapping_mul(negated_inverse);
        let carry = add_product(&mut wide[i..i + n], modulus, factor);
        (wide[i + n], over) = wide[i + n].carrying_add(carry, over);
    }
    let upper = &wide[n..];
    if over || cmp::cmp(upper, modulus).is_ge() {
        sub::sub(out, upper, modulus, false);
    } else {
        out.copy_from_slice(upper);
    }
}

/// `wide = a * b`, row by row.
fn multiply(wide: &mut [u64], a: &[u64], b: &[u64]) {
    let n = a.len();
    wide.fill(0);
    for (i, &factor) in b.iter().enumerate() {
        wide[i + n] = add_product(&mut wide[i..i + n], a, factor);
    }
}

/// Words that are added at a time: their products do not wait for each other.
const STRIDE: usize = 8;

/// `acc += factor * a`; returns the word that leaves the top.
#[inline(always)]
fn add_product(acc: &mut [u64], a: &[u64], factor: u64) -> u64 {
    let (acc, acc_above) = acc.as_chunks_mut::<STRIDE>();
    let (a, a_above) = a.as_chunks::<STRIDE>();
    let mut carry = 0;
    for (acc, a) in acc.iter_mut().zip(a) {
        let products = a.map(|word| u128::from(word) * u128::from(factor));
        let (mut over, mut over_acc) = (false, false);
        for (acc, product) in acc.iter_mut().zip(products) {
            let word;
            (word, over) = (product as u64).carrying_add(carry, over);
            (*acc, over_acc) = acc.carrying_add(word, over_acc);
            carry = (product >> 64) as u64;
        }
        // acc + factor * a is below 2^(64 (STRIDE + 1)): there is room for both.
        carry += u64::from(over) + u64::from(over_acc);
    }
    acc_above.iter_mut().zip(a_above).fold(carry, |carry, (acc, &word)| {
        let high;
        (*acc, high) = word.carrying_mul_add(factor, *acc, carry);
        high
    })
}
