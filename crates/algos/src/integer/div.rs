//! Division with remainder, of any lengths: quotients rounded down, remainders below the divisor.
//!
//! | rung | quotient and divisor (64-bit limbs) | cost |
//! | --- | --- | --- |
//! | [`limbforge_limb::slice::div`], schoolbook | up to 40 | n^2 limb products, n dependent steps |
//! | the same, divide and conquer | up to 288 | two products of the length per level |
//! | halves | above, if the divisor is new and not much shorter | one product modulo `B^N - 1` per level |
//! | [`lower`] | others | an inverse of a block of the quotient by Newton steps, then two products per block |
//! | [`watt`] | none: the named reference | Watt's shifted inverse with a correction to both sides |
//!
//! [`quotient`](mod@quotient) leaves out lower limbs of the divisor where the remainder is not wanted.
//! [`div_rem`] chooses the rung and repacks other limbs to 64-bit words first; the rungs themselves run on
//! any limb and with any [`Products`](super::Products). [`block::div`](mod@crate::block::div) has `lower` and
//! `watt` as the threads of a block compute them; `docs/div.md` proves each exact.

use core::mem;

use limbforge_limb::slice::{bits, cmp, div, div::LimbDivisor, div::recursive, words};
use limbforge_limb::{Base, DivisionByZero};

use super::Scratch;
use crate::{invariant::broken_invariant, transform::mul_ntt};

pub(super) mod halves;
pub mod known;
mod long;
pub mod lower;
pub(super) mod normalised;
pub mod quotient;
pub mod watt;

/// `quotient = floor(dividend / divisor)`, `remainder = dividend mod divisor`. The operands may have any
/// lengths, so that a dividend of 2M limbs by a divisor of M is one call too.
///
/// ```
/// use limbforge_algos::integer::{Scratch, div::div_rem};
/// let (mut quotient, mut remainder) = ([0; 3], [0; 2]);
/// div_rem(&mut quotient, &mut remainder, &[1_u64, 0, 1], &[2, 1], &mut Scratch::default())?;
/// // 2^128 + 1 = (2^64 - 2) (2^64 + 2) + 5
/// assert_eq!((quotient, remainder), ([u64::MAX - 1, 0, 0], [5, 0]));
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
///
/// # Errors
/// [`DivisionByZero`] if the divisor is zero; the results are then untouched.
///
/// # Panics
/// Unless `quotient` has the dividend's length and `remainder` the divisor's.
pub fn div_rem<B: Base>(
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
    // The choice itself would cost more than a short division.
    if words::words_for::<B>(dividend.len().min(divisor.len())) < LEAST {
        return div::div_rem_with(quotient, remainder, dividend, divisor, &mut scratch.schoolbook);
    }
    let (u, v) = (bits::significant(dividend), bits::significant(divisor));
    if v.is_empty() {
        return Err(DivisionByZero);
    }
    quotient[u.len()..].fill(B::ZERO);
    remainder[v.len()..].fill(B::ZERO);
    let (quotient, remainder) = (&mut quotient[..u.len()], &mut remainder[..v.len()]);
    let (m, n) = (words::words_for::<B>(u.len()), words::words_for::<B>(v.len()));
    let plan = choose(m, n);
    if plan.is_none() && !is_in_halves(m, n) {
        return div::div_rem_with(quotient, remainder, u, v, &mut scratch.schoolbook);
    }
    let mut packed = mem::take(&mut scratch.division);
    packed.resize(packed.len().max(2 * (m + n)), 0);
    let (u_words, room) = packed.split_at_mut(m);
    let (v_words, room) = room.split_at_mut(n);
    let (q_words, room) = room.split_at_mut(m);
    let r_words = &mut room[..n];
    words::pack(u_words, u);
    words::pack(v_words, v);
    // A wide limb may have zero words at its top.
    let v_words = bits::significant(v_words);
    r_words[v_words.len()..].fill(0);
    long::div_rem(q_words, &mut r_words[..v_words.len()], u_words, v_words, plan, scratch);
    words::unpack(quotient, q_words);
    words::unpack(remainder, r_words);
    scratch.division = packed;
    Ok(())
}

/// Quotient and remainder by a divisor that is not zero.
pub(crate) fn divide<B: Base>(dividend: &[B], divisor: &[B], scratch: &mut Scratch) -> (Vec<B>, Vec<B>) {
    let (mut quotient, mut rest) = (vec![B::ZERO; dividend.len()], vec![B::ZERO; divisor.len()]);
    div_rem(&mut quotient, &mut rest, dividend, divisor, scratch)
        .unwrap_or_else(|_| broken_invariant("the divisor is not zero"));
    (quotient, rest)
}

