//! Montgomery's reduction by 32-bit digits for p = c*2^32 + 1.

use super::{Montgomery, Reduction};
use crate::word::{Word, has_spare_bit};

/// Montgomery's reduction for primes `p = c * 2^32 + 1` below 2^64, that is, `k*2^n + 1` with n >= 32. Raw
/// form and results are those of [`Montgomery<u64>`]; two 32-bit products replace two 64-bit ones.
///
/// As `1/p = 1 (mod 2^32)`, the digits of the quotient need no product with `1/p`. This form suits machines
/// that multiply 32 bits at a time. Where 64-bit products are as fast, as on x86-64, `Montgomery<u64>` is
/// faster.
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

    /// The raw form of 1, in constant expressions.
    #[must_use]
    pub const fn raw_one(&self) -> u64 {
        self.montgomery.raw_one()
    }

    /// `(q*p - low) / 2^64` for the q below 2^64 with `q*p = low (mod 2^64)`; it is below p.
    #[inline(always)]
    fn subtrahend(&self, low: u64) -> u64 {
        let product = (low & 0xffff_ffff) * self.c;
        // q = q1 * 2^32 + (low mod 2^32), where q1 cancels the digit of weight 2^32.
        let (q1, borrow) = ((low >> 32) as u32).overflowing_sub(product as u32);
        u64::from(q1) * self.c + (product >> 32) + u64::from(borrow)
    }

    #[inline(always)]
    fn redc(&self, low: u64, high: u64) -> u64 {
        self.sub(high, self.subtrahend(low))
    }
}

impl Reduction for Proth {
    type Word = u64;

    #[inline(always)]
    fn modulus(&self) -> u64 {
        self.montgomery.modulus()
    }

    #[inline(always)]
    fn one(&self) -> u64 {
        self.montgomery.one()
    }

    #[inline]
    fn encode(&self, value: u64) -> u64 {
        self.montgomery.encode(value)
    }

    #[inline]
    fn decode(&self, raw: u64) -> u64 {
        self.redc(raw, 0)
    }

    #[inline(always)]
    fn mul(&self, a: u64, b: u64) -> u64 {
        let (low, high) = a.mul_wide(b);
        self.redc(low, high)
    }

    #[inline(always)]
    fn mul_lazy(&self, a: u64, b: u64) -> u64 {
        let (low, high) = a.mul_wide(b);
        if has_spare_bit(self.modulus()) {
            high.wrapping_add(self.modulus() - self.subtrahend(low))
        } else {
            self.redc(low, high)
        }
    }
}
