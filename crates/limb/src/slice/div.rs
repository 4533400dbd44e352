//! Division with remainder on machine words. Each algorithm has a module:
//!
//! | algorithm | divisor | cost |
//! | --- | --- | --- |
//! | [`digit`] | as many limbs as the dividend, quotients alone | one division of words |
//! | [`limb`] | one limb, or a constant for many dividends | two products per limb of the dividend |
//! | [`two`] | two limbs | three products per limb of the dividend |
//! | [`short`] | three to eight limbs, to sixteen for quotients alone, each number compiled on its own | as `schoolbook` |
//! | [`schoolbook`] | two limbs and more | one product per limb of the quotient and limb of the divisor |
//! | [`mod@quotient`] | two limbs and more, quotients alone | half of the products |
//! | [`normalised`] | with its top bit set: in place, by these algorithms | as these |
//! | [`recursive`] | from 40 limbs of quotient and divisor on | two products of the length per level |
//!
//! [`div_rem`] chooses the algorithm and first repacks other limbs to 64-bit words; the algorithms run on any
//! limb. Both replace the slow machine division of two limbs by one by a product with a precomputed inverse
//! (Moeller and Granlund, "Improved division by invariant integers", IEEE Trans. Computers 60, 2011).

use crate::slice::{bits, words};
use crate::{base::Base, error::DivisionByZero, invariant::broken_invariant};

mod approximate;
pub mod digit;
mod digits;
mod high;
mod inverse;
pub mod limb;
mod lowest;
pub mod normalised;
pub mod quotient;
mod reciprocal;
pub mod recursive;
pub mod schoolbook;
pub mod short;
pub mod two;
mod window;

pub use super::Scratch;
pub use limb::LimbDivisor;
use quotient::Prepared;

/// `quotient = floor(dividend / divisor)`, `remainder = dividend mod divisor`.
///
/// `quotient` has the dividend's length, `remainder` the divisor's.
///
/// # Errors
/// [`DivisionByZero`] if the divisor is zero; the results are then untouched.
pub fn div_rem<B: Base>(
    quotient: &mut [B],
    remainder: &mut [B],
    dividend: &[B],
    divisor: &[B],
) -> Result<(), DivisionByZero> {
    div_rem_with(quotient, remainder, dividend, divisor, &mut Scratch::new())
}

/// [`div_rem`] with reused memory.
///
/// # Errors
/// [`DivisionByZero`] if the divisor is zero; the results are then untouched.
pub fn div_rem_with<B: Base>(
    quotient: &mut [B],
    remainder: &mut [B],
    dividend: &[B],
    divisor: &[B],
    scratch: &mut Scratch,
) -> Result<(), DivisionByZero> {
    assert!(
        quotient.len() == dividend.len() && remainder.len() == divisor.len(),
        "results sized as operands"
    );
    let (dividend, divisor) = (bits::significant(dividend), bits::significant(divisor));
    if divisor.is_empty() {
        return Err(DivisionByZero);
    }
    let (m, n) = (words::words_for::<B>(dividend.len()), words::words_for::<B>(divisor.len()));
    // A wide limb may have a zero word at its top, and a shorter divisor may be divided by another algorithm.
    let need = scratch_len(m, n).max(scratch_len(m, n - 1));
    if let (Some(dividend), Some(divisor)) = (B::as_words(dividend), B::as_words(divisor))
        && let (Some(quotient), Some(remainder)) = (B::as_words_mut(quotient), B::as_words_mut(remainder))
    {
        by_length(quotient, remainder, dividend, divisor, scratch.take(need));
    } else if divisor.len() == 1 || dividend.len() < divisor.len() {
        by_length(quotient, remainder, dividend, divisor, &mut []);
    } else {
        let packed = scratch.take(2 * (m + n) + need);
        let (u, packed) = packed.split_at_mut(m);
        let (v, packed) = packed.split_at_mut(n);
        let (q, packed) = packed.split_at_mut(m);
        let (r, rest) = packed.split_at_mut(n);
        words::pack(u, dividend);
        words::pack(v, divisor);
        // Two narrow limbs may be one word, and a wide limb may have a zero word at its top.
        by_length(q, r, bits::significant(u), bits::significant(v), rest);
        let (quotient, above) = quotient.split_at_mut(dividend.len());
        above.fill(B::ZERO);
        words::unpack(quotient, q);
        let (remainder, above) = remainder.split_at_mut(divisor.len());
        above.fill(B::ZERO);
        words::unpack(remainder, r);
    }
    Ok(())
}

/// `quotient = floor(dividend / divisor)`, of the dividend's length, with reused memory. Without the remainder a
/// division of numbers of several limbs takes about half of the products.
///
/// ```
/// use limbforge_limb::slice::div::{Scratch, quotient_with};
/// let mut out = [0; 3];
/// quotient_with(&mut out, &[1_u64, 0, 1], &[2, 1], &mut Scratch::new())?;
/// assert_eq!(out, [u64::MAX - 1, 0, 0]);
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
///
/// # Errors
/// [`DivisionByZero`] if the divisor is zero; the result is then untouched.
pub fn quotient_with<B: Base>(
    quotient: &mut [B],
    dividend: &[B],
    divisor: &[B],
    scratch: &mut Scratch,
) -> Result<(), DivisionByZero> {
    assert_eq!(quotient.len(), dividend.len(), "a quotient sized as the dividend");
    let (dividend, divisor) = (bits::significant(dividend), bits::significant(divisor));
    if divisor.is_empty() {
        return Err(DivisionByZero);
    }
    let (quotient, above) = quotient.split_at_mut(dividend.len());
    bits::clear(above);
    if dividend.len() < divisor.len() {
        quotient.fill(B::ZERO);
    } else if let (Some(dividend), Some(divisor)) = (B::as_words(dividend), B::as_words(divisor))
        && let Some(quotient) = B::as_words_mut(quotient)
    {
        quotient_by_length(quotient, dividend, divisor, scratch);
    } else {
        let [u, v] = [dividend, divisor].map(words::packed);
        let mut q = vec![0; u.len()];
        quotient_with(&mut q, &u, &v, scratch)?;
        words::unpack(quotient, &q);
    }
    Ok(())
}

