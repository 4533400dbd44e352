//! The extended greatest common divisor: Bezout coefficients `x a + y b = gcd(a, b)`, the smallest x and y.
//!
//! x is the cofactor of a that the steps of [`modinv`](mod@crate::integer::modinv) keep; y follows by one
//! exact division. For `g = gcd(a, b)` they are the unique pair with `|x| < b / (2g)` and
//! `|y| < a / (2g)`, except x = 0 and y = 1 for a = b, x = 1 for b = 0 and for b = 2g, y = 1 for a = 0 and
//! for a = 2g. So x and y are never longer than b and a: one bit is left for their signs, as in GMP.

use limbforge_limb::Base;

use super::Scratch;
use super::gcd::Thresholds;
use super::modinv::THRESHOLDS;
use super::modinv::cofactor::{Cofactor, cofactor, other_cofactor};
use super::packed::{packed, unpack};

/// The signs of the Bezout coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs {
    /// Whether x is negative.
    pub x: bool,
    /// Whether y is negative.
    pub y: bool,
}

/// `divisor = gcd(a, b)`, `x` and `y` the magnitudes of the coefficients, with their signs: `x a + y b =
/// gcd(a, b)`. All are 0 for a = b = 0.
///
/// ```
/// use limbforge_algos::integer::{Scratch, xgcd::{Signs, xgcd}};
/// let (mut divisor, mut x, mut y) = ([0_u64], [0], [0]);
/// let signs = xgcd(&mut divisor, &mut x, &mut y, &[240], &[46], &mut Scratch::default());
/// assert_eq!((divisor, x, y), ([2], [9], [47])); // -9 * 240 + 47 * 46 = 2
/// assert_eq!(signs, Signs { x: true, y: false });
/// ```
///
/// # Panics
/// Unless all have one length.
pub fn xgcd<B: Base>(
    divisor: &mut [B],
    x: &mut [B],
    y: &mut [B],
    a: &[B],
    b: &[B],
    scratch: &mut Scratch,
) -> Signs {
    xgcd_with(divisor, x, y, a, b, THRESHOLDS, scratch)
}

/// [`xgcd`] with other thresholds, which change the time only.
///
/// # Panics
/// Unless all have one length.
pub fn xgcd_with<B: Base>(
    divisor: &mut [B],
    x: &mut [B],
    y: &mut [B],
    a: &[B],
    b: &[B],
    thresholds: Thresholds,
    scratch: &mut Scratch,
) -> Signs {
    let lens = [divisor.len(), x.len(), y.len(), b.len()];
    assert!(lens.into_iter().all(|len| len == a.len()), "operands of one length");
    let [a_words, b_words] = [a, b].map(packed);
    if b_words.is_empty() {
        // gcd = 1 a.
        divisor.copy_from_slice(a);
        y.fill(B::ZERO);
        unpack(x, vec![u64::from(!a_words.is_empty()); x.len().min(1)]);
        return Signs { x: false, y: false };
    }
    let Cofactor { divisor: gcd, magnitude, negative } = cofactor(&a_words, &b_words, thresholds, scratch);
    let other = other_cofactor(&a_words, &b_words, &gcd, &magnitude, negative, scratch);
    for (out, words) in [(divisor, gcd), (x, magnitude), (y, other.magnitude)] {
        unpack(out, words);
    }
    Signs { x: negative, y: other.negative }
}
