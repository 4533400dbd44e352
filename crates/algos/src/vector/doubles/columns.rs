//! Two columns of products of digits, of four lanes, in four registers.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4, u64x4};

use super::{DIGIT_BITS, MASK};
use crate::vector::lanes::Words;

/// Columns that are computed at a time: their sums and a few digits fit 16 registers.
pub(in crate::vector) const COLUMNS: usize = 2;

/// `C`: its unit in the last place is that of the high halves.
const HIGH: f64 = (1_u128 << 103) as f64;
/// `D`: its unit in the last place is 1, also for numbers 2^51 below and above.
const LOW: f64 = (3_u64 << 51) as f64;
/// `2^52`: the bits of integers below, added to its own, are those of the sum.
const WHOLE: f64 = (1_u64 << 52) as f64;

/// The digits of four lanes.
#[inline(always)]
pub(in crate::vector) fn load<S: Simd, const HALF: usize>(simd: S, digit: &Words) -> f64x4<S> {
    let half: u64x4<S> = digit.0.as_chunks::<4>().0[HALF].simd_into(simd);
    half.bitcast()
}

#[inline(always)]
pub(in crate::vector) fn store<S: Simd, const HALF: usize>(out: &mut Words, digit: f64x4<S>) {
    let bits: u64x4<S> = digit.bitcast();
    out.0.as_chunks_mut::<4>().0[HALF] = bits.into();
}

/// The low bits of sums as digits.
#[inline(always)]
pub(in crate::vector) fn digit<S: Simd>(simd: S, sum: u64x4<S>) -> f64x4<S> {
    let bits = (sum & u64x4::splat(simd, MASK)) | u64x4::splat(simd, WHOLE.to_bits());
    bits.bitcast::<f64x4<S>>() - f64x4::splat(simd, WHOLE)
}

/// `x y mod 2^51`.
#[inline(always)]
pub(in crate::vector) fn low_product<S: Simd>(simd: S, x: f64x4<S>, y: f64x4<S>) -> f64x4<S> {
    let high = x.mul_add_precise(y, f64x4::splat(simd, HIGH));
    let low = x.mul_add_precise(y, f64x4::splat(simd, HIGH + LOW) - high);
    digit(simd, low.bitcast())
}

/// The sums of two columns, with the bits of C and D of each product.
pub(in crate::vector) struct Sums<S: Simd> {
    simd: S,
    low: [u64x4<S>; COLUMNS],
    /// Of the same products: they count in the next column.
    high: [u64x4<S>; COLUMNS],
}

impl<S: Simd> Sums<S> {
    #[inline(always)]
    pub(in crate::vector) fn new(simd: S) -> Self {
        let zero = u64x4::splat(simd, 0);
        Self { simd, low: [zero; COLUMNS], high: [zero; COLUMNS] }
    }

    /// Adds a product of digits to a column.
    #[inline(always)]
    pub(in crate::vector) fn add(&mut self, column: usize, x: f64x4<S>, y: f64x4<S>) {
        let (c, both) = (f64x4::splat(self.simd, HIGH), f64x4::splat(self.simd, HIGH + LOW));
        let high = x.mul_add_precise(y, c);
        let low = x.mul_add_precise(y, both - high);
        self.high[column] += high.bitcast::<u64x4<S>>();
        self.low[column] += low.bitcast::<u64x4<S>>();
    }

    /// As [`add`](Self::add), of digits in memory.
    #[inline(always)]
    pub(in crate::vector) fn add_digits<const HALF: usize>(&mut self, column: usize, x: &Words, y: &Words) {
        self.add(column, load::<S, HALF>(self.simd, x), load::<S, HALF>(self.simd, y));
    }

    /// Doubles all sums: each product counts twice.
    #[inline(always)]
    pub(in crate::vector) fn double(&mut self) {
        for c in 0..COLUMNS {
            self.low[c] = self.low[c] + self.low[c];
            self.high[c] = self.high[c] + self.high[c];
        }
    }

    /// Adds `x[i] y[k - i]` to both columns k from `first` on, for the digits i of x in `from..to`; all those
    /// of y must exist.
    #[inline(always)]
    pub(in crate::vector) fn add_run<const HALF: usize>(
        &mut self,
        x: &[Words],
        y: &[Words],
        first: usize,
        from: usize,
        to: usize,
    ) {
        if from >= to {
            return;
        }
        let simd = self.simd;
        // The sums stay in registers in the loop.
        let mut sums = Self { simd, low: self.low, high: self.high };
        let mut above = load::<S, HALF>(simd, &y[first + 1 - from]);
        for (x, y) in x[from..to].iter().zip(y[first + 1 - to..=first - from].iter().rev()) {
            let (x, y) = (load::<S, HALF>(simd, x), load::<S, HALF>(simd, y));
            sums.add(0, x, y);
            sums.add(1, x, above);
            above = y;
        }
        (self.low, self.high) = (sums.low, sums.high);
    }

    /// The sums of the low and of the high halves of a column of so many products, without the bits of C and
    /// D. One of each high half is with the low one, which is below 0 otherwise: the low sum is below `1.5
    /// count 2^51`, and the high one is a number modulo 2^64.
    #[inline(always)]
    pub(in crate::vector) fn settle(&self, column: usize, count: usize) -> (u64x4<S>, u64x4<S>) {
        let of = |each: u64| u64x4::splat(self.simd, (count as u64).wrapping_mul(each));
        let low = self.low[column] - of(LOW.to_bits() - (1 << DIGIT_BITS));
        (low, self.high[column] - of(HIGH.to_bits() + 1))
    }
}
