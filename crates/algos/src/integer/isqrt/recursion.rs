//! Zimmermann's recursion on words of which one of the two top bits is set.
//!
//! Let b be the weight of the lower part of the root, `a = a' b^2 + a1 b + a0`, and (s, r) the root of a' and its
//! remainder. With `(r b + a1) = (2 q + odd) s + rest` and `u = rest + odd s`, the root of a is `s b + q`, or one
//! less if `u b + a0 - q^2`, which it leaves, is negative. q reaches b only for `r = 2 s`: then it is b, and the
//! root has b - 1.

use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{add, cmp, div::normalised, sub};

use super::{base, long};
use crate::integer::{Scratch, div};

/// Words of room for a root of n, and for the recursion below it.
pub(super) const fn room(n: usize) -> usize {
    if n <= 2 { 0 } else { 2 * n + 4 + normalised::room(n) }
}

/// Lower halves of so many words come from an estimate of the quotient.
pub(super) const ESTIMATES: usize = 9;

/// The root of 2n words, in n words. Of its remainder the lower n words take the place of those of a, and the bit
/// above is returned.
pub(super) fn sqrt_rem(root: &mut [u64], a: &mut [u64], room: &mut [u64], scratch: &mut Scratch) -> bool {
    let over;
    match (&mut *root, &mut *a) {
        ([root], [low, high]) => {
            (*root, *low, over) = base::of_two(*low, *high);
            return over;
        }
        ([s0, s1], [a0, a1, a2, a3]) => {
            ([*s0, *s1], [*a0, *a1], over) = base::of_four([*a0, *a1, *a2, *a3]);
            return over;
        }
        _ => {}
    }
    let (n, low) = (root.len(), root.len() / 2);
    if long::is_long_with_remainder(n)
        && let Some(over) = long::sqrt_rem(root, a, room, scratch)
    {
        return over;
    }
    let (lower, upper) = root.split_at_mut(low);
    let Some(top) = upper_root(upper, &mut a[2 * low..], room, scratch) else {
        lower.fill(u64::MAX);
        return rest_of_ones(upper, a, low);
    };
    let over = divide(lower, &mut a[low..low + n], upper, top, room, scratch);
    let square = &mut room[..2 * low];
    scratch.product.wide(square, Factors::Square(lower));
    let borrow = sub::sub_assign(&mut a[..n], square, false);
    let mut above = i8::from(over) - i8::from(borrow);
    if above < 0 {
        // Of s - 1 the remainder is larger by s + (s - 1).
        above += i8::from(add::add_assign(&mut a[..n], root, false));
        sub::decrement(root, true);
        above += i8::from(add::add_assign(&mut a[..n], root, false));
    }
    above != 0
}

/// The root alone. The words of a are overwritten.
pub(super) fn sqrt(root: &mut [u64], a: &mut [u64], room: &mut [u64], scratch: &mut Scratch) {
    match (&mut *root, &*a) {
        ([root], &[low, high]) => {
            *root = base::of_two(low, high).0;
            return;
        }
        (root @ [_, _], &[a0, a1, a2, a3]) => {
            root.copy_from_slice(&base::root_of_four([a0, a1, a2, a3]));
            return;
        }
        _ => {}
    }
    let n = root.len();
    // Where the upper part is longer, a quotient nearly always decides.
    let low = if n / 2 < ESTIMATES { n / 2 } else { (n - 1) / 2 };
    if long::is_long(low) && long::sqrt(root, a, room, scratch) {
        return;
    }
    let (lower, upper) = root.split_at_mut(low);
    let Some(top) = upper_root(upper, &mut a[2 * low..], room, scratch) else {
        return lower.fill(u64::MAX);
    };
    if low >= ESTIMATES && estimate(lower, &a[low..low + n], upper, top, room) {
        return;
    }
    let over = divide(lower, &mut a[low..low + n], upper, top, room, scratch);
    if !over && is_large(lower, &a[..n], room, scratch) {
        sub::decrement(root, true);
    }
}

