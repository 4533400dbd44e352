//! A division step at a time.

use crate::poly::linear::{monic, sub_scaled, trim, trimmed};
use crate::transform::context::Context;

/// The monic greatest common divisor. Each step removes the leading term of the polynomial of the higher
/// degree, by a multiple of the other.
#[must_use]
pub fn gcd<C: Context>(field: C, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
    let (mut a, mut b) = (trimmed(field, a).to_vec(), trimmed(field, b).to_vec());
    while let (Some(&a_leading), Some(&b_leading)) = (a.last(), b.last()) {
        if a.len() >= b.len() {
            let factor = field.mul(a_leading, field.inverse(b_leading));
            let shift = a.len() - b.len();
            sub_scaled(field, &mut a[shift..], &b, factor);
            a = trim(field, a);
        } else {
            core::mem::swap(&mut a, &mut b);
        }
    }
    monic(field, if a.is_empty() { &b } else { &a })
}
