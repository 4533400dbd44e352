//! Several digits of a quotient, one after the other, as in [`schoolbook`](super::schoolbook).
//!
//! What is left of the dividend is kept as its complement, of which a difference is a sum: with `~r = B^n - 1 -
//! r`, `~r + digit * divisor` is the complement of the difference. Its top two limbs stay in registers.

use super::inverse::Inverse;
use super::lowest;
use super::short::row::Rows;
use crate::base::Base;
use crate::invariant::broken_invariant;
use crate::slice::mul::rows::multiple;
use crate::slice::sub;

/// `quotient = floor(rest / divisor)`, `rest = rest mod divisor` with zeros above, for a normalised divisor of
/// n limbs, `rest < divisor B^k` of `n + k` limbs and the inverse of the divisor's top two limbs.
pub(super) fn of_block<B: Base>(quotient: &mut [B], rest: &mut [B], divisor: &[B], inverse: Inverse<B>) {
    let n = divisor.len();
    if let Some(rows) = Rows::new()
        && lowest::block(rows, quotient, rest, divisor, inverse)
    {
        return;
    }
    let mut left = Left::new(rest);
    for (j, digit) in quotient.iter_mut().enumerate().rev() {
        *digit = left
            .digit(&mut rest[j..=j + n], divisor, inverse)
            .unwrap_or_else(|| broken_invariant("the dividend is below so many divisors"));
    }
    left.finish(&mut rest[..n]);
    rest[n..].fill(B::ZERO);
}

/// The digits of [`approximate`](super::approximate): digit j from the divisor's upper j + 2 limbs. Returns
/// false if all digits from one on are B - 1.
pub(super) fn of_estimate<B: Base>(
    quotient: &mut [B],
    rest: &mut [B],
    divisor: &[B],
    inverse: Inverse<B>,
) -> bool {
    complement(rest);
    let Some((high, low)) = of_complement(quotient, rest, divisor, inverse) else { return false };
    (rest[0], rest[1]) = (low, high);
    true
}

/// As [`of_estimate`], for the complement of the dividend; returns the top two limbs of what is left (high, low).
#[inline(always)]
pub(super) fn of_complement<B: Base>(
    quotient: &mut [B],
    rest: &mut [B],
    divisor: &[B],
    inverse: Inverse<B>,
) -> Option<(B, B)> {
    let k = quotient.len();
    let mut left = Left::load(rest);
    let rows = Rows::new();
    let fixed = if rows.is_some() { k.min(lowest::MOST) } else { 0 };
    for j in (fixed..k).rev() {
        let Some(digit) = left.digit(&mut rest[..j + 3], &divisor[k - 1 - j..], inverse) else {
            quotient[..=j].fill(B::HIGHEST);
            return None;
        };
        quotient[j] = digit;
    }
    if let Some(rows) = rows {
        let of_digits = (&mut rest[..fixed + 2], &divisor[k - fixed..]);
        left = lowest::digits(rows, left, &mut quotient[..fixed], of_digits, inverse)?;
    }
    Some((left.0, left.1))
}

/// The top two limbs of what is left (high, low), whose complements in memory are not used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left<B>(pub(super) B, pub(super) B);

impl<B: Base> Left<B> {
    pub(super) fn new(rest: &mut [B]) -> Self {
        let [.., low, high] = *rest else { broken_invariant("there are two limbs") };
        complement(rest);
        Self(high, low)
    }

    /// The next digit, for a dividend one limb longer than the divisor; `None` if that has more digits.
    #[inline(always)]
    fn digit(&mut self, rest: &mut [B], divisor: &[B], inverse: Inverse<B>) -> Option<B> {
        self.digit_by(rest, divisor, inverse, multiple::add)
    }

    /// As [`digit`](Self::digit), with `row` for `acc += digit * b mod B^n`, which returns the limb above.
    #[inline(always)]
    pub(super) fn digit_by(
        &mut self,
        rest: &mut [B],
        divisor: &[B],
        inverse: Inverse<B>,
        row: impl FnOnce(&mut [B], &[B], B) -> B,
    ) -> Option<B> {
        let n = divisor.len();
        let (low, top) = divisor.split_at(n - 2);
        let (&[d0, d1], Some(&u0)) = (top, rest.get(n - 2)) else {
            broken_invariant("the divisor has two limbs")
        };
        // The rare cases have copies: numbers whose address is taken do not stay in registers.
        let (_, is_less) = self.1.borrowing_sub(d0, false);
        let (_, is_less) = self.0.borrowing_sub(d1, is_less);
        if !is_less {
            let digit;
            (digit, *self) = self.highest(rest, divisor);
            return digit;
        }
        let (digit, (r0, r1)) = inverse.divide((self.0, self.1, !u0), (d1, d0));
        let borrow = row(&mut rest[..n - 2], low, digit);
        let (r0, over) = r0.borrowing_sub(borrow, false);
        let (r1, over) = r1.borrowing_sub(B::ZERO, over);
        *self = Self(r1, r0);
        if over {
            *self = self.add_back(&mut rest[..n], divisor);
            return Some(digit.wrapping_sub(B::ONE));
        }
        Some(digit)
    }

    /// Corrects what is left where a digit was one too large.
    #[cold]
    #[inline(never)]
    fn add_back(self, rest: &mut [B], divisor: &[B]) -> Self {
        self.store(rest);
        // The carry out cancels the borrow.
        sub::sub_assign(rest, divisor, false);
        Self::load(rest)
    }

    /// The estimate would not fit a limb: B - 1, one less, or more digits.
    #[cold]
    #[inline(never)]
    fn highest(self, rest: &mut [B], divisor: &[B]) -> (Option<B>, Self) {
        self.store(rest);
        let n = divisor.len();
        let is_below = rest[1..].iter().rev().map(|&limb| !limb).lt(divisor.iter().rev().copied());
        if !is_below {
            return (None, self);
        }
        let carry = multiple::add(&mut rest[..n], divisor, B::HIGHEST);
        let rest = &mut rest[..n];
        let digit = if carry > self.0 {
            sub::sub_assign(rest, divisor, false);
            B::HIGHEST.wrapping_sub(B::ONE)
        } else {
            B::HIGHEST
        };
        (Some(digit), Self::load(rest))
    }

    fn store(self, rest: &mut [B]) {
        if let [.., low, high] = rest {
            (*low, *high) = (!self.1, !self.0);
        }
    }

    fn load(rest: &[B]) -> Self {
        let [.., low, high] = *rest else { broken_invariant("there are two limbs") };
        Self(!high, !low)
    }

    /// Ends with the remainder itself.
    pub(super) fn finish(self, rest: &mut [B]) {
        self.store(rest);
        complement(rest);
    }
}

/// `a = B^n - 1 - a`.
fn complement<B: Base>(a: &mut [B]) {
    for limb in a {
        *limb = !*limb;
    }
}
