//! Quotients of one word, of numbers that differ in length.

use limbforge_limb::slice::mul::rows::multiple;

use crate::invariant::broken_invariant;

/// A number that is longer by so many bits is divided by the other one before Lehmer's steps, each of which removes
/// about 62 bits of both for some 36 quotients. Measured: 12 to 36 make no difference.
pub(super) const FAR: u32 = 24;

/// By so many bits, a quotient may not fit a word.
pub(super) const LONG: u32 = 63;

/// `a = a - q b` for `a > b`, numbers of two words or more without zeros at the top, and a quotient q of a word, that
/// of their prefixes: it is at most one too large. Returns it, and whether the difference is negative.
pub(super) fn subtract_multiple(a: &mut [u64], b: &[u64]) -> (u64, bool) {
    let n = b.len();
    let (&[.., b0, b1], &[.., a0, a1]) = (b, &a[..n]) else {
        broken_invariant("numbers of two words or more")
    };
    let shift = b1.leading_zeros();
    let join = |high: u64, low: u64| high << shift | (low >> 1) >> (63 - shift);
    let a2 = a.get(n).copied().unwrap_or_default();
    let prefix = u128::from(join(a2, a1)) << 64 | u128::from(join(a1, a0));
    let quotient = (prefix / u128::from(join(b1, b0))) as u64;
    let (low, above) = a.split_at_mut(n);
    let borrow = multiple::sub(low, b, quotient);
    let Some(above) = above.first_mut() else { return (quotient, borrow > 0) };
    let is_negative = *above < borrow;
    *above = above.wrapping_sub(borrow);
    (quotient, is_negative)
}
