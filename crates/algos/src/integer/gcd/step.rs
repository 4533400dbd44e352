//! One step towards the greatest common divisor, for numbers of two words or more: many quotients by
//! [`lehmer`](super::lehmer), or else one by division.

use core::cmp::Ordering;

use limbforge_limb::slice::{add, bits, sub};

use super::cofactors::Track;
use super::lehmer::{longer, prefix_matrix, prefixes, reduce, unshifted_prefix};
use crate::integer::packed::compare;
use crate::integer::{Scratch, div::divide};

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

/// A step on numbers of one length n, of which one has a top word that is not zero. For `n > floor` both
/// remain longer than `floor` words if they were.
pub(in crate::integer) fn step<T: Track>(
    a: &mut [u64],
    b: &mut [u64],
    floor: usize,
    track: &mut T,
    scratch: &mut Scratch,
) -> Step {
    let n = a.len();
    let matrix = if n > floor + 1 {
        let (a, b) = prefixes(a, b);
        prefix_matrix(a, b)
    } else {
        // Unshifted, remainders of the prefixes stay at or above 1.5 B: n words.
        prefix_matrix(unshifted_prefix(a), unshifted_prefix(b))
    };
    let Some(matrix) = matrix else { return divide_step(a, b, floor, track, scratch) };
    track.reduced(&matrix);
    Step::Reduced(reduce(a, b, &matrix))
}

/// One subtraction, and one division of the larger number by the smaller one. The quotient is reduced by one
/// if the remainder is not longer than the floor.
fn divide_step<T: Track>(
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
    let (mut quotient, rest) = divide(bits::significant(large), bits::significant(small), scratch);
    large.fill(0);
    large[..rest.len()].copy_from_slice(&rest);
    if bits::significant(&rest).len() <= floor {
        if floor == 0 {
            return found(1 - larger);
        }
        add::add_assign(large, small, false);
        sub::decrement(&mut quotient, true);
    }
    track.divided(larger, bits::significant(&quotient), scratch);
    Step::Reduced(longer(a, b))
}
