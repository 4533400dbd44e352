//! The upper limbs of what is left of a dividend, for a divisor of N limbs, two or more (Moeller and Granlund
//! 2011, algorithms 5 and 6, as in [`schoolbook`](super::schoolbook)).

use super::schoolbook::{div_three_by_two, inverse};
use crate::base::Base;
use crate::slice::shift::join;
use crate::wide::Wide;

/// A division in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<B, const N: usize> {
    /// Below the divisor.
    rest: [B; N],
    /// Shifted until its top bit is set, and by how many bits.
    divisor: [B; N],
    shift: u32,
    inverse: B,
}

impl<B: Base, const N: usize> Window<B, N> {
    /// A place for a division.
    pub(super) const EMPTY: Self =
        Self { rest: [B::ZERO; N], divisor: [B::ZERO; N], shift: 0, inverse: B::ZERO };

    /// A division by a divisor whose top bit is set, of a dividend whose upper limbs are below it.
    #[inline(always)]
    pub(super) fn normalised(rest: &[B; N], divisor: &[B; N]) -> Self {
        Self { rest: *rest, divisor: *divisor, shift: 0, inverse: inverse(divisor) }
    }

    /// A division of so many digits by a divisor with a nonzero top limb, of a dividend of `N - 1 + digits`
    /// limbs and zeros above.
    #[inline(always)]
    pub(super) fn new(dividend: &[B], digits: usize, divisor: &[B; N]) -> Self {
        let shift = divisor[N - 1].leading_zeros();
        let divisor = shifted(divisor, B::ZERO, shift);
        // With the limb above the highest one, whose bits are fewer than those of the divisor's top limb.
        let mut upper = [B::ZERO; N];
        for (upper, &limb) in upper.iter_mut().zip(&dividend[digits..]).take(N - 1) {
            *upper = limb;
        }
        let rest = shifted(&upper, dividend[digits - 1], shift);
        Self { rest, divisor, shift, inverse: inverse(&divisor) }
    }

    /// Digit i of the quotient, after the one above it.
    #[inline(always)]
    pub(super) fn step(&mut self, dividend: &[B], i: usize) -> B {
        let below = if i == 0 { B::ZERO } else { dividend[i - 1] };
        let next = join(dividend[i], below, self.shift);
        let Self { rest, divisor, inverse, .. } = self;
        let top = (rest[N - 1], rest[N - 2], if N > 2 { rest[N - 3] } else { next });
        let (d1, d0) = (divisor[N - 1], divisor[N - 2]);
        // The estimate would not fit a limb; two limbs of a divisor are more than the rest.
        if N > 2 && (top.0, top.1) == (d1, d0) {
            return self.highest(next);
        }
        let (digit, (r0, r1)) = div_three_by_two(top, (d1, d0), *inverse);
        let borrow = sub_product(rest, next, divisor, digit, 0);
        let (r0, over) = r0.borrowing_sub(borrow, false);
        let (r1, over) = r1.borrowing_sub(B::ZERO, over);
        (rest[N - 2], rest[N - 1]) = (r0, r1);
        if N > 2 && over { self.add_back(digit, 0) } else { digit }
    }

    /// Digit `N - 2 - from` of a quotient without its remainder, by the upper `N - from` limbs of the divisor, 2 to
    /// N - 1, as in [`approximate`](super::approximate). Returns nothing if what is left is too large: then that
    /// and the digits below are not certain.
    #[inline(always)]
    pub(super) fn upper_step(&mut self, from: usize) -> Option<B> {
        let Self { rest, divisor, inverse, .. } = self;
        let (d1, d0) = (divisor[N - 1], divisor[N - 2]);
        if (rest[N - 1], rest[N - 2]) >= (d1, d0) {
            return None;
        }
        let top = (rest[N - 1], rest[N - 2], rest[N - 3]);
        let (digit, (r0, r1)) = div_three_by_two(top, (d1, d0), *inverse);
        let borrow = sub_product(rest, rest[from - 1], divisor, digit, from);
        let (r0, over) = r0.borrowing_sub(borrow, false);
        let (r1, over) = r1.borrowing_sub(B::ZERO, over);
        (rest[N - 2], rest[N - 1]) = (r0, r1);
        Some(if over { self.add_back(digit, from) } else { digit })
    }

