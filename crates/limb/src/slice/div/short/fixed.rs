//! Divisions by divisors of a number of limbs that is compiled.

use super::super::LimbDivisor;
use super::super::window::Window;
use super::lanes::{self, MOST_DIGITS};
use super::row::Rows;
use super::{MOST, MOST_OF_QUOTIENTS};
use crate::base::Base;
use crate::invariant::broken_invariant;
use crate::slice::mul::rows::multiple;
use crate::slice::{shift, sub};

/// Limbs of divisors from which rows in assembly are faster than numbers in registers, and from which they are for short
/// quotients, too. Measured: 69 nanoseconds for 64 in 16 limbs by 8, but 37 for 40 in 12 by 8; 47 for 40 in 20 by 16.
const FEWEST_IN_ROWS: usize = 8;
const FEWEST_OF_SHORT: usize = 9;

/// L divisions by divisors of N limbs, one to [`MOST`], for quotients alone to [`MOST_OF_QUOTIENTS`], the top one
/// not zero, of dividends of one length, N limbs or more. Results are as those of
/// [`div_rem_pair`](super::div_rem_pair). Inlined: for loops over divisions of like lengths.
///
/// ```
/// use limbforge_limb::slice::div::short::by_limbs;
/// let mut quotient = [0; 3];
/// by_limbs::<u64, 2, 1>([&mut quotient], [&mut []], [&[5, 0, 7]], [&[0, 2]]);
/// assert_eq!(quotient, [1 << 63, 3, 0]);
/// ```
///
/// # Panics
/// If the lengths are others.
#[inline(always)]
pub fn by_limbs<B: Base, const N: usize, const L: usize>(
    mut quotients: [&mut [B]; L],
    mut remainders: [&mut [B]; L],
    dividends: [&[B]; L],
    divisors: [&[B]; L],
) {
    if N == 1 {
        for lane in 0..L {
            by_limb(quotients[lane], remainders[lane], dividends[lane], divisors[lane][0]);
        }
        return;
    }
    let (quotients, remainders) = (&mut quotients, &mut remainders);
    let only_quotients = remainders.iter().all(|remainder| remainder.is_empty());
    assert!(N <= MOST || only_quotients && B::BITS >= 8 && N <= MOST_OF_QUOTIENTS, "a short divisor");
    if N >= FEWEST_IN_ROWS
        && (N >= FEWEST_OF_SHORT || dividends[0].len() >= 2 * N - 1)
        && only_quotients
        && dividends[0].len() < N + MOST_DIGITS
        && let Some(rows) = Rows::new()
    {
        return lanes::quotients::<B, N, L>(rows, quotients, dividends, divisors);
    }
    if N > MOST || N > 2 && B::BITS >= 8 && only_quotients {
        return quotients_by::<B, N, L>(quotients, dividends, divisors);
    }
    all_by::<B, N, L>(quotients, remainders, dividends, divisors);
}

/// As [`by_limbs`], with all products.
#[inline(always)]
fn all_by<B: Base, const N: usize, const L: usize>(
    quotients: &mut [&mut [B]; L],
    remainders: &mut [&mut [B]; L],
    dividends: [&[B]; L],
    divisors: [&[B]; L],
) {
    // The first window ends with the lowest limb but so many.
    let digits = dividends[0].len() + 1 - N;
    let mut windows = [Window::<B, N>::EMPTY; L];
    for lane in 0..L {
        let Some(divisor) = divisors[lane].first_chunk() else { broken_invariant("a divisor has its limbs") };
        windows[lane] = Window::new(dividends[lane], digits, divisor);
        for i in digits..quotients[lane].len() {
            quotients[lane][i] = B::ZERO;
        }
    }
    for i in (0..digits).rev() {
        for lane in 0..L {
            let digit = windows[lane].step(dividends[lane], i);
            put(quotients[lane], i, digit);
        }
    }
    for lane in 0..L {
        write(remainders[lane], &windows[lane].remainder());
    }
}

