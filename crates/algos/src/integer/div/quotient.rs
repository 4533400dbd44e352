//! Quotients without their remainders: the lower limbs of a long divisor hardly matter.
//!
//! The limbs of `limbforge_limb` do so up to 288 words. A longer quotient of k words is k + 1 digits of `u B /
//! v` in halves (`div/halves.rs`), of which the lowest is a guard. If it does not tell, the remainder does.
//!
//! A quotient by the divisor of the one before, or one that is much longer than the divisor, is one by an
//! [inverse](super::lower), with v the upper k + 3 words of the divisor. The last block takes no product with the
//! divisor. The digits are one too small at most, and one too large at most for the words of the divisor that are
//! left out. So the quotient is certain unless the guard is 0 or B - 1.

use core::mem;

use limbforge_limb::slice::{bits, div as words_div, words};
use limbforge_limb::{Base, DivisionByZero};

use super::super::Scratch;
use super::super::packed::{as_words, unpack};
use super::{div_rem, halves, lower};

/// Words of the divisor beside those of the quotient.
const GUARD: usize = 3;

/// Words of a quotient from which an inverse is faster than halves. Measured.
const MOST_IN_HALVES: usize = 1536;

/// `quotient = floor(dividend / divisor)`, as by [`div_rem`]. `room` is for remainders.
///
/// ```
/// use limbforge_algos::integer::{Scratch, div::quotient::quotient};
/// let mut out = [0; 3];
/// quotient(&mut out, &[1_u64, 0, 1], &[2, 1], &mut vec![], &mut Scratch::default())?;
/// assert_eq!(out, [u64::MAX - 1, 0, 0]);
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
///
/// # Errors
/// [`DivisionByZero`] if the divisor is zero; the result is then untouched.
///
/// # Panics
/// Unless `quotient` has the dividend's length.
pub fn quotient<B: Base>(
    quotient: &mut [B],
    dividend: &[B],
    divisor: &[B],
    room: &mut Vec<B>,
    scratch: &mut Scratch,
) -> Result<(), DivisionByZero> {
    assert_eq!(quotient.len(), dividend.len(), "a quotient sized as the dividend");
    let (u, v) = (bits::significant(dividend), bits::significant(divisor));
    if v.is_empty() {
        return Err(DivisionByZero);
    }
    let (m, n) = (words::words_for::<B>(u.len()), words::words_for::<B>(v.len()));
    let (quotient, above) = quotient.split_at_mut(u.len());
    above.fill(B::ZERO);
    if m + 1 < n + MOST_IN_HALVES
        && super::is_in_halves(m, n)
        && by_halves(quotient, &as_words(u), &as_words(v), scratch)
    {
        return Ok(());
    }
    let blocks = super::choose_quotient(m, n);
    if let Some(blocks) = blocks
        && by_inverse(quotient, &as_words(u), &as_words(v), blocks, scratch)
    {
        return Ok(());
    }
    if blocks.is_none() {
        return words_div::quotient_with(quotient, u, v, &mut scratch.schoolbook);
    }
    room.resize(v.len().max(room.len()), B::ZERO);
    div_rem(quotient, &mut room[..v.len()], u, v, scratch)
}

/// Returns false and finds nothing if the divisor is that of the division before, of which an inverse is kept, or has
/// too many words.
fn by_halves<B: Base>(quotient: &mut [B], u: &[u64], v: &[u64], scratch: &mut Scratch) -> bool {
    let (u, v) = (bits::significant(u), bits::significant(v));
    let (m, n) = (u.len(), v.len());
    let k = m + 1 - n;
    let kept = &v[n.saturating_sub(k + GUARD)..];
    if k >= super::QUOTIENT_LEAST {
        if scratch.divisor == kept {
            return false;
        }
        kept.clone_into(&mut scratch.divisor);
        scratch.inverse.clear();
    }
    let mut digits = vec![0; k + 1];
    let [dividend, divisor] = halves::shifted(u, v, k + GUARD);
    if !halves::estimate(&mut digits, &dividend, &divisor, &mut scratch.product) {
        return false;
    }
    let is_known = (halves::ERROR..=u64::MAX - halves::ERROR).contains(&digits[0]);
    digits.remove(0);
    if is_known || halves::remainder(&mut digits, &mut vec![0; n], u, v, &mut scratch.product) {
        unpack(quotient, digits);
        return true;
    }
    false
}

/// Returns false if the guard does not tell the quotient.
fn by_inverse<B: Base>(
    quotient: &mut [B],
    u: &[u64],
    v: &[u64],
    blocks: lower::Blocks,
    scratch: &mut Scratch,
) -> bool {
    let (u, v) = (bits::significant(u), bits::significant(v));
    let k = u.len() + 1 - v.len();
    let dropped = v.len().saturating_sub(k + GUARD);
    let v = &v[dropped..];
    if lower::is_power_of_base(v) {
        return false;
    }
    // One word of zeros, or of what is dropped, below.
    let mut dividend = vec![0; u.len() + 1];
    dividend[1..].copy_from_slice(u);
    let mut digits = vec![0; k + 1];
    let mut inverse = if scratch.divisor == v { mem::take(&mut scratch.inverse) } else { vec![] };
    lower::estimate(&mut digits, &dividend[dropped..], v, blocks, &mut inverse, scratch);
    v.clone_into(&mut scratch.divisor);
    scratch.inverse = inverse;
    if matches!(digits[0], 0 | u64::MAX) {
        return false;
    }
    digits.remove(0);
    unpack(quotient, digits);
    true
}
