//! Division with remainder, of any lengths: quotients rounded down, remainders below the divisor.
//!
//! | rung | quotient and divisor (64-bit limbs) | cost |
//! | --- | --- | --- |
//! | [`limbforge_limb::slice::div`], schoolbook | up to about 150 | n^2 limb products, n dependent steps |
//! | [`lower`] | above | an inverse of a block of the quotient by Newton steps, then two products per block |
//! | [`watt`] | none: the named reference | Watt's shifted inverse with a correction to both sides |
//!
//! [`div_rem`] chooses the rung and repacks other limbs to 64-bit words first; the rungs themselves run on
//! any limb and with any [`Products`]. [`block::div`](mod@crate::block::div) has `lower` and `watt` as the
//! threads of a block compute them; `docs/div.md` says why each is exact.

use limbforge_limb::slice::div::{self, LimbDivisor};
use limbforge_limb::slice::{bits, cmp, words};
use limbforge_limb::{Base, DivisionByZero};

mod choice;
pub mod known;
pub mod lower;
mod products;
pub mod watt;

pub use products::{Products, Schoolbook, Words};

/// Why an exact division has no quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DivExactError {
    /// The divisor is zero.
    #[error(transparent)]
    Zero(#[from] DivisionByZero),
    /// A remainder is left.
    #[error("the divisor does not divide the dividend: expected a multiple of it")]
    Remainder,
}

/// Memory that divisions work in. It grows to what the largest division needed and is reused; one per thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    ladder: div::Scratch,
    products: Words,
    words: Vec<u64>,
    /// The last divisor that was inverted, and its inverse: a divisor for many dividends is inverted once.
    divisor: Vec<u64>,
    inverse: Vec<u64>,
}

impl Scratch {
    /// An empty scratch; the first division allocates.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// `quotient = floor(dividend / divisor)`, `remainder = dividend mod divisor`. The operands may have any
/// lengths, so that a dividend of 2M limbs by a divisor of M is one call too.
///
/// ```
/// use limbforge_algos::integer::div::{Scratch, div_rem};
/// let (mut quotient, mut remainder) = ([0; 3], [0; 2]);
/// div_rem(&mut quotient, &mut remainder, &[1_u64, 0, 1], &[2, 1], &mut Scratch::new())?;
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
    // Short ones are not worth a look.
    if !choice::is_long(words::words_for::<B>(dividend.len().min(divisor.len()))) {
        return div::div_rem_with(quotient, remainder, dividend, divisor, &mut scratch.ladder);
    }
    let (u, v) = (bits::significant(dividend), bits::significant(divisor));
    if v.is_empty() {
        return Err(DivisionByZero);
    }
    let (quotient, above) = quotient.split_at_mut(u.len());
    above.fill(B::ZERO);
    let (remainder, above) = remainder.split_at_mut(v.len());
    above.fill(B::ZERO);
    let (m, n) = (words::words_for::<B>(u.len()), words::words_for::<B>(v.len()));
    let Some(plan) = choice::choose(m, n) else {
        return div::div_rem_with(quotient, remainder, u, v, &mut scratch.ladder);
    };
    let Scratch { words: room, products, divisor: last, inverse, .. } = scratch;
    room.resize(room.len().max(2 * (m + n)), 0);
    let (u_words, room) = room.split_at_mut(m);
    let (v_words, room) = room.split_at_mut(n);
    let (q_words, room) = room.split_at_mut(m);
    let r_words = &mut room[..n];
    words::pack(u_words, u);
    words::pack(v_words, v);
    // A wide limb may have zero words at its top.
    let v_words = bits::significant(v_words);
    r_words[v_words.len()..].fill(0);
    if *last != v_words {
        inverse.clear();
        v_words.clone_into(last);
    }
    lower::div_rem_with(q_words, &mut r_words[..v_words.len()], u_words, v_words, plan, inverse, products);
    words::unpack(quotient, q_words);
    words::unpack(remainder, r_words);
    Ok(())
}

/// `quotient = dividend / divisor`, which must leave no remainder.
///
/// # Errors
/// [`DivExactError`] if the divisor is zero, with `quotient` untouched, or a remainder is left, with the
/// quotient rounded down.
///
/// # Panics
/// Unless `quotient` has the dividend's length.
pub fn div_exact<B: Base>(
    quotient: &mut [B],
    dividend: &[B],
    divisor: &[B],
    scratch: &mut Scratch,
) -> Result<(), DivExactError> {
    let mut remainder = vec![B::ZERO; divisor.len()];
    div_rem(quotient, &mut remainder, dividend, divisor, scratch)?;
    if cmp::is_zero(&remainder) { Ok(()) } else { Err(DivExactError::Remainder) }
}

/// Whether `dividend` is a multiple of `divisor`; of 0, only 0 is.
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
    let mut quotient = vec![B::ZERO; dividend.len()];
    match div_exact(&mut quotient, dividend, divisor, scratch) {
        Ok(()) => true,
        Err(DivExactError::Remainder) => false,
        Err(DivExactError::Zero(_)) => cmp::is_zero(dividend),
    }
}
