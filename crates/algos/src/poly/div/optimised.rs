//! s terms of the quotient at a time.

use super::{QuotientRemainder, Start, start};
use crate::poly::PolyError;
use crate::poly::linear::{sub_scaled, trim};
use crate::transform::context::Context;

/// `(q, r)`: the highest s terms of a and b give s terms of the quotient, which then all are taken off block
/// after block of a, 2s coefficients each. `s` of 0 counts as 1.
///
/// # Errors
/// [`PolyError::ZeroDivisor`] if b is 0.
pub fn div_rem<C: Context>(
    field: C,
    a: &[C::Element],
    b: &[C::Element],
    s: usize,
) -> Result<QuotientRemainder<C::Element>, PolyError> {
    let (mut a, b, inverse) = match start(field, a, b)? {
        Start::Done(done) => return Ok(done),
        Start::Steps { a, b, inverse } => (a, b, inverse),
    };
    let terms = a.len() - b.len() + 1;
    let mut quotient = vec![field.zero(); terms];
    let mut left = terms;
    while left > 0 {
        let steps = s.clamp(1, left);
        let factors = &mut quotient[left - steps..left];
        // The terms of a above those that b's last step reaches.
        let top = left + b.len() - 1;
        let (low, head) = a[..top].split_at_mut(top - steps);
        head_steps(field, head, b, factors, inverse);
        update(field, low, b, factors, left - steps, 2 * s.max(1));
        left -= steps;
    }
    a.truncate(b.len() - 1);
    Ok((quotient, trim(field, a)))
}

/// The terms of the quotient, from the highest on, from the head of a: the terms that these steps remove.
fn head_steps<C: Context>(
    field: C,
    head: &mut [C::Element],
    b: &[C::Element],
    factors: &mut [C::Element],
    inverse: C::Element,
) {
    for k in (0..head.len()).rev() {
        let factor = field.mul(head[k], inverse);
        factors[k] = factor;
        // Term k is removed, those below it meet the terms of b below its leading one.
        let reach = k.min(b.len() - 1);
        sub_scaled(field, &mut head[k - reach..k], &b[b.len() - 1 - reach..b.len() - 1], factor);
    }
}

/// Takes all steps off the terms below the head, block by block: `low -= factors[k] * x^(first + k) * b`.
fn update<C: Context>(
    field: C,
    low: &mut [C::Element],
    b: &[C::Element],
    factors: &[C::Element],
    first: usize,
    block: usize,
) {
    let start = first.min(low.len());
    for (i, block_terms) in low[start..].chunks_mut(block).enumerate() {
        let at = start + i * block;
        for (k, &factor) in factors.iter().enumerate().filter(|&(_, &factor)| factor != field.zero()) {
            // Block term j is term at + j of a, which meets term at + j - first - k of b.
            let (skip, from) = match (first + k).checked_sub(at) {
                Some(skip) => (skip, 0),
                None => (0, at - first - k),
            };
            if skip < block_terms.len() && from < b.len() {
                sub_scaled(field, &mut block_terms[skip..], &b[from..], factor);
            }
        }
    }
}
