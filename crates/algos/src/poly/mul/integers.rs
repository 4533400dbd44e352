//! By one product of integers: Kronecker's substitution.
//!
//! Residues are digits of an integer, in base 2^w with w so large that the coefficients of the product over
//! the integers, at most `min(n, m) (p - 1)^2`, do not run into each other; they are then taken mod p. For
//! every prime, and fast: the product of integers ([`mul_ntt`]) is by transforms modulo eight primes in the
//! lanes of a vector.

use limbforge_limb::slice::bits::significant;
use limbforge_limb::slice::mul::{self, Factors};

use crate::poly::linear::{trim, trimmed};
use crate::transform::context::Context;
use crate::transform::mul_ntt;

/// `a * b`.
#[must_use]
pub fn product<C: Context>(field: C, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
    let (a, b) = (trimmed(field, a), trimmed(field, b));
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let width = digit_bits(field.modulus(), a.len().min(b.len()));
    let [x, y] = [a, b].map(|a| packed(a.iter().map(|&x| field.value(x)), width));
    let product = integer_product(&x, &y);
    let terms = a.len() + b.len() - 1;
    let powers = [1, 2].map(|words| power_of_word(field, words));
    let term = |i: usize| {
        let [low, middle, high] = digit(&product, i * width, width).map(|word| field.element(word));
        field.add(low, field.add(field.mul(middle, powers[0]), field.mul(high, powers[1])))
    };
    trim(field, (0..terms).map(term).collect())
}

/// Bits of the largest sum of `products` products of residues: at most 64 + 64 + 48, as there are fewer than
/// 2^48 terms.
fn digit_bits(p: u64, products: usize) -> usize {
    let largest = u128::from(p - 1) * u128::from(p - 1);
    (largest.ilog2() + 1 + (products as u64).ilog2() + 1) as usize
}

/// 2^64 to this power.
fn power_of_word<C: Context>(field: C, words: usize) -> C::Element {
    let word = field.add(field.element(u64::MAX), field.element(1));
    (0..words).fold(field.element(1), |power, _| field.mul(power, word))
}

/// The sum of `digits[i] * 2^(width * i)`, for digits below `2^width`, as words.
pub(in crate::poly) fn packed(digits: impl ExactSizeIterator<Item = u64>, width: usize) -> Vec<u64> {
    let mut words = vec![0; (digits.len() * width).div_ceil(64) + 1];
    for (i, digit) in digits.enumerate() {
        let (word, bit) = (i * width / 64, i * width % 64);
        let both = u128::from(digit) << bit;
        words[word] |= both as u64;
        words[word + 1] |= (both >> 64) as u64;
    }
    words
}

/// `width` bits from bit `start` on, at most 192, as words.
pub(in crate::poly) fn digit(words: &[u64], start: usize, width: usize) -> [u64; 3] {
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
    let mut product = vec![0; a.len() + b.len()];
    if mul_ntt::is_fast() {
        mul_ntt::wide(&mut product, Factors::Pair(a, b), &mut mul_ntt::Scratch::new());
        return product;
    }
    // The ladder without vectors takes factors of one length.
    let len = a.len().max(b.len());
    let padded = |a: &[u64]| [a, &vec![0; len - a.len()]].concat();
    let mut wide = vec![0; 2 * len];
    mul::wide(&mut wide, Factors::Pair(&padded(a), &padded(b)), &mut mul::Scratch::default());
    product.copy_from_slice(&wide[..a.len() + b.len()]);
    product
}