/// Whether a quotient of m by n words is long enough for [`halves`], and the divisor not much shorter.
fn is_in_halves(m: usize, n: usize) -> bool {
    let limbs = (m + 1).saturating_sub(n);
    limbs >= halves::from() && limbs <= n + MOST_ZEROS
}

/// Whether `dividend` is a multiple of `divisor`; the only multiple of 0 is 0.
#[must_use]
pub fn is_multiple<B: Base>(dividend: &[B], divisor: &[B], scratch: &mut Scratch) -> bool {
    let divisor = bits::significant(divisor);
    if let [divisor] = *divisor {
        return LimbDivisor::new(divisor).is_ok_and(|divisor| divisor.rem(dividend) == B::ZERO);
    }
    // A divisor has at most as many zero bits at its end as its multiples.
    if bits::trailing_zeros(dividend) < bits::trailing_zeros(divisor) {
        return false;
    }
    match divisor {
        [] => cmp::is_zero(dividend),
        _ => cmp::is_zero(&divide(dividend, divisor, scratch).1),
    }
}

/// Time of a product of two words in the schoolbook division, in nanoseconds on one core with AVX-512. Only
/// the ratios of these times matter.
const SCHOOLBOOK: f64 = 0.55;
/// The time of divide and conquer grows by this power of the length, as Karatsuba's product.
const RECURSION: f64 = 1.78;
/// Time for each word of the factors of a product by transforms.
const PRODUCT: f64 = 23.0;
/// Time for each word of an inverse.
const INVERSE: f64 = 105.0;

/// Precision of the inverse that Newton's steps start from, in words. Measured: 8 to 32 make no difference.
const SEED: usize = 16;

/// More blocks beyond the fewest are never faster.
const MOST_BLOCKS: usize = 4;

/// A divisor is extended by so many zero words below to have those of the quotient.
const MOST_ZEROS: usize = 8;

/// Fewer words of quotient or divisor always take the schoolbook division, without the cost of a choice.
const LEAST: usize = 64;

/// Quotients alone, or divisors, of fewer words take the division of `limbforge_limb`. Measured.
const QUOTIENT_LEAST: usize = 700;

/// The blocks of [`lower`] for a dividend of m words and a divisor of n; `None` for the schoolbook division.
fn choose(m: usize, n: usize) -> Option<lower::Blocks> {
    let limbs = (m + 1).saturating_sub(n);
    if limbs.min(n) < LEAST || !mul_ntt::is_fast() {
        return None;
    }
    let time = |count: usize| {
        let block = limbs.div_ceil(count) as f64;
        // The quotient of a block from its upper words, and its product with the divisor.
        INVERSE * block + count as f64 * PRODUCT * (3.0 * block + n as f64)
    };
    // An inverse is at most as long as the divisor.
    let fewest = limbs.div_ceil(n);
    let count = (fewest..=fewest + MOST_BLOCKS).min_by(|&a, &b| time(a).total_cmp(&time(b)))?;
    (time(count) < time_on_words(limbs as f64, n as f64))
        .then(|| lower::Blocks { limbs: limbs.div_ceil(count), seed: SEED })
}

/// The blocks for a quotient alone, as [`choose`].
fn choose_quotient(m: usize, n: usize) -> Option<lower::Blocks> {
    let limbs = (m + 1).saturating_sub(n);
    // A quotient much longer than its divisor has blocks with remainders.
    let is_long = limbs.min(n) >= QUOTIENT_LEAST || limbs > 2 * n && choose(m, n).is_some();
    if !is_long || !mul_ntt::is_fast() {
        return None;
    }
    let kept = n.min(limbs);
    let count = limbs.div_ceil(kept).max(2);
    Some(lower::Blocks { limbs: (limbs + 1).div_ceil(count), seed: SEED })
}

/// Time of the division by [`limbforge_limb::slice::div`] of a quotient of m words by n.
fn time_on_words(m: f64, n: f64) -> f64 {
    let (shorter, longer, rows) = (m.min(n), m.max(n), recursive::THRESHOLD as f64);
    if shorter < rows {
        return SCHOOLBOOK * m * n;
    }
    let square = SCHOOLBOOK * rows * rows * (shorter / rows).powf(RECURSION);
    // Blocks of a long quotient are divisions; the low words of a long divisor take products, of half the time.
    let others = longer / shorter - 1.0;
    square * (1.0 + if m > n { others } else { 0.5 * others })
}