    /// Whether what is left after the last [upper step](Self::upper_step) is more than the products that these leave
    /// out: fewer than N, each less than a unit of the top limb.
    #[inline(always)]
    pub(super) fn is_certain(&self) -> bool {
        self.rest[N - 1] >= B::from_word(N as u64)
    }

    /// A digit of B - 1, if that is not too large.
    #[cold]
    #[inline(never)]
    fn highest(&mut self, next: B) -> B {
        let (mut carry, mut limb) = (B::ZERO, next);
        for (rest, divisor) in self.rest.iter_mut().zip(self.divisor) {
            // With `~r = B - 1 - r`, `~r + digit * limb` is a multiply-add, whose carry is the borrow.
            let (low, high) = divisor.carrying_mul_add(B::HIGHEST, !limb, carry);
            (limb, *rest, carry) = (*rest, !low, high);
        }
        if carry > limb { self.add_back(B::HIGHEST, 0) } else { B::HIGHEST }
    }

    /// Corrects a digit that is one too large, and the rest, from limb `from` on.
    #[cold]
    #[inline(never)]
    fn add_back(&mut self, digit: B, from: usize) -> B {
        let mut over = false;
        for (rest, limb) in self.rest.iter_mut().zip(self.divisor).skip(from) {
            (*rest, over) = rest.carrying_add(limb, over);
        }
        // The carry out cancels the borrow.
        digit.wrapping_sub(B::ONE)
    }

    /// The remainder, after the last digit.
    #[inline(always)]
    pub(super) fn remainder(&self) -> [B; N] {
        let mut out = self.rest;
        for (i, out) in out.iter_mut().enumerate() {
            let above = self.rest.get(i + 1).copied().unwrap_or(B::ZERO);
            // Two shifts, because a shift by all bits of a limb is undefined.
            let from_above = (above << 1) << (B::BITS - 1 - self.shift) as usize;
            *out = *out >> self.shift as usize | from_above;
        }
        out
    }
}

/// Moves the lower N - 2 limbs of `rest B + next` up by a limb and subtracts the product of the digit and
/// those of the divisor, all from limb `from` on; returns the limb borrowed.
#[inline(always)]
fn sub_product<B: Base, const N: usize>(
    rest: &mut [B; N],
    next: B,
    divisor: &[B; N],
    digit: B,
    from: usize,
) -> B {
    // Two chains of carries, which overlap.
    let (mut product, mut carry, mut over) = ([B::ZERO; N], B::ZERO, false);
    for j in from..N - 2 {
        let wide = divisor[j].widening_mul(digit);
        (product[j], over) = wide.low().carrying_add(carry, over);
        carry = wide.high();
    }
    let (carry, _) = carry.carrying_add(B::ZERO, over);
    let (mut limb, mut borrow) = (next, false);
    for j in from..N - 2 {
        let less;
        (less, borrow) = limb.borrowing_sub(product[j], borrow);
        (limb, rest[j]) = (rest[j], less);
    }
    // The product is at most `B^(N-2) (B - 1)`, so there is room for both.
    carry.carrying_add(B::ZERO, borrow).0
}

/// `(a B + below) 2^n / B`, which fits.
#[inline(always)]
fn shifted<B: Base, const N: usize>(a: &[B; N], mut below: B, n: u32) -> [B; N] {
    let mut out = [B::ZERO; N];
    for (out, &limb) in out.iter_mut().zip(a) {
        *out = join(limb, below, n);
        below = limb;
    }
    out
}