/// As [`by_limbs`], without remainders: lower digits by the upper limbs of the divisor. Where that leaves a quotient
/// uncertain, a product decides, or all is computed again.
#[inline(always)]
fn quotients_by<B: Base, const N: usize, const L: usize>(
    quotients: &mut [&mut [B]; L],
    dividends: [&[B]; L],
    divisors: [&[B]; L],
) {
    let digits = dividends[0].len() + 1 - N;
    let mut windows = [Window::<B, N>::EMPTY; L];
    let mut are_certain = [true; L];
    for lane in 0..L {
        let Some(divisor) = divisors[lane].first_chunk() else { broken_invariant("a divisor has its limbs") };
        windows[lane] = Window::new(dividends[lane], digits, divisor);
        for i in digits..quotients[lane].len() {
            quotients[lane][i] = B::ZERO;
        }
    }
    for i in (N - 2..digits).rev() {
        for lane in 0..L {
            let digit = windows[lane].step(dividends[lane], i);
            put(quotients[lane], i, digit);
        }
    }
    macro_rules! upper_steps {
        ($($limbs:literal)*) => {$(
            if $limbs < N && $limbs < digits + 2 {
                for lane in 0..L {
                    match windows[lane].upper_step(N - $limbs) {
                        Some(digit) => put(quotients[lane], $limbs - 2, digit),
                        None => are_certain[lane] = false,
                    }
                }
            }
        )*};
    }
    upper_steps!(15 14 13 12 11 10 9 8 7 6 5 4 3 2);
    for lane in 0..L {
        if !are_certain[lane] {
            again::<B, N>(quotients[lane], dividends[lane], divisors[lane]);
        } else if !windows[lane].is_certain() {
            correct(quotients[lane], dividends[lane], divisors[lane]);
        }
    }
}

/// Writes a digit of a quotient, if that is wanted.
#[inline(always)]
fn put<B: Base>(quotient: &mut [B], i: usize, digit: B) {
    if let Some(limb) = quotient.get_mut(i) {
        *limb = digit;
    }
}

/// One of the quotients, by all products.
#[cold]
#[inline(never)]
pub(super) fn again<B: Base, const N: usize>(quotient: &mut [B], dividend: &[B], divisor: &[B]) {
    all_by::<B, N, 1>(&mut [quotient], &mut [&mut []], [dividend], [divisor]);
}

/// Lowers a quotient that is one too large, where the lower products decide. What is left then differs from 0 by less
/// than N units of the top limb, and so the N limbs of the divisor tell its sign.
#[cold]
#[inline(never)]
pub(super) fn correct<B: Base>(quotient: &mut [B], dividend: &[B], divisor: &[B]) {
    let n = divisor.len();
    let mut room = [B::ZERO; MOST_OF_QUOTIENTS];
    let left = &mut room[..n];
    left.copy_from_slice(&dividend[..n]);
    for (i, &digit) in quotient.iter().take(n).enumerate() {
        multiple::sub(&mut left[i..], &divisor[..n - i], digit);
    }
    if left[n - 1].leading_zeros() == 0 {
        sub::decrement(quotient, true);
    }
}

/// Writes a number, with zeros above, if there is room. A loop: calls would take longer.
#[inline(always)]
fn write<B: Base, const N: usize>(out: &mut [B], number: &[B; N]) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = number.get(i).copied().unwrap_or(B::ZERO);
    }
}

/// By a divisor of one limb that is not zero.
pub(super) fn by_limb<B: Base>(quotient: &mut [B], remainder: &mut [B], dividend: &[B], divisor: B) {
    let (low, above) = quotient.split_at_mut(dividend.len().min(quotient.len()));
    write(above, &[]);
    let below = divisor.wrapping_sub(B::ONE);
    let rest = if divisor & below == B::ZERO {
        if !low.is_empty() {
            shift::shr(low, dividend, divisor.trailing_zeros());
        }
        dividend[0] & below
    } else {
        let divisor =
            LimbDivisor::new(divisor).unwrap_or_else(|_| broken_invariant("the top limb is not zero"));
        if low.is_empty() { divisor.rem(dividend) } else { divisor.div_rem_into(low, dividend) }
    };
    write(remainder, &[rest]);
}
