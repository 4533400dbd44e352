//! Long roots: a quotient without its remainder, and the remainder of the root modulo `B^N - 1`.
//!
//! The lower half of the root is half of a quotient that is off by less than [`ERROR`] units of a guard word below
//! it. The remainder has one word more than the root, so a square of half the points gives it. It also corrects the
//! root, whose guard need not tell.

use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{add, sub};

use super::recursion::{halve, upper_root};
use crate::integer::Scratch;
use crate::integer::div::halves::{self, ERROR};
use crate::invariant::broken_invariant;
use crate::transform::mul_ntt::wrapped::{Wrapped, is_negative};

/// Words of roots from which they are computed so, with their remainders. Measured.
const REMAINDERS: usize = 320;

/// Whether a root without its remainder is computed so, for this many words of its lower half.
pub(super) fn is_long(low: usize) -> bool {
    low + 1 >= halves::from()
}

/// Whether a root of n words with its remainder is.
pub(super) fn is_long_with_remainder(n: usize) -> bool {
    n >= REMAINDERS.max(halves::from())
}

/// [`recursion::sqrt`](super::recursion::sqrt). Returns false and does nothing if no transform is long enough.
pub(super) fn sqrt(root: &mut [u64], a: &mut [u64], room: &mut [u64], scratch: &mut Scratch) -> bool {
    let Some((wrapped, mut left)) = folded(root.len(), a) else { return false };
    if !approximate(root, a, room, scratch) {
        leave(root, &mut left, wrapped, scratch);
    }
    true
}

/// [`recursion::sqrt_rem`](super::recursion::sqrt_rem), or `None` as [`sqrt`].
pub(super) fn sqrt_rem(
    root: &mut [u64],
    a: &mut [u64],
    room: &mut [u64],
    scratch: &mut Scratch,
) -> Option<bool> {
    let n = root.len();
    let (wrapped, mut left) = folded(n, a)?;
    approximate(root, a, room, scratch);
    leave(root, &mut left, wrapped, scratch);
    a[..n].copy_from_slice(&left[..n]);
    Some(left[n] != 0)
}

/// a modulo a power less one that remainders of a few roots are below.
fn folded(n: usize, a: &[u64]) -> Option<(Wrapped, Vec<u64>)> {
    let wrapped = Wrapped::of_words(n + 2)?;
    let mut left = vec![0; wrapped.len()];
    wrapped.fold(&mut left, a);
    Some((wrapped, left))
}

/// A root that is off by two at most. Returns whether it is known to be right.
///
/// As in [`estimate`](super::recursion), `t = (r b + a1 + a0 / b) / (2 s) - t^2 / (2 s b)`, where the last term is
/// below 1 / B. The digits are off by less than ERROR = 2, half of them by less than 1 / B.
fn approximate(root: &mut [u64], a: &mut [u64], room: &mut [u64], scratch: &mut Scratch) -> bool {
    let n = root.len();
    let low = (n - 1) / 2;
    let (lower, upper) = root.split_at_mut(low);
    let Some(top) = upper_root(upper, &mut a[2 * low..], room, scratch) else {
        lower.fill(u64::MAX);
        return true;
    };
    let mut digits = vec![0; low + 1];
    if !halves::estimate(&mut digits, &a[low..low + n], upper, &mut scratch.product) {
        broken_invariant("half the words have their transforms");
    }
    lower.copy_from_slice(&digits[1..]);
    let guard = digits[0];
    if halve(lower, top) { guard <= u64::MAX - ERROR } else { guard >= 2 * ERROR }
}

/// `left = a - root^2`, from 0 to twice the root, which is corrected.
fn leave(root: &mut [u64], left: &mut [u64], wrapped: Wrapped, scratch: &mut Scratch) {
    let mut square = vec![0; left.len()];
    wrapped.product(&mut square, Factors::Square(root), scratch.product.transforms());
    wrapped.difference(left, &square);
    while is_negative(left) {
        lower(root, left);
    }
    while root.iter().any(|&word| word != u64::MAX) {
        sub::sub_assign(left, root, false);
        add::increment(root, true);
        sub::sub_assign(left, root, false);
        if is_negative(left) {
            return lower(root, left);
        }
    }
}

/// One from the root, which leaves `root + (root - 1)` more.
fn lower(root: &mut [u64], left: &mut [u64]) {
    add::add_assign(left, root, false);
    sub::decrement(root, true);
    add::add_assign(left, root, false);
}
