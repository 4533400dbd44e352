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
}

/// The methods of [`Reduction`] that subtract the `subtrahend` of a low word from the high word.
macro_rules! subtracting_form {
    ($word:ty) => {
        #[inline]
        fn decode(&self, raw: $word) -> $word {
            self.sub(num_traits::zero(), self.subtrahend(raw))
        }

        #[inline(always)]
        fn mul(&self, a: $word, b: $word) -> $word {
            let (low, high) = a.mul_wide(b);
            self.sub(high, self.subtrahend(low))
        }

        #[inline(always)]
        fn mul_lazy(&self, a: $word, b: $word) -> $word {
            let (low, high) = a.mul_wide(b);
            let subtrahend = self.subtrahend(low);
            if has_spare_bit(self.modulus()) {
                // In 1..2p, as both terms are below p.
                high.wrapping_add(self.modulus().wrapping_sub(subtrahend))
            } else {
                self.sub(high, subtrahend)
            }
        }
    };
}

impl<W: Word> Reduction for Montgomery<W> {
    type Word = W;

    subtracting_form!(W);

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
}

/// Montgomery's reduction by 32-bit digits for primes `p = c * 2^32 + 1` below 2^64, that is, `k*2^n + 1`
/// with n >= 32. Raw form and results are those of [`Montgomery<u64>`].
///
/// As `1/p = 1 (mod 2^32)`, the quotient needs no product with `1/p`: two 32-bit products replace two 64-bit
/// ones. Where 64-bit products are as fast, as on x86-64, `Montgomery<u64>` is faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proth {
    montgomery: Montgomery<u64>,
    /// `(p - 1) / 2^32`.
    c: u64,
}

impl Proth {
    /// The reduction modulo `p`.
    ///
    /// # Panics
    /// If `p - 1` is 0 or not a multiple of 2^32; in a constant expression, a compile error.
    #[must_use]
    pub const fn new(p: u64) -> Self {
        assert!(
            p > 1 && p as u32 == 1,
            "the Proth reduction is for p = k*2^n + 1 with n >= 32: choose Montgomery"
        );
        Self { montgomery: Montgomery::<u64>::new(p), c: p >> 32 }
    }

    /// `(q*p - low) / 2^64` for the q below 2^64 with `q*p = low (mod 2^64)`; it is below p.
    #[inline(always)]
    fn subtrahend(&self, low: u64) -> u64 {
        let product = (low & 0xffff_ffff) * self.c;
        // q = q1 * 2^32 + (low mod 2^32), where q1 cancels the digit of weight 2^32.
        let (q1, borrow) = ((low >> 32) as u32).overflowing_sub(product as u32);
        u64::from(q1) * self.c + (product >> 32) + u64::from(borrow)
    }
}

impl Reduction for Proth {
    type Word = u64;

    subtracting_form!(u64);

    #[inline(always)]
    fn modulus(&self) -> u64 {
        self.montgomery.p
    }

    #[inline(always)]
    fn one(&self) -> u64 {
        self.montgomery.one
    }

    #[inline]
    fn encode(&self, value: u64) -> u64 {
        self.montgomery.encode(value)
    }
}
