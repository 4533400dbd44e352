//! Multiplication by a constant with a precomputed quotient (V. Shoup's method in NTL; D. Harvey, "Faster
//! arithmetic for number-theoretic transforms", J. Symb. Comp. 60, 2014, section 3).

use crate::word::{Word, has_spare_bit};

/// A constant factor w < p with its quotient `floor(w * 2^BITS / p)`, for any p.
///
/// The product with x is `w*x - floor(quotient * x / 2^BITS) * p`: one high and two low products. The other
/// factor may be in any raw form; the product is in the same form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShoupConstant<W> {
    value: W,
    quotient: W,
}

impl<W: Word> ShoupConstant<W> {
    /// The constant `value mod p`. `p` must not be 0.
    #[inline]
    #[must_use]
    pub fn new(value: W, p: W) -> Self {
        let value = if value < p { value } else { value % p };
        Self { value, quotient: value.shifted_quotient(p) }
    }

    /// The constant, in `0..p`.
    #[inline(always)]
    #[must_use]
    pub const fn value(&self) -> W {
        self.value
    }

    /// `floor(value * 2^BITS / p)`.
    #[inline(always)]
    #[must_use]
    pub const fn quotient(&self) -> W {
        self.quotient
    }

    /// The product with any word x, below 2p if `2p <= 2^BITS`, else below p. `p` must be the one given to
    /// [`new`](Self::new).
    ///
    /// The quotient is too small by at most 1 + x / 2^BITS, so the rest is below 2p.
    #[inline(always)]
    #[must_use]
    pub fn mul_lazy(&self, x: W, p: W) -> W {
        if has_spare_bit(p) {
            let quotient = self.quotient.mul_high(x);
            self.value.mul_low(x).wrapping_sub(quotient.mul_low(p))
        } else {
            self.mul_without_spare_bit(x, p)
        }
    }

    /// The product with any word x, below p. `p` must be the one given to [`new`](Self::new).
    #[inline(always)]
    #[must_use]
    pub fn mul(&self, x: W, p: W) -> W {
        if has_spare_bit(p) { self.mul_lazy(x, p).reduce_once(p) } else { self.mul_without_spare_bit(x, p) }
    }

    /// [`mul`](Self::mul) for p without a spare bit: the rest, below 2p, may need one bit more than a word.
    #[inline]
    fn mul_without_spare_bit(&self, x: W, p: W) -> W {
        let (low, high) = self.value.mul_wide(x);
        let (multiple_low, multiple_high) = self.quotient.mul_high(x).mul_wide(p);
        let (rest, borrow) = low.borrowing_sub(multiple_low, false);
        let (carry, _) = high.borrowing_sub(multiple_high, borrow);
        if carry != W::ZERO || rest >= p { rest.wrapping_sub(p) } else { rest }
    }
}
