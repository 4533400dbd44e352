//! Division by one to sixteen limbs, each number of limbs compiled on its own: the divisor and the upper limbs
//! of what is left are arrays, the dividend is shifted as it is read, and nothing is copied.
//!
//! A digit waits for the one before. Two divisions at a time fill each other's waits.

use crate::base::Base;
use crate::slice::bits::significant;

mod fixed;
mod lanes;
pub(super) mod row;

use fixed::by_limb;
pub use fixed::by_limbs;

/// Limbs of the longest divisor.
pub const MOST: usize = 8;
/// Limbs of the longest divisor of [`by_limbs`], of quotients alone.
pub const MOST_OF_QUOTIENTS: usize = 16;

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
    let dividend = &dividend[..significant(dividend).len().max(divisor.len()).min(dividend.len())];
    by_length(divisor.len(), [quotient], [remainder], [dividend], [divisor])
}

/// Two divisions at a time. Quotients have the limbs of their dividends, or more, or
/// none; then they are not wanted.
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
    let ([a, c], [b, d]) = (dividends, divisors.map(significant));
    let len = significant(a).len().max(significant(c).len()).max(b.len());
    let is_pair = b.len() == d.len() && (1..=MOST).contains(&b.len());
    let (true, Some(a), Some(c)) = (is_pair, a.get(..len), c.get(..len)) else { return false };
    div_rem_trimmed(quotients, remainders, [a, c], [b, d])
}

/// [`div_rem_pair`] of dividends of one length, without zeros at the top of both, and of divisors of one length,
/// without zeros at the top of any. Returns false, and does nothing, for dividends shorter than the divisors.
///
/// # Panics
/// If the lengths of the dividends or of the divisors differ.
#[inline]
pub fn div_rem_trimmed<B: Base>(
    quotients: [&mut [B]; 2],
    remainders: [&mut [B]; 2],
    dividends: [&[B]; 2],
    divisors: [&[B]; 2],
) -> bool {
    let n = divisors[0].len();
    assert!(n == divisors[1].len() && dividends[0].len() == dividends[1].len(), "numbers of one length");
    if n == 1 && !dividends[0].is_empty() {
        for (((quotient, remainder), dividend), divisor) in
            quotients.into_iter().zip(remainders).zip(dividends).zip(divisors)
        {
            by_limb(quotient, remainder, dividend, divisor[0]);
        }
        return true;
    }
    by_length(n, quotients, remainders, dividends, divisors)
}

/// Divides dividends of one length by divisors of n limbs.
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

/// [`by_limbs`] as a call.
fn by<B: Base, const N: usize, const L: usize>(
    quotients: &mut [&mut [B]; L],
    remainders: &mut [&mut [B]; L],
    dividends: [&[B]; L],
    divisors: [&[B]; L],
) {
    by_limbs::<B, N, L>(
        quotients.each_mut().map(|q| &mut **q),
        remainders.each_mut().map(|r| &mut **r),
        dividends,
        divisors,
    );
}

#[cfg(test)]
mod tests;
