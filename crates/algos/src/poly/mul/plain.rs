//! Every coefficient of one by every coefficient of the other.

use crate::poly::linear::{trim, trimmed};
use crate::transform::context::Context;

/// `a * b`, row by row.
#[must_use]
pub fn product<C: Context>(field: C, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
    let (a, b) = (trimmed(field, a), trimmed(field, b));
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut sums = vec![field.zero(); a.len() + b.len() - 1];
    for (i, &x) in a.iter().enumerate() {
        for (sum, &y) in sums[i..].iter_mut().zip(b) {
            *sum = field.add(*sum, field.mul(x, y));
        }
    }
    trim(field, sums)
}
