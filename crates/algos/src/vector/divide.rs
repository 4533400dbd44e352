//! Quotients and remainders of eight pairs of numbers, each with its own divisor, in digits of `D = 2^48`.
//!
//! The divisors v are shifted to the top of n digits, so that `v >= D^n / 2`, and the dividends u by as many
//! bits. With k digits of the quotient, `u < v D^k`. Its digits are found from the highest on: digit i is
//!
//! ```text
//! floor(p),   p = T (1 / v') (1 - 2^-50)   in double precision,
//! ```
//!
//! with `T D^(n-1+i)` the upper columns of what is left and v' the upper two digits of v, a digit before the
//! point. It is never too large: T leaves out lower columns, which are positive, and each of the five
//! roundings errs by at most a 2^-53-th. The errors together are below `13 2^-53 p + (1 + 6 k) 2^-47`, where
//! the last term is of the columns left out. So a rest `r v D^i` with r < 1.7 before a digit, and `p < 1.7
//! 2^48`, leaves one of less than `1 + 13 2^-53 1.7 2^48 < 1.7`: all digits are below 2^49. If T is negative,
//! it is by less than `1 + 6 k`, and p rounds to 0.
//!
//! Subtractions of `q v` are additions of `q (D^n - v)`, and of -q in the column n higher. The multiply-adds
//! split products at 52 bits: with 16 times a digit as one factor, the low half is 16 times the product mod
//! D, and the high half its quotient by D. Sums of 4000 halves do not overflow.

use super::columns::{COLUMNS, Sums};
use super::divisors::{Divisors, SCALE};
use super::lanes::{Lanes, WIDTH, Words};
use super::shifted::{BITS, MASK};

/// Writes the digits of the quotients, the highest first, to `quotient`, whole blocks of which the first
/// `steps` are computed; those after the k-th are of the fraction. `dividend` has n + k digits times 16.
pub(super) fn quotients<L: Lanes>(
    lanes: L,
    quotient: &mut [Words],
    steps: usize,
    dividend: &[Words],
    divisors: &Divisors,
) {
    lanes.run(
        #[inline(always)]
        || descend(lanes, quotient, steps, dividend, divisors),
    );
}

#[inline(always)]
fn descend<L: Lanes>(
    lanes: L,
    quotient: &mut [Words],
    steps: usize,
    dividend: &[Words],
    divisors: &Divisors,
) {
    let (n, v) = (divisors.len(), &divisors.downwards[..]);
    let (inverses, mask) = (lanes.load(&divisors.inverses), lanes.splat(MASK));
    // Column d counts from the highest but one down.
    let Some((highest, below)) = dividend.split_last() else { return };
    let column = |d: usize| below.len().checked_sub(d + 1).map_or(&Words::ZERO, |column| &below[column]);
    let mut top = lanes.shr(lanes.load(highest), SCALE);
    let mut low = lanes.load(column(0));
    for first in (0..steps).step_by(COLUMNS) {
        let mut sums = Sums::new(lanes);
        for c in 0..COLUMNS {
            sums.low[c] = lanes.load(column(first + 1 + c));
        }
        let from = (first + 1).saturating_sub(n) / COLUMNS * COLUMNS;
        sums.add_blocks(quotient, v, first + 1, from, first);
        for u in 0..COLUMNS {
            if first + u == steps {
                return;
            }
            // The highest column is resolved, the next one with the carries of those below but for low
            // halves.
            let middle = lanes.add(lanes.shr(low, SCALE), sums.high[u]);
            let high = lanes.add(top, lanes.shr(middle, BITS));
            let digit = lanes.estimate(high, lanes.and(middle, mask), inverses);
            quotient[first + u] = lanes.store(digit);
            let leading = lanes.load(&v[0]);
            top = lanes.add_high(lanes.sub(top, digit), digit, leading);
            low = lanes.add_low(low, digit, leading);
            for c in 0..COLUMNS {
                if c >= u {
                    sums.add(c, digit, lanes.load(&v[1 + c - u]));
                }
            }
            top = lanes.add(lanes.add(lanes.shl(top, BITS), lanes.shr(low, SCALE)), sums.high[u]);
            low = sums.low[u];
        }
    }
}

/// Writes what is left of the dividends, `u - q v`, n + 1 digits and more: below 1.7 v. `quotient` has whole
/// blocks of digits, the lowest first.
pub(super) fn rests<L: Lanes>(
    lanes: L,
    rest: &mut [Words],
    quotient: &[Words],
    dividend: &[Words],
    divisors: &Divisors,
) {
    lanes.run(
        #[inline(always)]
        || ascend(lanes, rest, quotient, dividend, divisors),
    );
}

#[inline(always)]
fn ascend<L: Lanes>(
    lanes: L,
    rest: &mut [Words],
    quotient: &[Words],
    dividend: &[Words],
    divisors: &Divisors,
) {
    let (n, v, mask) = (divisors.len(), &divisors.upwards[..], lanes.splat(MASK));
    let mut carry = lanes.splat(0);
    for (block, rest) in rest.as_chunks_mut::<COLUMNS>().0.iter_mut().enumerate() {
        let (first, mut sums) = (block * COLUMNS, Sums::new(lanes));
        for c in 0..COLUMNS {
            if let Some(digit) = dividend.get(first + c) {
                sums.low[c] = lanes.load(digit);
            }
        }
        sums.add_blocks(quotient, v, first, 0, first.min(quotient.len()));
        if first < quotient.len() {
            sums.add_part(&quotient[first..], v, 0, |c, u| c >= u);
        }
        for (c, rest) in rest.iter_mut().enumerate() {
            let mut sum = lanes.add(lanes.shr(sums.low[c], SCALE), carry);
            if first + c == n {
                // Columns above are not read.
                sum = lanes.sub(sum, lanes.load(&quotient[0]));
            }
            *rest = lanes.store(lanes.and(sum, mask));
            carry = lanes.add(sums.high[c], lanes.shr(sum, BITS));
        }
    }
}

/// Resolves the digits of quotients, the highest first, of which the last is of the fraction if there is one:
/// writes k digits below D, the lowest first.
pub(super) fn resolve<L: Lanes>(lanes: L, out: &mut [Words], digits: &[Words], fraction: Option<&Words>) {
    lanes.run(
        #[inline(always)]
        || {
            let mask = lanes.splat(MASK);
            let mut carry = match fraction {
                Some(fraction) => lanes.shr(lanes.load(fraction), BITS),
                None => lanes.splat(0),
            };
            for (out, digit) in out.iter_mut().zip(digits.iter().rev()) {
                let sum = lanes.add(lanes.load(digit), carry);
                *out = lanes.store(lanes.and(sum, mask));
                carry = lanes.shr(sum, BITS);
            }
        },
    );
}

/// The lanes whose fraction is so near to 1 that its first digit does not tell whether it reaches it: the fraction
/// is `digit / D` and less than 1.7 units more.
pub(super) fn undecided(fraction: &Words) -> [bool; WIDTH] {
    fraction.0.map(|digit| (MASK - 1..=MASK).contains(&digit))
}
