//! Polynomials as integers: residues are digits in base 2^bits (Kronecker's substitution).

use limbforge_limb::slice::bits::significant;
use limbforge_limb::slice::mul::{self, Factors};
use num_bigint::BigUint;

use super::{PolyError, PolyRing};
use crate::transform::{context::Context, mul_ntt};

impl<C: Context> PolyRing<C> {
    /// The integer whose digits in base 2^bits are the residues of the coefficients.
    ///
    /// # Errors
    /// [`PolyError::NarrowDigits`] if residues may have more bits.
    pub fn to_integer(&self, a: &[C::Element], bits: u32) -> Result<BigUint, PolyError> {
        self.check_digits(bits)?;
        let words = self.packed(self.trimmed(a), bits as usize);
        Ok(BigUint::from_bytes_le(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>()))
    }

    /// The polynomial whose coefficients are the digits of the integer in base 2^bits, mod p.
    ///
    /// # Errors
    /// [`PolyError::NarrowDigits`] if residues may have more bits.
    pub fn from_integer(&self, integer: &BigUint, bits: u32) -> Result<Vec<C::Element>, PolyError> {
        self.check_digits(bits)?;
        let field = self.field;
        let (word, mask) = (self.two_to_64(), (BigUint::from(1_u32) << bits) - 1_u32);
        let digit = |i: u64| {
            let digit = (integer >> (i * u64::from(bits))) & &mask;
            let words = digit.iter_u64_digits().rev();
            words.fold(field.zero(), |sum, part| field.add(field.mul(sum, word), field.element(part)))
        };
        Ok(self.trim((0..integer.bits().div_ceil(bits.into())).map(digit).collect()))
    }

    fn check_digits(self, bits: u32) -> Result<(), PolyError> {
        let modulus = self.field.modulus();
        let least = (modulus - 1).ilog2() + 1;
        if bits < least { Err(PolyError::NarrowDigits { bits, least, modulus }) } else { Ok(()) }
    }

    fn two_to_64(self) -> C::Element {
        self.field.add(self.field.element(u64::MAX), self.field.element(1))
    }

    /// `a * b` by one product of integers, for every prime: digits have so many bits that the coefficients of
    /// the product over the integers, at most `min(n, m) (p - 1)^2`, do not overlap.
    #[must_use]
    pub fn mul_by_integers(&self, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
        let (a, b) = (self.trimmed(a), self.trimmed(b));
        if a.is_empty() || b.is_empty() {
            return Vec::new();
        }
        let field = self.field;
        let width = coefficient_bits(field.modulus(), a.len().min(b.len()));
        let product = integer_product(&self.packed(a, width), &self.packed(b, width));
        let word = self.two_to_64();
        let term = |i: usize| {
            let words = digit(&product, i * width, width).into_iter().rev();
            words.fold(field.zero(), |sum, part| field.add(field.mul(sum, word), field.element(part)))
        };
        self.trim((0..a.len() + b.len() - 1).map(term).collect())
    }

    /// The sum of `a[i] * 2^(width * i)`, for residues below `2^width`, as words.
    fn packed(self, a: &[C::Element], width: usize) -> Vec<u64> {
        let mut words = vec![0; (a.len() * width).div_ceil(64) + 1];
        for (i, &residue) in a.iter().enumerate() {
            let (word, bit) = (i * width / 64, i * width % 64);
            let both = u128::from(self.field.value(residue)) << bit;
            words[word] |= both as u64;
            words[word + 1] |= (both >> 64) as u64;
        }
        words
    }
}

/// Bits of the largest sum of `products` products of residues: at most 64 + 64 + 48, as there are fewer than
/// 2^48 terms.
fn coefficient_bits(p: u64, products: usize) -> usize {
    let largest = u128::from(p - 1) * u128::from(p - 1);
    (largest.ilog2() + 1 + (products as u64).ilog2() + 1) as usize
}

/// `width` bits from bit `start` on, at most 192, as words.
fn digit(words: &[u64], start: usize, width: usize) -> [u64; 3] {
    let word = |i: usize| u128::from(words.get(i).copied().unwrap_or(0));
    core::array::from_fn(|i| {
        let kept = width.saturating_sub(64 * i).min(64);
        let at = start / 64 + i;
        let bits = ((word(at) | word(at + 1) << 64) >> (start % 64)) as u64;
        if kept == 64 { bits } else { bits & ((1 << kept) - 1) }
    })
}

fn integer_product(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (a, b) = (significant(a), significant(b));
    if mul_ntt::is_fast() {
        let mut product = vec![0; a.len() + b.len()];
        mul_ntt::wide(&mut product, Factors::Pair(a, b), &mut mul_ntt::Scratch::default());
        return product;
    }
    // Without vectors the factors must have equal lengths.
    let len = a.len().max(b.len());
    let padded = |a: &[u64]| [a, &vec![0; len - a.len()]].concat();
    let mut wide = vec![0; 2 * len];
    mul::wide(&mut wide, Factors::Pair(&padded(a), &padded(b)), &mut mul::Scratch::default());
    wide.truncate(a.len() + b.len());
    wide
}