/// [`quotient_with`] by a divisor of two words or more, without zeros at its top, of a dividend that is longer,
/// without zeros, too, and by what was prepared for the divisor.
///
/// ```
/// use limbforge_limb::slice::div::{Scratch, quotient::Prepared, quotient_by};
/// let (mut out, divisor) = ([0; 3], [2, 1]);
/// quotient_by(&mut out, &[1, 0, 1], &divisor, Prepared::new(&divisor), &mut Scratch::new());
/// assert_eq!(out, [u64::MAX - 1, 0, 0]);
/// ```
///
/// # Panics
/// If the lengths are others.
pub fn quotient_by(
    quotient: &mut [u64],
    dividend: &[u64],
    divisor: &[u64],
    prepared: Prepared<u64>,
    scratch: &mut Scratch,
) {
    let scratch = scratch.take(quotient::scratch_len(dividend.len(), divisor.len()));
    quotient::by_prepared(quotient, dividend, divisor, prepared, recursive::THRESHOLDS, scratch);
}

/// [`quotient_with`] of operands without zeros at the top, a dividend as long as the divisor or longer.
fn quotient_by_length(quotient: &mut [u64], dividend: &[u64], divisor: &[u64], scratch: &mut Scratch) {
    let (m, n) = (dividend.len(), divisor.len());
    if let [low, high] = *divisor {
        two::div_rem(quotient, dividend, [low, high]);
        return;
    }
    let is_same = m == n && n > 1;
    if is_same && let Some(digit) = digit::quotient(dividend, divisor) {
        bits::clear(quotient);
        quotient[0] = digit;
    } else if is_same || n > short::MOST || !short::div_rem(quotient, &mut [], dividend, divisor) {
        let scratch = scratch.take(quotient::scratch_len(m, n));
        quotient::quotient(quotient, dividend, divisor, recursive::THRESHOLDS, scratch);
    }
}

/// Whether divide and conquer is faster for a dividend of m limbs and a divisor of n.
const fn splits(m: usize, n: usize) -> bool {
    n >= recursive::THRESHOLD && m + 1 >= n + recursive::THRESHOLD
}

const fn scratch_len(m: usize, n: usize) -> usize {
    if n <= short::MOST {
        0
    } else if splits(m, n) {
        recursive::scratch_len(m, n)
    } else {
        schoolbook::scratch_len(m, n)
    }
}

/// Divides operands without zeros at the top by the algorithm for their lengths. The results may be longer.
/// `scratch` has [`scratch_len`] limbs, or none if the dividend is shorter than the divisor.
fn by_length<B: Base>(
    quotient: &mut [B],
    remainder: &mut [B],
    dividend: &[B],
    divisor: &[B],
    scratch: &mut [B],
) {
    let (quotient, above) = quotient.split_at_mut(dividend.len());
    above.fill(B::ZERO);
    let (remainder, above) = remainder.split_at_mut(divisor.len());
    above.fill(B::ZERO);
    match *divisor {
        _ if dividend.len() < divisor.len() => {
            quotient.fill(B::ZERO);
            remainder[..dividend.len()].copy_from_slice(dividend);
            remainder[dividend.len()..].fill(B::ZERO);
        }
        [divisor] => {
            let divisor = LimbDivisor::new(divisor)
                .unwrap_or_else(|_| broken_invariant("the top limb of the divisor is not zero"));
            remainder[0] = divisor.div_rem_into(quotient, dividend);
        }
        [low, high] => {
            let rest = two::div_rem(quotient, dividend, [low, high]);
            remainder.copy_from_slice(&rest);
        }
        _ if dividend.len() > divisor.len() && short::div_rem(quotient, remainder, dividend, divisor) => {}
        _ if splits(dividend.len(), divisor.len()) => {
            recursive::div_rem(quotient, remainder, dividend, divisor, recursive::THRESHOLD, scratch);
        }
        _ => schoolbook::div_rem(quotient, remainder, dividend, divisor, scratch),
    }
}

/// `acc = floor(acc / divisor)`; returns the remainder.
///
/// # Errors
/// [`DivisionByZero`] if the divisor is zero; `acc` is then untouched.
pub fn div_rem_limb<B: Base>(acc: &mut [B], divisor: B) -> Result<B, DivisionByZero> {
    if divisor == B::ZERO {
        // An empty dividend needs no division.
        return if acc.is_empty() { Ok(B::ZERO) } else { Err(DivisionByZero) };
    }
    if acc.len() < limb::MIN_LEN {
        return acc.iter_mut().rev().try_fold(B::ZERO, |above, limb| {
            let rest;
            (*limb, rest) = divisor.checked_div_rem_wide(*limb, above).ok_or(DivisionByZero)?;
            Ok(rest)
        });
    }
    Ok(LimbDivisor::new(divisor)?.div_rem(acc))
}
