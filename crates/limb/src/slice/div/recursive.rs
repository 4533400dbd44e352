//! Divide and conquer (Burnikel and Ziegler, "Fast recursive division", MPI-I-98-1-022, 1998; in place, as
//! `mpn_dcpi1_div_qr` of GMP).
//!
//! A quotient of k limbs by a divisor of as many is two quotients of half the limbs. A quotient that is
//! shorter than the divisor follows from the top limbs of both, and is at most two too large: its product
//! with the low limbs of the divisor is subtracted, and the divisor is added back while that is negative. So
//! a division costs about two products of its length per level.

use core::cmp::Ordering;

use super::digits;
use super::inverse::Inverse;
use super::lowest;
use super::schoolbook;
use crate::base::Base;
use crate::slice::mul::unbalanced;
use crate::slice::{add, cmp, shift, sub};

/// Fewest limbs of a quotient that is computed as two: the divisors of its halves have two limbs.
pub const MIN_LEN: usize = 4;
/// Quotients and divisors of so many 64-bit limbs are divided faster than by the schoolbook method. Measured:
/// 40 to 80 make no difference of more than 2 % at 128 to 512 limbs.
pub const THRESHOLD: usize = 40;

const _: () = assert!(THRESHOLD >= MIN_LEN);

/// Limbs of scratch for a dividend of `m` limbs and a divisor of `n`: both are shifted, and there is room for
/// a product of n limbs.
#[must_use]
pub const fn scratch_len(m: usize, n: usize) -> usize {
    schoolbook::scratch_len(m, n) + room(n, n / 2)
}

/// `quotient = floor(dividend / divisor)`, `remainder = dividend mod divisor`, as
/// [`schoolbook::div_rem`], which computes quotients of fewer than `threshold` limbs. `scratch` has
/// [`scratch_len`] limbs.
pub fn div_rem<B: Base>(
    quotient: &mut [B],
    remainder: &mut [B],
    dividend: &[B],
    divisor: &[B],
    threshold: usize,
    scratch: &mut [B],
) {
    let (m, n) = (dividend.len(), divisor.len());
    let bits = divisor[n - 1].leading_zeros();
    let (rest, scratch) = scratch.split_at_mut(m + 1);
    let (normalised, room) = scratch.split_at_mut(n);
    shift::shl_bits(normalised, divisor, bits);
    rest[m] = shift::shl_bits(&mut rest[..m], dividend, bits);
    let (digits, above) = quotient.split_at_mut(m - n + 1);
    above.fill(B::ZERO);
    let thresholds = Thresholds { block: threshold, ..THRESHOLDS };
    Division::new(normalised, thresholds, room).blocks(digits, rest, normalised);
    shift::shr(remainder, &rest[..n], bits);
}

/// Digits of quotients from which algorithms are faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Blocks as two.
    pub block: usize,
    /// Quotients without remainders as two.
    pub short: usize,
}

/// Measured with 64-bit limbs. Quotients without remainders from 160 to 300 digits on make no difference; from 100 on
/// take 3 % longer at 128 digits.
pub const THRESHOLDS: Thresholds = Thresholds { block: THRESHOLD, short: 160 };

/// Limbs of room for products of so many limbs, the shorter factor of `shorter`.
pub(super) const fn room(product: usize, shorter: usize) -> usize {
    product + unbalanced::scratch_len(shorter)
}

/// What all blocks share.
pub(super) struct Division<'r, B> {
    pub(super) inverse: Inverse<B>,
    pub(super) thresholds: Thresholds,
    pub(super) room: &'r mut [B],
}

impl<'r, B: Base> Division<'r, B> {
    /// A division by a normalised divisor.
    pub(super) fn new(divisor: &[B], thresholds: Thresholds, room: &'r mut [B]) -> Self {
        Self::by_inverse(Inverse::new(divisor), thresholds, room)
    }

    /// As [`new`](Self::new), by the inverse of the divisor.
    pub(super) fn by_inverse(inverse: Inverse<B>, thresholds: Thresholds, room: &'r mut [B]) -> Self {
        let Thresholds { block, short } = thresholds;
        let thresholds = Thresholds { block: block.max(MIN_LEN), short: short.max(MIN_LEN) };
        Self { inverse, thresholds, room }
    }

    /// A quotient of any length: blocks of n digits, a shorter one above.
    pub(super) fn blocks(&mut self, quotient: &mut [B], rest: &mut [B], divisor: &[B]) {
        let (n, mut at) = (divisor.len(), quotient.len());
        while at > 0 {
            let len = if at.is_multiple_of(n) { n } else { at % n };
            at -= len;
            self.block(&mut quotient[at..at + len], &mut rest[at..at + len + n], divisor);
        }
    }

    /// `quotient = floor(rest / divisor)`, `rest = rest mod divisor`, for a normalised divisor of n limbs, a
    /// quotient of up to n and `rest < divisor B^k` of `n + k` limbs.
    pub(super) fn block(&mut self, quotient: &mut [B], rest: &mut [B], divisor: &[B]) {
        let (k, n) = (quotient.len(), divisor.len());
        if k < self.thresholds.block && !lowest::is_square_faster(k, n) {
            digits::of_block(quotient, rest, divisor, self.inverse);
        } else if k == n {
            let (low, high) = quotient.split_at_mut(k / 2);
            self.block(high, &mut rest[k / 2..], divisor);
            self.block(low, &mut rest[..k / 2 + n], divisor);
        } else {
            self.by_top_limbs(quotient, rest, divisor);
        }
    }

    /// A quotient that is shorter than the divisor.
    fn by_top_limbs(&mut self, quotient: &mut [B], rest: &mut [B], divisor: &[B]) {
        let (k, n) = (quotient.len(), divisor.len());
        let (below, top) = divisor.split_at(n - k);
        self.by_top(quotient, &mut rest[n - k..], top);
        let (product, scratch) = self.room.split_at_mut(n);
        unbalanced::wide(product, quotient, below, scratch);
        let rest = &mut rest[..=n];
        let mut negative = sub::sub_assign(rest, product, false);
        while negative {
            sub::decrement(quotient, true);
            negative = !add::add_assign(rest, divisor, false);
        }
    }

    /// As [`block`](Self::block), for a divisor as long as the quotient that the upper limbs of the rest may
    /// equal: then `B^k - 1`, which leaves up to k limbs and one.
    pub(super) fn by_top(&mut self, quotient: &mut [B], rest: &mut [B], divisor: &[B]) {
        let k = quotient.len();
        if cmp::cmp(&rest[k..], divisor) == Ordering::Less {
            return self.block(quotient, rest, divisor);
        }
        // The quotient exceeds k limbs by one. B^k - 1 leaves one divisor more.
        quotient.fill(B::HIGHEST);
        rest[k..].fill(B::ZERO);
        let over = add::add_assign(&mut rest[..k], divisor, false);
        rest[k] = if over { B::ONE } else { B::ZERO };
    }
}
