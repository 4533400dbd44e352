//! Karatsuba's full product (Karatsuba and Ofman 1962; TAOCP 2, 4.3.3), in the subtractive form.
//!
//! With `a = a1 * X + a0`, `b = b1 * X + b0`, `X = B^l`, `l = ceil(M / 2)`:
//! `a1 b0 + a0 b1 = a0 b0 + a1 b1 - (a0 - a1)(b0 - b1)`, so three products of l limbs replace four. The
//! differences are taken as absolute values with a sign, so that nothing overflows l limbs.

use core::cmp::Ordering;
use core::hint::select_unpredictable;

use super::{Factors, karatsuba_or_schoolbook};
use crate::base::Base;
use crate::slice::{cmp, sub};

mod middle;

/// Shortest factors that can be split: the middle term, `2l` limbs at offset `l`, ends within the product if
/// `3 * ceil(M / 2) <= 2 * M`, which holds for `M >= 2`.
pub const MIN_LEN: usize = 2;
/// Karatsuba's product is faster than the schoolbook product from this many 64-bit limbs on.
pub const THRESHOLD: usize = 30;
/// [`THRESHOLD`] for squares, whose schoolbook form is cheaper.
pub const THRESHOLD_SQUARE: usize = 48;

const _: () = assert!(THRESHOLD >= MIN_LEN && THRESHOLD_SQUARE >= MIN_LEN);

/// Limbs of scratch for factors of `len` limbs: a middle term of `2 * ceil(len / 2)` limbs on each level.
#[must_use]
pub const fn scratch_len(len: usize) -> usize {
    let half = len.div_ceil(2);
    if len < MIN_LEN { 0 } else { 2 * half + scratch_len(half) }
}

/// `out = product`, `2M` limbs from factors of `M >= MIN_LEN`, with `scratch_len(M)` limbs of scratch.
pub fn wide<B: Base>(out: &mut [B], factors: Factors<'_, B>, scratch: &mut [B]) {
    let len = factors.len().div_ceil(2);
    let (low, high) = factors.split_at(len);
    let (cross, scratch) = scratch.split_at_mut(2 * len);

    // The differences use the room of the product until the half products are written.
    let (differences, negative) = subtract_halves(&mut out[..2 * len], low, high);
    karatsuba_or_schoolbook(cross, differences, scratch);

    let (out_low, out_high) = out.split_at_mut(2 * len);
    karatsuba_or_schoolbook(out_low, low, scratch);
    karatsuba_or_schoolbook(out_high, high, scratch);

    middle::add(out, cross, negative);
}

/// `|a0 - a1|` and `|b0 - b1|` in `room`, and whether `(a0 - a1)(b0 - b1)` is negative.
fn subtract_halves<'r, B: Base>(
    room: &'r mut [B],
    low: Factors<'_, B>,
    high: Factors<'_, B>,
) -> (Factors<'r, B>, bool) {
    let (a, b) = room.split_at_mut(room.len() / 2);
    match (low, high) {
        (Factors::Pair(a0, b0), Factors::Pair(a1, b1)) => {
            let negative = absolute_difference(a, a0, a1) != absolute_difference(b, b0, b1);
            (Factors::Pair(a, b), negative)
        }
        (Factors::Square(a0) | Factors::Pair(a0, _), Factors::Square(a1) | Factors::Pair(a1, _)) => {
            absolute_difference(a, a0, a1);
            (Factors::Square(a), false)
        }
    }
}

/// `out = |low - high|`, where `high` may be one limb shorter; returns whether the difference is negative.
fn absolute_difference<B: Base>(out: &mut [B], low: &[B], high: &[B]) -> bool {
    let (common, above) = low.split_at(high.len());
    let negative = cmp::is_zero(above) && cmp::cmp(common, high) == Ordering::Less;
    let (out_common, out_above) = out.split_at_mut(high.len());
    // Half of the differences are negative: a branch would be mispredicted as often.
    let (more, less) = select_unpredictable(negative, (high, common), (common, high));
    let borrow = sub::sub(out_common, more, less, false);
    out_above.copy_from_slice(above);
    sub::decrement(out_above, borrow);
    negative
}
