//! Steps of numbers that differ in length, with a record of their quotients.

use core::mem;

use limbforge_limb::slice::{add, bits};

use super::Ended;
use super::multiple::{FAR, LONG, subtract_multiple};
use super::step::{Found, Step, divide_step};
use super::track::{Shortened, Track};
use crate::integer::Scratch;

/// Whether no step by division is due: what follows most of Lehmer's steps.
#[inline(always)]
pub(super) fn are_alike(a: &[u64], b: &[u64]) -> bool {
    let ([_, .., x], [_, .., y]) = (a, b) else { return false };
    *x > 0 && *y > 0 && x.leading_zeros().abs_diff(y.leading_zeros()) < FAR
}

/// Takes steps by division as long as a number is much longer than the other one, and one more if `divides`.
pub(super) fn shorten<T: Track>(
    a: &mut [u64],
    b: &mut [u64],
    mut divides: bool,
    track: &mut T,
    scratch: &mut Scratch,
) -> Shortened {
    loop {
        let (m, n) = (bits::significant(a).len(), bits::significant(b).len());
        if m.max(n) < 2 {
            let word = |x: &[u64]| x.first().copied().unwrap_or_default();
            return Shortened::Ended(Ended::Words(word(a), word(b)));
        }
        let larger = usize::from((m, a[..m].last()) < (n, b[..n].last()));
        let (mut long, mut less, mut m, mut n) = (&mut *a, &mut *b, m, n);
        if larger == 1 {
            mem::swap(&mut long, &mut less);
            mem::swap(&mut m, &mut n);
        }
        let [x, y] = [long[m - 1], less[..n].last().copied().unwrap_or_default()];
        let above = (m - n) as u32 * u64::BITS + y.leading_zeros();
        if above < x.leading_zeros() + FAR && !divides {
            return Shortened::Alike(m);
        }
        if n < 2 || above >= x.leading_zeros() + LONG || (m, x) == (n, y) {
            if let Step::Last(found) = divide_step(&mut a[..m], &mut b[..m], 0, track, scratch) {
                return Shortened::Ended(Ended::Found(found));
            }
        } else {
            let (long, less) = (&mut long[..m], &less[..n]);
            let (mut quotient, is_negative) = subtract_multiple(long, less);
            if is_negative {
                add::add_assign(long, less, false);
                quotient -= 1;
            }
            if bits::significant(long).is_empty() {
                // The last quotient is not recorded.
                let found = if larger == 0 { Found::Second } else { Found::First };
                return Shortened::Ended(Ended::Found(found));
            }
            track.divided(larger, &[quotient], scratch);
        }
        divides = false;
    }
}
