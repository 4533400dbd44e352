//! Euclidean division: a ladder of three rungs. For b other than 0, `a = q b + r` with r of a degree below
//! that of b.
//!
//! | rung | what it is |
//! | --- | --- |
//! | [`naive`] | a term of the quotient at a time, each over all of b (Algorithm 1 of the model's paper) |
//! | [`optimised`] | s terms at a time from the heads of a and b, then all of them over blocks of a (Algorithm 3) |
//! | [`newton`] | the inverse of the reversed divisor as a power series, and two products |
//!
//! [`div_rem`] chooses the first or the last: [`optimised`] saves memory traffic, of which a processor's
//! caches leave little.

use crate::transform::context::Context;

use super::PolyError;
use super::linear::trimmed;

pub mod naive;
pub mod newton;
pub mod optimised;

/// Terms of the divisor, and of the quotient, from which on [`newton`] is faster than [`naive`], for words of
/// 32 and of 64 bits, with a transform over the field and without.
const NEWTON: usize = 576;

/// Quotient and remainder.
pub type QuotientRemainder<E> = (Vec<E>, Vec<E>);

/// `(q, r)`, by the fastest rung.
///
/// # Errors
/// [`PolyError::ZeroDivisor`] if b is 0.
pub fn div_rem<C: Context>(
    field: C,
    a: &[C::Element],
    b: &[C::Element],
) -> Result<QuotientRemainder<C::Element>, PolyError> {
    let (a, b) = (trimmed(field, a), trimmed(field, b));
    let quotient = (a.len() + 1).saturating_sub(b.len());
    if b.len().min(quotient) < NEWTON { naive::div_rem(field, a, b) } else { newton::div_rem(field, a, b) }
}

/// The dividend, to be reduced in place, and what a step needs of the divisor; or what there is without a
/// step.
enum Start<'b, C: Context> {
    Done(QuotientRemainder<C::Element>),
    Steps { a: Vec<C::Element>, b: &'b [C::Element], inverse: C::Element },
}

fn start<'b, C: Context>(field: C, a: &[C::Element], b: &'b [C::Element]) -> Result<Start<'b, C>, PolyError> {
    let (a, b) = (trimmed(field, a), trimmed(field, b));
    let &leading = b.last().ok_or(PolyError::ZeroDivisor)?;
    if a.len() < b.len() {
        return Ok(Start::Done((Vec::new(), a.to_vec())));
    }
    Ok(Start::Steps { a: a.to_vec(), b, inverse: field.inverse(leading) })
}
