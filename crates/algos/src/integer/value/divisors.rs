//! Greatest common divisors of numbers with signs.

use limbforge_limb::{FixedInt, Int, Uint};

use super::results::Xgcd;
use super::scratch::with_scratch;
use super::sized::{Magnitude, Signed};
use crate::integer::gcd;
use crate::integer::xgcd::xgcd;

pub(super) fn gcd_of<T: FixedInt>(a: &T, b: &T) -> Magnitude<T> {
    let (a, b, mut divisor) = (a.unsigned_abs(), b.unsigned_abs(), Uint::zero());
    with_scratch(|scratch| gcd::gcd(divisor.as_limbs_mut(), a.as_limbs(), b.as_limbs(), &mut scratch.gcd));
    divisor
}

/// `|a| / gcd(a, b)`; 0 if both are 0.
pub(super) fn cofactor<T: FixedInt>(a: &T, b: &T) -> Magnitude<T> {
    a.unsigned_abs().div_rem(&gcd_of(a, b)).map_or_else(|_| Uint::zero(), |(quotient, _)| quotient)
}

/// The greatest common divisor and its Bezout coefficients.
pub(super) fn xgcd_of<T: FixedInt>(a: &T, b: &T) -> Xgcd<T, Signed<T>> {
    let mut out: [Magnitude<T>; 3] = [Uint::zero(), Uint::zero(), Uint::zero()];
    let [gcd, x, y] = out.each_mut().map(Uint::as_limbs_mut);
    let signs = with_scratch(|scratch| {
        let (a, b) = (a.unsigned_abs(), b.unsigned_abs());
        xgcd(gcd, x, y, a.as_limbs(), b.as_limbs(), &mut scratch.xgcd)
    });
    let [gcd, x, y] = out;
    Xgcd {
        gcd: T::from_sign_and_magnitude(false, gcd),
        x: Int::from_sign_and_magnitude(signs.x != a.is_negative(), x),
        y: Int::from_sign_and_magnitude(signs.y != b.is_negative(), y),
    }
}
