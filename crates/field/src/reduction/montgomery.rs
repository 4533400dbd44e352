//! Montgomery's reduction (P. L. Montgomery, "Modular multiplication without trial division", Math. Comp.
//! 44, 1985) in its subtracting form: with `q = low(t) / p mod R`, `t - q*p` is a multiple of R, so the high
//! words of t and q*p suffice.

use super::Reduction;
use crate::modular::inv_mod_word;
use crate::word::{Word, has_spare_bit};

/// Montgomery's reduction with R = 2^BITS, for any odd p below R. Raw form: the value times R mod p.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Montgomery<W> {
    p: W,
    /// `1/p mod R`.
    inverse: W,
    /// `R mod p`, the raw form of 1.
    one: W,
    /// `R^2 mod p`, for the conversion to raw form.
    r_squared: W,
}

macro_rules! impl_new {
    ($word:ty, $wide:ty) => {
        impl Montgomery<$word> {
            /// The reduction modulo `p`, which must be odd and at least 3.
            #[must_use]
            #[allow(clippy::cast_lossless, reason = "`From` is not for constant expressions")]
            pub const fn new(p: $word) -> Self {
                let r_mod_p = <$word>::MAX % p + 1;
                let r_squared = (r_mod_p as $wide * r_mod_p as $wide % p as $wide) as $word;
                // R mod p is at most p - 1, as p is odd and divides no power of two.
                Self { p, inverse: inv_mod_word(p as u64) as $word, one: r_mod_p, r_squared }
            }

            /// The raw form of 1, in constant expressions.
            #[must_use]
            pub const fn raw_one(&self) -> $word {
                self.one
            }

            /// The raw form of `value mod p`, in constant expressions.
            #[must_use]
            #[allow(clippy::cast_lossless, reason = "`From` is not for constant expressions")]
            pub const fn raw(&self, value: $word) -> $word {
                (self.one as $wide * value as $wide % self.p as $wide) as $word
            }
        }
    };
}

impl_new!(u32, u64);
impl_new!(u64, u128);

impl<W: Word> Montgomery<W> {
    /// The high word h of q*p for `t = low + high * R`: `t / R = high - h mod p`.
    #[inline(always)]
    fn subtrahend(&self, low: W) -> W {
        low.mul_low(self.inverse).mul_high(self.p)
    }

    /// `(low + high * R) / R mod p`, for `high < p`.
    #[inline(always)]
    fn redc(&self, low: W, high: W) -> W {
        self.sub(high, self.subtrahend(low))
    }
}

impl<W: Word> Reduction for Montgomery<W> {
    type Word = W;

    #[inline(always)]
    fn modulus(&self) -> W {
        self.p
    }

    #[inline(always)]
    fn one(&self) -> W {
        self.one
    }

    #[inline]
    fn encode(&self, value: W) -> W {
        // value < R and r_squared < p, so the product is below p * R.
        self.mul(value, self.r_squared)
    }

    #[inline]
    fn decode(&self, raw: W) -> W {
        self.redc(raw, W::ZERO)
    }

    #[inline(always)]
    fn mul(&self, a: W, b: W) -> W {
        let (low, high) = a.mul_wide(b);
        self.redc(low, high)
    }

    #[inline(always)]
    fn mul_lazy(&self, a: W, b: W) -> W {
        let (low, high) = a.mul_wide(b);
        if has_spare_bit(self.p) {
            // In 1..2p, as both terms are below p.
            high.wrapping_add(self.p.wrapping_sub(self.subtrahend(low)))
        } else {
            self.redc(low, high)
        }
    }
}
