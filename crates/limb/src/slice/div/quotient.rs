//! Quotients alone. Of the divisor as many limbs matter as the quotient has, and one more; of these, each digit
//! of the quotient needs fewer (`approximate`). The quotient is then at most one too large, and rarely
//! uncertain, unless the division is exact: then a product decides.
//!
//! Let n limbs of the divisor be kept, and y be those below. With k digits, and perhaps a 1 above, `q y` is below
//! `2 B^k`. So what is left of the dividend is too large by less than `(k + 2) B^(n-1)`.

use core::cmp::Ordering;

use super::digits;
use super::high;
use super::inverse::Inverse;
use super::recursive::{self, Division, Thresholds};
use crate::base::Base;
use crate::invariant::broken_invariant;
use crate::slice::mul::unbalanced;
use crate::slice::{add, bits, cmp, shift, sub};

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

/// What a quotient takes of its divisor first: the bits by which it is shifted, and the inverse of its top limbs. A
/// quotient waits for it; those of several divisors, one after the other, do not wait for each other.
#[derive(Clone, Copy, Debug)]
pub struct Prepared<B> {
    pub(super) bits: u32,
    pub(super) inverse: Inverse<B>,
}

impl<B: Base> Prepared<B> {
    /// Of a divisor of [`MIN_LEN`] limbs or more, the top one not zero.
    ///
    /// # Panics
    /// If the divisor is shorter.
    #[must_use]
    #[inline(always)]
    pub fn new(divisor: &[B]) -> Self {
        let (below, top) = match *divisor {
            [.., below, low, high] => (below, [low, high]),
            [low, high] => (B::ZERO, [low, high]),
            _ => broken_invariant("the divisor has two limbs"),
        };
        let bits = top[1].leading_zeros();
        let top = [shift::join(top[0], below, bits), shift::join(top[1], top[0], bits)];
        Self { bits, inverse: Inverse::new(&top) }
    }
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
    by_prepared(quotient, dividend, divisor, Prepared::new(divisor), thresholds, scratch);
}

/// As [`quotient`], by what was prepared for the divisor.
pub(super) fn by_prepared<B: Base>(
    quotient: &mut [B],
    dividend: &[B],
    divisor: &[B],
    Prepared { bits, inverse }: Prepared<B>,
    thresholds: Thresholds,
    scratch: &mut [B],
) {
    let (m, n) = (dividend.len(), divisor.len());
    assert!(B::BITS > usize::BITS || (m - n + 2) >> (B::BITS - 1) == 0, "so many digits are not certain");
    let overflow = shift::join(B::ZERO, dividend[m - 1], bits);
    // A top digit of 0 or 1 is found by a comparison.
    let is_less = cmp::cmp(&dividend[m - n..], divisor) == Ordering::Less;
    let is_one = !is_less && overflow == B::ZERO;
    let k = m - n + usize::from(!is_less && !is_one);
    let (found, above) = quotient.split_at_mut(k);
    bits::clear(above);
    if is_one {
        above[0] = B::ONE;
    }
    if k == 0 {
        return;
    }
    let lengths = Lengths::new(k, n);
    let (shifted, room) = scratch.split_at_mut(lengths.kept);
    let (rest, room) = room.split_at_mut(k + 2);
    upper_limbs(shifted, divisor, bits, |limb| limb);
    let (limbs, top) = rest.split_at_mut(m - n + 2);
    let mut division = Division::by_inverse(inverse, thresholds, room);
    let left = if lengths.full == 0 && k < division.thresholds.short {
        // As complements, of which a difference is a sum.
        upper_limbs(limbs, dividend, bits, |limb| !limb);
        top.fill(!overflow);
        if is_one {
            add::add_assign(&mut rest[1..], shifted, false);
        }
        digits::of_complement(found, rest, shifted, inverse).map(|(high, _)| high)
    } else {
        upper_limbs(limbs, dividend, bits, |limb| limb);
        top.fill(overflow);
        if is_one {
            sub::sub_assign(&mut rest[k + 2 - lengths.kept..], shifted, false);
        }
        let (low, high) = found.split_at_mut(lengths.short);
        division.blocks(high, &mut rest[1..], shifted);
        division.approximate(low, &mut rest[..=lengths.kept], shifted).then(|| rest[1])
    };
    let is_certain = left.is_some_and(|left| left >= B::from_word(k as u64 + 2));
    if !is_certain && exceeds(bits::significant(&quotient[..=m - n]), dividend, divisor, division.room) {
        sub::decrement(quotient, true);
    }
}

/// The upper limbs of `a 2^bits` without the one above, or all and zeros below, each changed by `of`.
#[inline(always)]
fn upper_limbs<B: Base>(out: &mut [B], a: &[B], bits: u32, of: impl Fn(B) -> B) {
    let (zeros, out) = out.split_at_mut(out.len().saturating_sub(a.len()));
    bits::clear(zeros);
    let (below, a) = a.split_at(a.len() - out.len());
    let below = below.last().copied().unwrap_or(B::ZERO);
    if let (Some((lowest, out)), Some(&limb)) = (out.split_first_mut(), a.first()) {
        *lowest = of(shift::join(limb, below, bits));
        for (out, pair) in out.iter_mut().zip(a.windows(2)) {
            *out = of(shift::join(pair[1], pair[0], bits));
        }
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
    /// Digits that need fewer limbs, one less than are kept, and those above.
    short: usize,
    full: usize,
}

impl Lengths {
    /// For k digits by a divisor of n limbs.
    #[inline(always)]
    const fn new(k: usize, n: usize) -> Self {
        let kept = if n + MOST_ZEROS < k + 1 { n } else { k + 1 };
        Self { kept, short: kept - 1, full: k + 1 - kept }
    }
}
