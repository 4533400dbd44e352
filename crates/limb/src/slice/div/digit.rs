//! The quotient of two numbers of the same length, from their top limbs.

use super::reciprocal::two_by_one;
use crate::base::Base;
use crate::invariant::broken_invariant;
use crate::slice::shift::join;

/// `floor(a / divisor)` for numbers of one length, two limbs or more, of which the divisor's top limb is not
/// zero. Returns `None` if the top limbs do not determine it: for small quotients that is rare, unless the
/// division is exact.
///
/// Both numbers are shifted until the divisor's top bit is set. With the limb v' above the lower ones of the
/// divisor, and u' of the dividend, let `u' = q v' + r`. The quotient is at most q. The lower limbs of the
/// divisor take less than q from r, so that it is q if `r >= q`.
///
/// ```
/// use limbforge_limb::slice::div::digit::quotient;
/// assert_eq!(quotient(&[1_u64, 7, 9], &[5, 0, 4]), Some(2));
/// assert_eq!(quotient(&[10_u64, 0, 8], &[5, 0, 4]), None); // exactly 2
/// ```
///
/// # Panics
/// Unless the numbers are such.
#[inline]
#[must_use]
pub fn quotient<B: Base>(a: &[B], divisor: &[B]) -> Option<B> {
    assert!(a.len() == divisor.len() && a.len() > 1, "numbers of one length, two limbs or more");
    let (&[.., u0, u1], &[.., v0, v1]) = (a, divisor) else { broken_invariant("there are two limbs") };
    assert!(v1 != B::ZERO, "the divisor has no zeros at its top");
    let bits = v1.leading_zeros();
    // The limb above the dividend's is below 2^bits, and so below the divisor's top limb.
    let (high, low) = (join(B::ZERO, u1, bits), join(u1, u0, bits));
    let (quotient, rest) = two_by_one(high, low, join(v1, v0, bits));
    (rest >= quotient).then_some(quotient)
}
