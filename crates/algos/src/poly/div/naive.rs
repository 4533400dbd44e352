//! A term of the quotient at a time.

use super::{QuotientRemainder, Start, start};
use crate::poly::PolyError;
use crate::poly::linear::{sub_scaled, trim};
use crate::transform::context::Context;

/// `(q, r)`: for each degree from the highest on, the multiple of b that removes the term of a. A term that
/// is 0 already, because the degree dropped by more than one, gives a 0 of the quotient.
///
/// # Errors
/// [`PolyError::ZeroDivisor`] if b is 0.
pub fn div_rem<C: Context>(
    field: C,
    a: &[C::Element],
    b: &[C::Element],
) -> Result<QuotientRemainder<C::Element>, PolyError> {
    let (mut a, b, inverse) = match start(field, a, b)? {
        Start::Done(done) => return Ok(done),
        Start::Steps { a, b, inverse } => (a, b, inverse),
    };
    let terms = a.len() - b.len() + 1;
    let mut quotient = vec![field.zero(); terms];
    for i in (0..terms).rev() {
        let factor = field.mul(a[i + b.len() - 1], inverse);
        if factor != field.zero() {
            sub_scaled(field, &mut a[i..], b, factor);
        }
        quotient[i] = factor;
    }
    a.truncate(b.len() - 1);
    Ok((quotient, trim(field, a)))
}
