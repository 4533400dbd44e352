//! Divide and conquer (Burnikel and Ziegler, "Fast recursive division", MPI-I-98-1-022, 1998; in place, as
//! `mpn_dcpi1_div_qr` of GMP).
//!
//! A quotient of k limbs by a divisor of as many is two quotients of half the limbs. A quotient that is
//! shorter than the divisor follows from the top limbs of both, and is at most two too large: its product
//! with the low limbs of the divisor is subtracted, and the divisor is added back while that is negative. So
//! a division costs about two products of its length per level.

use core::cmp::Ordering;

use super::schoolbook::{self, step};
use crate::base::Base;
use crate::slice::mul::unbalanced;
use crate::slice::{add, cmp, shift, sub};

/// Fewest limbs of a quotient that is computed as two: the divisors of its halves have two limbs.
pub const MIN_LEN: usize = 4;
/// Quotients and divisors of so many 64-bit limbs are divided faster than by the schoolbook method. Measured:
/// 32 to 56 make no difference, 80 takes 10 % longer at 128 limbs.
pub const THRESHOLD: usize = 40;

const _: () = assert!(THRESHOLD >= MIN_LEN);

/// Limbs of scratch for a dividend of `m` limbs and a divisor of `n`: both are shifted, and there is room for
/// a product of n limbs.
#[must_use]
pub const fn scratch_len(m: usize, n: usize) -> usize {
    schoolbook::scratch_len(m, n) + n + unbalanced::scratch_len(n / 2)
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
    let mut division =
        Division { inverse: schoolbook::inverse(normalised), threshold: threshold.max(MIN_LEN), room };
    // Blocks of n limbs, below a shorter one.
    let (mut from, first) = (digits.len(), digits.len() % n);
    while from > 0 {
        let len = if from == digits.len() && first > 0 { first } else { n };
        from -= len;
        division.block(&mut digits[from..from + len], &mut rest[from..from + len + n], normalised);
    }
    shift::shr(remainder, &rest[..n], bits);
}

/// What all blocks share.
struct Division<'r, B> {
    inverse: B,
    threshold: usize,
    room: &'r mut [B],
}

impl<B: Base> Division<'_, B> {
    /// `quotient = floor(rest / divisor)`, `rest = rest mod divisor`, for a normalised divisor of n limbs, a
    /// quotient of up to n and `rest < divisor B^k` of `n + k` limbs.
    fn block(&mut self, quotient: &mut [B], rest: &mut [B], divisor: &[B]) {
        let (k, n) = (quotient.len(), divisor.len());
        if k < self.threshold {
            for (j, digit) in quotient.iter_mut().enumerate().rev() {
                *digit = step(&mut rest[j..=j + n], divisor, self.inverse);
            }
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
        let upper = &mut rest[n - k..];
        if cmp::cmp(&upper[k..], top) == Ordering::Less {
            self.block(quotient, upper, top);
        } else {
            // The top limbs are equal: their quotient exceeds k limbs by one. B^k - 1 leaves one divisor more.
            quotient.fill(B::HIGHEST);
            upper[k..].fill(B::ZERO);
            let over = add::add_assign(&mut upper[..k], top, false);
            upper[k] = if over { B::ONE } else { B::ZERO };
        }
        let (product, scratch) = self.room.split_at_mut(n);
        unbalanced::wide(product, quotient, below, scratch);
        let rest = &mut rest[..=n];
        let mut negative = sub::sub_assign(rest, product, false);
        while negative {
            sub::decrement(quotient, true);
            negative = !add::add_assign(rest, divisor, false);
        }
    }
}
