//! Products: a ladder of three rungs.
//!
//! | rung | steps for n and m terms | needs |
//! | --- | --- | --- |
//! | [`plain`] | nm | |
//! | [`transform`] | (n + m) log (n + m) | a root of unity of order n + m - 1 or a bit more in the field |
//! | [`integers`] | the same, of a product of integers | |
//!
//! [`product`] chooses.

use crate::context::Context;
use crate::mul_ntt;

use super::linear::trimmed;

pub mod integers;
pub mod plain;
pub mod transform;

/// Terms of the shorter factor from which on [`integers`] is faster than [`plain`], where integers are multiplied in vectors,
/// and where they are not.
const INTEGERS: [usize; 2] = [96, 1024];

/// `a * b`, by the fastest rung.
///
/// ```
/// use limbforge_algos::poly::mul;
/// use limbforge_field::DynField;
///
/// let field = DynField::new(7)?;
/// let [a, b] = [[1, 2], [3, 4]].map(|a| a.map(|x| field.element(x)));
/// assert_eq!(mul::product(field, &a, &b), [3, 3, 1].map(|x| field.element(x)));
/// # Ok::<(), limbforge_field::FieldError>(())
/// ```
#[must_use]
pub fn product<C: Context>(field: C, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
    let (a, b) = (trimmed(field, a), trimmed(field, b));
    let in_vectors = mul_ntt::is_fast();
    if a.len().min(b.len()) < INTEGERS[usize::from(!in_vectors)] {
        return plain::product(field, a, b);
    }
    if in_vectors {
        return integers::product(field, a, b);
    }
    transform::product(field, a, b).unwrap_or_else(|| integers::product(field, a, b))
}
