//! The digits of a product: their width, the length of the transform, and digits modulo the primes.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f64x8};

use super::basis::{MAX_DEPTH, PART_BITS, Residues};
use super::lanes::Lanes;
use super::transform::Context;

/// Words of a digit of 192 bits.
pub(super) const DIGIT_WORDS: usize = 3;

/// Most products of 192-bit digits in a coefficient: the largest n with `2 n (2^192 - 1)^2 < P`. The factor 2
/// leaves room to find the multiple of P that the Chinese remainder theorem adds. A test derives it.
pub(super) const MAX_PRODUCTS: usize = 32_767;

/// Digits, points and levels of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Parts of 24 bits in a digit: 8, or 7 where a coefficient has more than [`MAX_PRODUCTS`] products.
    pub(super) parts: usize,
    /// Coefficients of the product.
    pub(super) coefficients: usize,
    /// Degree of the polynomials that the transform ends with: 2, 3, 5 or 7, or that of a short product.
    pub(super) degree: usize,
    /// Levels of the transform.
    pub(super) depth: u32,
}

impl Shape {
    /// The shape for factors of `a` and `b` words, one or more each; `None` if no transform is long enough.
    pub(super) fn new(a: usize, b: usize) -> Option<Self> {
        let wide = Self::with_parts(a, b, 8);
        if digits(a.min(b), 8) <= MAX_PRODUCTS { wide } else { Self::with_parts(a, b, 7) }
    }

    fn with_parts(a: usize, b: usize, parts: usize) -> Option<Self> {
        Self::with_coefficients(parts, digits(a, parts) + digits(b, parts) - 1)
    }

    /// The shape for so many coefficients; `None` if no transform is long enough.
    pub(super) fn with_coefficients(parts: usize, coefficients: usize) -> Option<Self> {
        // A length degree * 2^depth with a degree of 4 to 7 is at most a quarter too long.
        let depth = (coefficients - 1).checked_ilog2().map_or(0, |bits| bits.saturating_sub(2));
        let mut shape = Self { parts, coefficients, degree: coefficients.div_ceil(1 << depth), depth };
        if shape.degree > 7 {
            shape.depth += 1;
            shape.degree = coefficients.div_ceil(1 << shape.depth);
        }
        // A level takes less time than products of twice the degree.
        if shape.degree >= 4 && shape.degree.is_multiple_of(2) && shape.depth < MAX_DEPTH {
            (shape.degree, shape.depth) = (shape.degree / 2, shape.depth + 1);
        }
        (shape.depth <= MAX_DEPTH).then_some(shape)
    }

    /// Fewest coefficients of a shape that has a [`half`](Self::half).
    pub(super) const LEAST_HALVES: usize = 8;

    /// The shape of half the points.
    pub(super) const fn half(self) -> Self {
        let depth = self.depth - 1;
        Self { coefficients: self.degree << depth, depth, ..self }
    }

    /// Points of the transform.
    pub(super) const fn points(self) -> usize {
        self.degree << self.depth
    }

    /// Bits of a digit.
    pub(super) const fn digit_bits(self) -> usize {
        self.parts * PART_BITS as usize
    }

    /// Digits of `words` words.
    pub(super) const fn digits(self, words: usize) -> usize {
        digits(words, self.parts)
    }

    /// Coefficients that the lowest `words` words of the product depend on.
    pub(super) fn kept(self, words: usize) -> usize {
        self.digits(words).min(self.coefficients)
    }
}

const fn digits(words: usize, parts: usize) -> usize {
    (64 * words).div_ceil(parts * PART_BITS as usize)
}

/// Bits of a piece of a digit, which double precision holds exactly.
const PIECE_BITS: usize = 2 * PART_BITS as usize;
const PIECES: usize = 4;

/// Writes the digits of `words` to `values`, and zeros above them. At most
/// [`REDUCED`](super::lanes::REDUCED).
pub(super) fn load(context: Context<'_>, values: &mut [Residues], words: &[u64], shape: Shape) {
    let (digits, padding) = values.split_at_mut(shape.digits(words.len()));
    dispatch!(context.level, simd => {
        let lanes = Lanes::new(simd, context.basis);
        let powers = context.basis.powers.each_ref().map(|power| power.load(simd));
        if shape.parts == 8 {
            for (digit, words) in digits.iter_mut().zip(words.chunks(DIGIT_WORDS)) {
                digit.store(residues(lanes, pieces_of_words(words), powers));
            }
        } else {
            for (i, digit) in digits.iter_mut().enumerate() {
                let pieces = pieces(words, i * shape.digit_bits(), shape.digit_bits());
                digit.store(residues(lanes, pieces, powers));
            }
        }
    });
    padding.fill(Residues::ZERO);
}

/// In units of p: the pieces are a quarter at most, times a power a product of 1/8, reduced to 17/32; so the
/// sum is below 2.
#[inline(always)]
fn residues<S: Simd>(lanes: Lanes<S>, pieces: [f64; PIECES], powers: [f64x8<S>; PIECES - 1]) -> f64x8<S> {
    let mut sum = f64x8::splat(lanes.simd, pieces[0]);
    for (&piece, power) in pieces[1..].iter().zip(powers) {
        sum += lanes.mul(power, f64x8::splat(lanes.simd, piece));
    }
    lanes.reduce(sum)
}

/// The digit of 192 bits in up to three words.
#[inline(always)]
fn pieces_of_words(words: &[u64]) -> [f64; PIECES] {
    let [a, b, c] = match *words {
        [a, b, c] => [a, b, c],
        [a, b] => [a, b, 0],
        _ => [words[0], 0, 0],
    };
    // As signed numbers, whose conversion is faster.
    let piece = |bits: u64| (bits & ((1 << PIECE_BITS) - 1)) as i64 as f64;
    [piece(a), piece(a >> 48 | b << 16), piece(b >> 32 | c << 32), piece(c >> 16)]
}

/// The digit of `bits` bits from bit `start` on.
#[inline(always)]
fn pieces(words: &[u64], start: usize, bits: usize) -> [f64; PIECES] {
    core::array::from_fn(|i| {
        let kept = bits.saturating_sub(i * PIECE_BITS).min(PIECE_BITS);
        let bits = read_64_bits(words, start + i * PIECE_BITS) & ((1 << kept) - 1);
        // Below 2^48, where the signed conversion is faster.
        bits as i64 as f64
    })
}

/// The 64 bits from bit `start` on; zeros above the words.
#[inline(always)]
fn read_64_bits(words: &[u64], start: usize) -> u64 {
    let low = words.get(start / 64).copied().unwrap_or_default();
    let high = words.get(start / 64 + 1).copied().unwrap_or_default();
    let both = u128::from(high) << 64 | u128::from(low);
    (both >> (start % 64)) as u64
}
