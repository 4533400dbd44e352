//! Quotients alone. Of the divisor as many limbs matter as the quotient has, and one more; of these, each digit
//! of the quotient needs fewer (`approximate`). The quotient is then at most one too large, and rarely
//! uncertain, unless the division is exact: then a product decides.
//!
//! Let n limbs of the divisor be kept, and y be those below. With k digits, and perhaps a 1 above, `q y` is below
//! `2 B^k`. So what is left of the dividend is too large by less than `(k + 2) B^(n-1)`.

use core::cmp::Ordering;

use super::high;
use super::recursive::{self, Division, Thresholds};
use crate::base::Base;
use crate::slice::mul::unbalanced;
use crate::slice::{bits, cmp, shift, sub};

/// Fewest limbs of a divisor.
pub const MIN_LEN: usize = 2;

/// A divisor is extended by so many zeros below to be longer than the quotient.
const MOST_ZEROS: usize = 8;

/// Limbs of scratch for a dividend of m limbs and a divisor of n.
#[must_use]
#[inline]
pub const fn scratch_len(m: usize, n: usize) -> usize {
    let k = m - n + 1;
    let shorter = if n < k { n } else { k };
    // Divisor, dividend, and the products of blocks, of the upper half of a short quotient, or of all of it.
    let blocks = recursive::room(n + MOST_ZEROS, shorter);
    let short = shorter + MOST_ZEROS + high::room(shorter / 2 + MOST_ZEROS);
    let all = recursive::room(m + 1, shorter);
    let most = if short > blocks { short } else { blocks };
    n + MOST_ZEROS + (m + 1 + MOST_ZEROS) + if all > most { all } else { most }
}

/// `quotient = floor(dividend / divisor)` for a divisor of `n >= MIN_LEN` limbs, the top one not zero, and a
/// dividend of `m >= n`. `quotient` has m limbs or more, `scratch` [`scratch_len`].
///
/// # Panics
/// If the lengths are others, or `2 (m - n + 3) > B`.
pub fn quotient<B: Base>(
    quotient: &mut [B],
    dividend: &[B],
    divisor: &[B],
    thresholds: Thresholds,
    scratch: &mut [B],
) {
    let (m, n) = (dividend.len(), divisor.len());
    assert!(B::BITS > usize::BITS || (m - n + 2) >> (B::BITS - 1) == 0, "so many digits are not certain");
    let bits = divisor[n - 1].leading_zeros();
    let overflow = shift::join(B::ZERO, dividend[m - 1], bits);
    // A top digit of 0 or 1 is found by a comparison.
    let is_less = cmp::cmp(&dividend[m - n..], divisor) == Ordering::Less;
    let is_one = !is_less && overflow == B::ZERO;
    let k = m - n + usize::from(!is_less && !is_one);
    let (digits, above) = quotient.split_at_mut(k);
    bits::clear(above);
    if is_one {
        above[0] = B::ONE;
    }
    if k == 0 {
        return;
    }
    let lengths = Lengths::new(k, n);
    let (shifted, room) = scratch.split_at_mut(lengths.kept);
    let (rest, room) = room.split_at_mut(lengths.rest());
    lengths.shift(shifted, divisor, 0, bits);
    let limbs = rest.len() - usize::from(k > m - n);
    lengths.shift(&mut rest[..limbs], dividend, lengths.short as isize - 1, bits);
    if let Some(top) = rest.get_mut(limbs) {
        *top = overflow;
    }
    if is_one {
        let upper = limbs - lengths.kept;
        sub::sub_assign(&mut rest[upper..], shifted, false);
    }
    let mut division = Division::new(shifted, thresholds, room);
    let (low, high) = digits.split_at_mut(lengths.short);
    division.blocks(high, &mut rest[1..], shifted);
    let is_left = division.approximate(low, &mut rest[..=lengths.kept], shifted);
    let is_certain = is_left && rest[1] >= B::from_word(k as u64 + 2);
    if !is_certain && exceeds(bits::significant(&quotient[..=m - n]), dividend, divisor, division.room) {
        sub::decrement(quotient, true);
    }
}

/// Whether `quotient * divisor > dividend`.
#[cold]
fn exceeds<B: Base>(quotient: &[B], dividend: &[B], divisor: &[B], room: &mut [B]) -> bool {
    let (product, room) = room.split_at_mut(quotient.len() + divisor.len());
    unbalanced::wide(product, quotient, divisor, room);
    let product = bits::significant(product);
    product.len() > dividend.len()
        || product.len() == dividend.len() && cmp::cmp(product, dividend) == Ordering::Greater
}

/// The limbs of the divisor that matter, and the digits by them.
#[derive(Clone, Copy, Debug)]
struct Lengths {
    /// Limbs of the divisor, with zeros below or without its lowest ones.
    kept: usize,
    zeros: usize,
    dropped: usize,
    /// Digits that need fewer limbs, one less than are kept, and those above.
    short: usize,
    full: usize,
}

impl Lengths {
    /// For k digits by a divisor of n limbs.
    #[inline(always)]
    const fn new(k: usize, n: usize) -> Self {
        let zeros = (k + 1).saturating_sub(n);
        let zeros = if zeros > MOST_ZEROS { 0 } else { zeros };
        let kept = if n + zeros < k + 1 { n } else { k + 1 };
        let dropped = (n + zeros) - kept;
        Self { kept, zeros, dropped, short: kept - 1, full: k + 1 - kept }
    }

    const fn rest(self) -> usize {
        self.full + self.kept + 1
    }

    /// The limbs of `a 2^bits` from limb `start` of the kept ones on.
    #[inline(always)]
    fn shift<B: Base>(self, out: &mut [B], a: &[B], start: isize, bits: u32) {
        let from = start + self.dropped as isize - self.zeros as isize;
        let (zeros, shifted) = out.split_at_mut((-from).max(0) as usize);
        bits::clear(zeros);
        let from = from.max(0) as usize;
        let len = shifted.len();
        shift::shl_bits(shifted, &a[from..from + len], bits);
        if from > 0 {
            shifted[0] = shifted[0] | shift::join(B::ZERO, a[from - 1], bits);
        }
    }
}
