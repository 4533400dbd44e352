//! Division by one to eight limbs, each number of limbs compiled on its own: the divisor and the upper limbs
//! of what is left are arrays, the dividend is shifted as it is read, and nothing is copied.
//!
//! A digit waits for the one before. Two divisions at a time fill each other's waits.

use super::LimbDivisor;
use super::window::Window;
use crate::base::Base;
use crate::invariant::broken_invariant;
use crate::slice::bits::significant;

/// Limbs of the longest divisor.
pub const MOST: usize = 8;

/// `quotient = floor(dividend / divisor)`, `remainder = dividend mod divisor`, of the lengths that
/// [`div_rem_pair`] says. Returns false, and does nothing, for divisors of 0, of more than [`MOST`] limbs
/// without the zeros at their top, or of more limbs than the dividend.
///
/// ```
/// use limbforge_limb::slice::div::short::div_rem;
/// let (mut quotient, mut remainder) = ([0; 4], [0; 3]);
/// assert!(div_rem(&mut quotient, &mut remainder, &[5_u64, 0, 0, 1], &[0, 0, 2]));
/// assert_eq!((quotient, remainder), ([1 << 63, 0, 0, 0], [5, 0, 0]));
/// ```
#[inline]
pub fn div_rem<B: Base>(quotient: &mut [B], remainder: &mut [B], dividend: &[B], divisor: &[B]) -> bool {
    let divisor = significant(divisor);
    if let [divisor] = *divisor
        && !dividend.is_empty()
    {
        by_limb(quotient, remainder, dividend, divisor);
        return true;
    }
    by_length(divisor.len(), [quotient], [remainder], [dividend], [divisor])
}

/// Two divisions at a time. Quotients have the limbs of their dividends or none; then they are not wanted.
/// Remainders have the limbs of their divisors, or more, or none. Returns false, and does nothing, unless
/// both divisors have the same number of limbs without the zeros at their top, one to [`MOST`].
///
/// ```
/// use limbforge_limb::slice::div::short::div_rem_pair;
/// let mut rests = [[0; 2]; 2];
/// let none = || [&mut [][..], &mut []];
/// let divisors = [&[1_u64, 1][..], &[9, 1]];
/// assert!(div_rem_pair(none(), rests.each_mut().map(|rest| &mut rest[..]), [&[3, 2]; 2], divisors));
/// assert_eq!(rests, [[1, 0], [u64::MAX - 5, 0]]);
/// ```
#[inline]
pub fn div_rem_pair<B: Base>(
    quotients: [&mut [B]; 2],
    remainders: [&mut [B]; 2],
    dividends: [&[B]; 2],
    divisors: [&[B]; 2],
) -> bool {
    let n = significant(divisors[0]).len();
    if n != significant(divisors[1]).len() {
        return false;
    }
    if n == 1 && dividends.iter().all(|dividend| !dividend.is_empty()) {
        for (((quotient, remainder), dividend), divisor) in
            quotients.into_iter().zip(remainders).zip(dividends).zip(divisors)
        {
            by_limb(quotient, remainder, dividend, divisor[0]);
        }
        return true;
    }
    by_length(n, quotients, remainders, dividends, divisors)
}

/// Divides by divisors of n limbs.
#[inline(always)]
fn by_length<B: Base, const L: usize>(
    n: usize,
    mut quotients: [&mut [B]; L],
    mut remainders: [&mut [B]; L],
    dividends: [&[B]; L],
    divisors: [&[B]; L],
) -> bool {
    if dividends.iter().any(|dividend| dividend.len() < n) {
        return false;
    }
    macro_rules! of_lengths {
        ($($n:literal)*) => {
            match n {
                $($n => by::<B, $n, L>(&mut quotients, &mut remainders, dividends, divisors),)*
                _ => return false,
            }
        };
    }
    of_lengths!(2 3 4 5 6 7 8);
    true
}

fn by<B: Base, const N: usize, const L: usize>(
    quotients: &mut [&mut [B]; L],
    remainders: &mut [&mut [B]; L],
    dividends: [&[B]; L],
    divisors: [&[B]; L],
) {
    // Of the longest dividend. The first window ends with its lowest limb but so many.
    let digits = dividends.iter().fold(N, |used, dividend| used.max(significant(dividend).len())) + 1 - N;
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
            if let Some(quotient) = quotients[lane].get_mut(i) {
                *quotient = digit;
            }
        }
    }
    for lane in 0..L {
        write(remainders[lane], &windows[lane].remainder());
    }
}

/// Writes a number, with zeros above, if there is room. A loop: calls would take longer.
#[inline(always)]
fn write<B: Base, const N: usize>(out: &mut [B], number: &[B; N]) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = number.get(i).copied().unwrap_or(B::ZERO);
    }
}

fn by_limb<B: Base>(quotient: &mut [B], remainder: &mut [B], dividend: &[B], divisor: B) {
    let divisor = LimbDivisor::new(divisor).unwrap_or_else(|_| broken_invariant("the top limb is not zero"));
    let rest =
        if quotient.is_empty() { divisor.rem(dividend) } else { divisor.div_rem_into(quotient, dividend) };
    write(remainder, &[rest]);
}