/// The root s of the upper words, whose remainder r takes their place, less s if it is not below. Returns whether
/// it was not; `None` if r = 2 s.
pub(super) fn upper_root(
    root: &mut [u64],
    a: &mut [u64],
    room: &mut [u64],
    scratch: &mut Scratch,
) -> Option<bool> {
    let over = sqrt_rem(root, a, room, scratch);
    let rest = &mut a[..root.len()];
    if !over && cmp::cmp(rest, root).is_lt() {
        return Some(false);
    }
    sub::sub_assign(rest, root, false);
    cmp::cmp(rest, root).is_lt().then_some(true)
}

/// (q, u) for `rest = r b + a1`, or for `top` of `(r - s) b + a1`. u takes the place of rest; returns the bit above
/// the words of s.
fn divide(
    q: &mut [u64],
    rest: &mut [u64],
    s: &[u64],
    top: bool,
    room: &mut [u64],
    scratch: &mut Scratch,
) -> bool {
    div::normalised::div_rem(q, rest, s, room, scratch);
    halve(q, top) && add::add_assign(&mut rest[..s.len()], s, false)
}

/// Halves a quotient with the bit above; returns the bit that is lost.
pub(super) fn halve(quotient: &mut [u64], top: bool) -> bool {
    let mut above = u64::from(top);
    for word in quotient.iter_mut().rev() {
        (*word, above) = (*word >> 1 | above << 63, *word & 1);
    }
    above == 1
}

/// Whether `u b + a0 < q^2`, for the words of `u b + a0`.
pub(super) fn is_large(q: &[u64], left: &[u64], room: &mut [u64], scratch: &mut Scratch) -> bool {
    let (low, above) = left.split_at(2 * q.len());
    if !cmp::is_zero(above) {
        return false;
    }
    let (Some(&top), Some(&most)) = (low.last(), q.last()) else { return false };
    // The top word of the square lies between these.
    let high =
        |a: u64, b: u64| ((u128::from(a) * u128::from(b) + u128::from(a) + u128::from(b)) >> 64) as u64;
    if top > high(most, most) {
        return false;
    }
    if u128::from(top) < (u128::from(most) * u128::from(most)) >> 64 {
        return true;
    }
    let square = &mut room[..2 * q.len()];
    scratch.product.wide(square, Factors::Square(q));
    cmp::cmp(low, square).is_lt()
}

/// q by a quotient without its remainder, for s of one or two words more. Returns false if that does not decide.
///
/// The root is `s b + t` with `t = (r b + a1 + a0 / b) / (2 s) - t^2 / (2 s b)`. With t below b and 2 s from B b on,
/// the last term is below 1 / B. So q is the root's for an odd quotient, also if that is one too large, and
/// otherwise where the quotient is certain and u at least `2 s / B`, which is below two units of its top word.
fn estimate(q: &mut [u64], rest: &[u64], s: &[u64], top: bool, room: &mut [u64]) -> bool {
    let (k, n) = (q.len(), s.len());
    let (upper, room) = room.split_at_mut(k + 2);
    upper.copy_from_slice(&rest[n - 2..]);
    let left = normalised::estimate(q, upper, &s[n - k - 1..], room);
    let odd = q[0] & 1 == 1;
    halve(q, top);
    odd || left.is_some_and(|left| left >= 2)
}

/// What the root `s b + b - 1` leaves for r = 2 s: `(2 s + a1) b + a0 - b^2 + 2 b - 1`, where a holds `r - s = s`
/// above a1 and a0.
#[cold]
fn rest_of_ones(s: &[u64], a: &mut [u64], low: usize) -> bool {
    let n = s.len() + low;
    a[2 * low..n].fill(0);
    let mut above = 0_i8;
    for addend in [s, s, &[2]] {
        above += i8::from(add::add_assign(&mut a[low..n], addend, false));
    }
    above -= i8::from(sub::decrement(&mut a[..n], true));
    above -= i8::from(sub::decrement(&mut a[2 * low..n], true));
    above != 0
}
