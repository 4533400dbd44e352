//! The extended greatest common divisor: Bezout coefficients `x a + y b = gcd(a, b)`, the smallest x and y.
//!
//! x is the cofactor that Euclid's algorithm finds of a, by Lehmer's steps
//! ([`modinv`](mod@crate::integer::modinv)); y follows by one exact division. For `g = gcd(a, b)` they are
//! those with `|x| < b / (2g)` and `|y| < a / (2g)`, which there is one pair of, but x = 0 and y = 1 for a =
//! b, x = 1 for b = 0 and for b = 2g, y = 1 for a = 0 and for a = 2g. So x and y are never longer than b and
//! a, and one bit is left for their signs. (GMP's `mpz_gcdext` chooses the same.)

use limbforge_limb::Base;
use limbforge_limb::slice::{add, cmp, sub};

use super::Scratch;
use super::div::divide;
use super::modinv::{Cofactor, cofactor};
use super::packed::{packed, unpack};
use super::products::Products;

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
    let lens = [divisor.len(), x.len(), y.len(), b.len()];
    assert!(lens.into_iter().all(|len| len == a.len()), "operands of one length");
    let [a_words, b_words] = [a, b].map(packed);
    let Ok(found) = cofactor(&a_words, &b_words, scratch) else {
        // b = 0: gcd = 1 a.
        divisor.copy_from_slice(a);
        x.fill(B::ZERO);
        y.fill(B::ZERO);
        if let Some(x) = x.first_mut().filter(|_| !cmp::is_zero(a)) {
            *x = B::ONE;
        }
        return Signs { x: false, y: false };
    };
    let (other, y_negative) = other_cofactor(&a_words, &b_words, &found, scratch);
    let signs = Signs { x: found.negative, y: y_negative };
    for (out, words) in [(divisor, found.divisor), (x, found.magnitude), (y, other)] {
        unpack(out, words);
    }
    signs
}

/// `|y|` and whether y is negative, from `y = (g - x a) / b`, which leaves no remainder.
fn other_cofactor(a: &[u64], b: &[u64], found: &Cofactor, scratch: &mut Scratch) -> (Vec<u64>, bool) {
    let Cofactor { divisor, magnitude, negative } = found;
    let mut numerator = vec![0; (a.len() + magnitude.len()).max(divisor.len()) + 1];
    scratch.low(&mut numerator, a, magnitude);
    let mut y_negative = false;
    if *negative {
        // g + |x| a.
        add::add_assign(&mut numerator, divisor, false);
    } else if sub::sub_assign(&mut numerator, divisor, false) {
        // |x| a was below g: x = 0.
        sub::neg_assign(&mut numerator);
    } else {
        y_negative = numerator.iter().any(|&word| word != 0);
    }
    (divide(&numerator, b, scratch).0, y_negative)
}
