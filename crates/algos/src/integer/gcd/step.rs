//! One step towards the greatest common divisor, for numbers of two words or more: many quotients by
//! [`lehmer`](super::lehmer), or else one by division.

use core::cmp::Ordering;
use core::mem;

use limbforge_limb::slice::{add, bits, sub};

use super::lehmer::{longer, prefix_matrix, prefixes, reduce, unshifted_prefix, word_matrix};
use super::track::Track;
use crate::integer::packed::compare;
use crate::integer::{Scratch, div::div_rem};
use crate::invariant::broken_invariant;

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::integer) enum Step {
    /// The longer number has so many words now.
    Reduced(usize),
    /// No further step keeps both numbers longer than the floor; nothing was changed. For the floor 0 the
    /// greatest common divisor was found.
    Last(Found),
}

/// Which number is the greatest common divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::integer) enum Found {
    First,
    Second,
    /// The numbers are equal.
    Both,
}

/// Half of the steps of two words remove at least so many bits.
const FEW_BITS: u32 = 28;

/// A step on numbers of one length n, of which one has a top word that is not zero. For `n > floor` both
/// remain longer than `floor` words if they were.
pub(in crate::integer) fn step<T: Track>(
    a: &mut [u64],
    b: &mut [u64],
    floor: usize,
    track: &mut T,
    scratch: &mut Scratch,
) -> Step {
    match lehmer_step(a, b, floor, track) {
        Some(len) => Step::Reduced(len),
        None => divide_step(a, b, floor, track, scratch),
    }
}

/// [`step`] if the top words determine one: returns the words of the longer number.
pub(super) fn lehmer_step<T: Track>(
    a: &mut [u64],
    b: &mut [u64],
    floor: usize,
    track: &mut T,
) -> Option<usize> {
    let ends = T::IS_EMPTY && matches!((&*a, &*b), ([_, _, x], [_, _, y]) if (x | y) >> FEW_BITS == 0);
    let matrix = if a.len() > floor + 1 {
        let (a, b) = prefixes(a, b);
        // Half of the steps lead to two words, which take less time.
        if ends { word_matrix(a, b) } else { prefix_matrix(a, b) }
    } else {
        // Unshifted, remainders of the prefixes stay at or above 1.5 B: n words.
        prefix_matrix(unshifted_prefix(a), unshifted_prefix(b))
    }?;
    track.reduced(&matrix);
    Some(reduce(a, b, &matrix))
}

/// One subtraction, except for numbers of different lengths without a floor, and one division of the larger number by
/// the smaller one. The quotient is reduced by one if the remainder is not longer than the floor.
pub(super) fn divide_step<T: Track>(
    a: &mut [u64],
    b: &mut [u64],
    floor: usize,
    track: &mut T,
    scratch: &mut Scratch,
) -> Step {
    let order = compare(bits::significant(a), bits::significant(b));
    // The larger number, which is reduced: 0 is a, 1 is b.
    let mut larger = usize::from(order == Ordering::Less);
    let (mut large, mut small) = if larger == 0 { (&mut *a, &mut *b) } else { (&mut *b, &mut *a) };
    let found = |index: usize| Step::Last(if index == 0 { Found::First } else { Found::Second });
    if order == Ordering::Equal {
        return Step::Last(Found::Both);
    }
    if bits::significant(small).len() <= floor {
        return found(larger);
    }
    // A quotient of 1 needs no division, and one of numbers of different lengths is hardly ever 1.
    if floor > 0 || bits::significant(large).len() == bits::significant(small).len() {
        sub::sub_assign(large, small, false);
        if bits::significant(large).len() <= floor {
            add::add_assign(large, small, false);
            return found(larger);
        }
        match compare(bits::significant(large), bits::significant(small)) {
            Ordering::Equal if floor == 0 => return found(1 - larger),
            Ordering::Equal => {
                track.divided(larger, &[1], scratch);
                return Step::Reduced(longer(a, b));
            }
            Ordering::Less => {
                track.divided(larger, &[1], scratch);
                (large, small) = (small, large);
                larger = 1 - larger;
            }
            Ordering::Greater => track.divided(larger, &[1], scratch),
        }
    }
    let mut memory = mem::take(&mut scratch.step);
    let quotient = divide_by(large, small, &mut memory, scratch);
    let is_short = bits::significant(large).len() <= floor;
    let is_last = is_short && floor == 0;
    if !is_last {
        if is_short {
            add::add_assign(large, small, false);
            sub::decrement(quotient, true);
        }
        track.divided(larger, bits::significant(quotient), scratch);
    }
    scratch.step = memory;
    if is_last { found(1 - larger) } else { Step::Reduced(longer(a, b)) }
}

/// `large = large mod small`; returns the quotient.
fn divide_by<'m>(
    large: &mut [u64],
    small: &[u64],
    [quotient, rest]: &'m mut [Vec<u64>; 2],
    scratch: &mut Scratch,
) -> &'m mut [u64] {
    let (dividend, divisor) = (bits::significant(large), bits::significant(small));
    quotient.resize(dividend.len(), 0);
    rest.resize(divisor.len(), 0);
    div_rem(quotient, rest, dividend, divisor, scratch)
        .unwrap_or_else(|_| broken_invariant("the smaller number is not zero"));
    let (low, high) = large.split_at_mut(rest.len());
    low.copy_from_slice(rest);
    high.fill(0);
    quotient
}
