//! Division by one to eight limbs, each number of limbs compiled on its own: the divisor and the upper limbs
//! of what is left are arrays, the dividend is shifted as it is read, and nothing is copied.
//!
//! A digit waits for the one before. Two divisions at a time fill each other's waits.

use super::LimbDivisor;
use super::window::Window;
use crate::base::Base;
use crate::invariant::broken_invariant;
use crate::slice::{bits::significant, shift};

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

/// L divisions by divisors of N limbs, one to [`MOST`], for quotients alone to [`MOST_OF_QUOTIENTS`], the top one not
/// zero, of dividends of one length, N limbs or more. Results are as those of [`div_rem_pair`]. Inlined: for loops over
/// divisions of like lengths.
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
    if N > MOST || N > 2 && B::BITS >= 8 && only_quotients {
        return quotients_by::<B, N, L>(quotients, dividends, divisors);
    }
    all_by::<B, N, L>(quotients, remainders, dividends, divisors);
}

/// As [`by`], with all products.
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

/// As [`by`], without remainders: lower digits by the upper limbs of the divisor. All is computed again where that
/// leaves a quotient uncertain.
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
        if !are_certain[lane] || !windows[lane].is_certain() {
            again::<B, N>(quotients[lane], dividends[lane], divisors[lane]);
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
fn again<B: Base, const N: usize>(quotient: &mut [B], dividend: &[B], divisor: &[B]) {
    all_by::<B, N, 1>(&mut [quotient], &mut [&mut []], [dividend], [divisor]);
}

/// Writes a number, with zeros above, if there is room. A loop: calls would take longer.
#[inline(always)]
fn write<B: Base, const N: usize>(out: &mut [B], number: &[B; N]) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = number.get(i).copied().unwrap_or(B::ZERO);
    }
}

fn by_limb<B: Base>(quotient: &mut [B], remainder: &mut [B], dividend: &[B], divisor: B) {
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

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::convert::to_biguint;

    /// Limbs at the edges of carries, and pseudorandom ones, by a sequence of choices.
    fn limbs(len: usize, seed: u64) -> Vec<u64> {
        let mut state = seed;
        let mut limb = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            [0, 1, u64::MAX, 1 << 63, (1 << 63) - 1, state, state, state >> 9][(state >> 33) as usize % 8]
        };
        (0..len).map(|_| limb()).collect()
    }

    #[test]
    fn quotients_without_lower_products_are_exact() {
        for (n, m, seed) in
            (2..=MOST).flat_map(|n| (n..20).flat_map(move |m| (0..60).map(move |s| (n, m, s))))
        {
            let mut divisors = [2 * seed, 2 * seed + 1].map(|seed| limbs(n, 977 * seed + m as u64));
            divisors.iter_mut().for_each(|divisor| divisor[n - 1] |= 1 << (seed % 64));
            let mut dividends = [5 * seed, 7 * seed + 1].map(|seed| limbs(m, seed));
            // A multiple of the divisor, or one less: where products left out decide.
            let factor = BigUint::from(seed) << (64 * (m - n) as u64).saturating_sub(7);
            let exact = to_biguint(&divisors[0]) * factor;
            let near = if seed % 2 == 0 || exact == BigUint::ZERO { exact } else { exact - 1_u32 };
            if near.bits() <= 64 * m as u64 {
                assert!(crate::convert::from_biguint(&near, &mut dividends[0]));
            }
            let mut quotients = [vec![7; m], vec![7; m]];
            let [first, second] = &mut quotients;
            let [a, c] = &dividends;
            let [b, d] = &divisors;
            assert!(div_rem_trimmed([first, second], [&mut [], &mut []], [a, c], [b, d]));
            for ((quotient, dividend), divisor) in quotients.iter().zip(&dividends).zip(&divisors) {
                assert_eq!(to_biguint(quotient), to_biguint(dividend) / to_biguint(divisor), "{dividend:x?}");
            }
        }
    }
}
