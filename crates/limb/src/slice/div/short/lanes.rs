//! Quotients alone by divisors of a number of limbs that is compiled, digit by digit by [rows](super::row).

use super::super::digits::Left;
use super::super::inverse::Inverse;
use super::super::quotient::Prepared;
use super::MOST_OF_QUOTIENTS;
use super::fixed::{again, correct};
use super::row::Rows;
use crate::base::Base;
use crate::invariant::broken_invariant;
use crate::slice::shift::join;

/// Digits of the longest quotients.
pub(super) const MOST_DIGITS: usize = MOST_OF_QUOTIENTS + 2;

/// Limbs of what is left of a dividend.
const ROOM: usize = MOST_DIGITS + 2;

/// L divisions in progress, by divisors of N limbs.
///
/// Of the shifted dividend, which has `m + 1` limbs, the lower N - 2 are never read: digit j takes the limbs from j on,
/// and the divisor's upper j + 2 if these are fewer than N.
#[derive(Clone, Debug)]
pub(super) struct Lanes<B, const N: usize, const L: usize> {
    rows: Rows,
    left: [Left<B>; L],
    divisors: [[B; N]; L],
    inverses: [Inverse<B>; L],
    /// The complement of what is left, from limb N - 2 on.
    rests: [[B; ROOM]; L],
    /// Whether the lower digits are less than those of all ones.
    pub(super) are_found: [bool; L],
}

impl<B: Base, const N: usize, const L: usize> Lanes<B, N, L> {
    #[inline(always)]
    pub(super) const fn new(rows: Rows) -> Self {
        Self {
            rows,
            left: [Left(B::ZERO, B::ZERO); L],
            divisors: [[B::ZERO; N]; L],
            inverses: [Inverse::ZERO; L],
            rests: [[B::ZERO; ROOM]; L],
            are_found: [true; L],
        }
    }

    /// Begins divisions of so many digits, up to [`MOST_DIGITS`], of dividends of `digits + N - 1` limbs.
    #[inline(always)]
    pub(super) fn begin(&mut self, digits: usize, dividends: [&[B]; L], divisors: [&[B; N]; L]) {
        // What waits comes first: the shifts fill the time.
        let mut shifts = [0; L];
        for lane in 0..L {
            let Prepared { bits, inverse } = Prepared::new(divisors[lane]);
            (shifts[lane], self.inverses[lane]) = (bits, inverse);
        }
        for lane in 0..L {
            let bits = shifts[lane];
            shifted(&mut self.divisors[lane], divisors[lane], B::ZERO, bits, |limb| limb);
            let (below, upper) = dividends[lane].split_at(N - 2);
            let below = below.last().copied().unwrap_or(B::ZERO);
            let top = shifted(&mut self.rests[lane], upper, below, bits, |limb| !limb);
            self.left[lane] = Left(top, !self.rests[lane][digits]);
        }
    }

    /// Digit i of a quotient by all limbs of the divisor, `i >= N - 2`.
    #[inline(always)]
    pub(super) fn digit(&mut self, quotient: &mut [B], i: usize, lane: usize) {
        let at = i + 2 - N;
        let (rest, rows) = (&mut self.rests[lane][at..=at + N], self.rows);
        let row = |acc: &mut [B], b: &[B], digit| rows.add::<B, N>(acc, b, digit);
        let digit = self.left[lane].digit_by(rest, &self.divisors[lane], self.inverses[lane], row);
        self.put(quotient, i, lane, digit);
    }

    /// Digit `K - 2` by the upper K limbs of the divisor, 2 to N - 1.
    #[inline(always)]
    pub(super) fn upper_digit<const K: usize>(&mut self, quotient: &mut [B], lane: usize) {
        let (rest, divisor, rows) = (&mut self.rests[lane][..=K], &self.divisors[lane][N - K..], self.rows);
        let row = |acc: &mut [B], b: &[B], digit| rows.add::<B, K>(acc, b, digit);
        let digit = self.left[lane].digit_by(rest, divisor, self.inverses[lane], row);
        self.put(quotient, K - 2, lane, digit);
    }

    #[inline(always)]
    fn put(&mut self, quotient: &mut [B], i: usize, lane: usize, digit: Option<B>) {
        match digit {
            Some(digit) => {
                if let Some(limb) = quotient.get_mut(i) {
                    *limb = digit;
                }
            }
            None => self.are_found[lane] = false,
        }
    }

    /// Whether what is left after the last digit is more than the products that are left out: fewer than N, each less
    /// than a unit of the top limb.
    #[inline(always)]
    pub(super) fn is_certain(&self, lane: usize) -> bool {
        self.left[lane].0 >= B::from_word(N as u64)
    }
}

/// Quotients without remainders, as [`by_limbs`](super::by_limbs), of up to [`MOST_DIGITS`] digits.
#[inline(always)]
pub(super) fn quotients<B: Base, const N: usize, const L: usize>(
    rows: Rows,
    quotients: &mut [&mut [B]; L],
    dividends: [&[B]; L],
    divisors: [&[B]; L],
) {
    let digits = dividends[0].len() + 1 - N;
    let none = [B::ZERO; N];
    let mut arrays = [&none; L];
    for lane in 0..L {
        arrays[lane] =
            divisors[lane].first_chunk().unwrap_or_else(|| broken_invariant("a divisor has its limbs"));
        quotients[lane].iter_mut().skip(digits).for_each(|limb| *limb = B::ZERO);
    }
    let mut lanes = Lanes::<B, N, L>::new(rows);
    lanes.begin(digits, dividends, arrays);
    for i in (N - 2..digits).rev() {
        for (lane, quotient) in quotients.iter_mut().enumerate() {
            lanes.digit(quotient, i, lane);
        }
    }
    macro_rules! upper_digits {
        ($($limbs:literal)*) => {$(
            if $limbs < N && $limbs < digits + 2 {
                for (lane, quotient) in quotients.iter_mut().enumerate() {
                    lanes.upper_digit::<$limbs>(quotient, lane);
                }
            }
        )*};
    }
    upper_digits!(15 14 13 12 11 10 9 8 7 6 5 4 3 2);
    for lane in 0..L {
        if !lanes.are_found[lane] {
            again::<B, N>(quotients[lane], dividends[lane], divisors[lane]);
        } else if !lanes.is_certain(lane) {
            correct(quotients[lane], dividends[lane], divisors[lane]);
        }
    }
}

/// `a 2^bits` with the limb below, each limb changed by `of`; returns the limb above.
#[inline(always)]
fn shifted<B: Base>(out: &mut [B], a: &[B], mut below: B, bits: u32, of: impl Fn(B) -> B) -> B {
    for (out, &limb) in out.iter_mut().zip(a) {
        *out = of(join(limb, below, bits));
        below = limb;
    }
    join(B::ZERO, below, bits)
}
