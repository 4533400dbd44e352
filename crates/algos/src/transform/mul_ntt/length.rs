//! How long a transform a product needs, and with digits of which width.

use super::primes::{MAX_DEPTH, PART_BITS};

/// Most products of 192-bit digits that a coefficient may sum up: the largest n with `2 n (2^192 - 1)^2 < P`.
/// The factor 2 leaves room to find the multiple of P that the Chinese remainder theorem adds. A test derives
/// it.
pub(super) const MAX_PRODUCTS: usize = 32_767;

/// Digits, points and levels of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Parts of 24 bits in a digit: 8, or 7 where a coefficient sums up more than [`MAX_PRODUCTS`].
    pub(super) parts: usize,
    /// Coefficients of the product.
    pub(super) coefficients: usize,
    /// Degree of the polynomials that the transform ends with, 4 to 7.
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
        let coefficients = digits(a, parts) + digits(b, parts) - 1;
        // A length degree * 2^depth with a degree of 4 to 7 is at most a quarter too long.
        let depth = (coefficients - 1).checked_ilog2().map_or(0, |bits| bits.saturating_sub(2));
        let mut shape = Self { parts, coefficients, degree: coefficients.div_ceil(1 << depth), depth };
        if shape.degree > 7 {
            shape.depth += 1;
            shape.degree = coefficients.div_ceil(1 << shape.depth);
        }
        (shape.depth <= MAX_DEPTH).then_some(shape)
    }

    /// Points of the transform.
    pub(super) const fn points(self) -> usize {
        self.degree << self.depth
    }

    /// Bits of a digit.
    pub(super) const fn digit_bits(self) -> usize {
        self.parts * PART_BITS as usize
    }

    /// Digits that `words` words are cut into.
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
