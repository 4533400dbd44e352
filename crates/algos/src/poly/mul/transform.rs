//! By transforms over the field itself.

use crate::poly::linear::{trim, trimmed};
use crate::transform::context::Context;
use crate::transform::ntt::transform::Transform;
use crate::transform::ntt::{Direction, NttPlan, Wrap};

/// `a * b` by a cyclic convolution of at least as many points as the product has terms, or `None` if the
/// field has no root for one.
#[must_use]
pub fn product<C: Context>(field: C, a: &[C::Element], b: &[C::Element]) -> Option<Vec<C::Element>> {
    let (a, b) = (trimmed(field, a), trimmed(field, b));
    if a.is_empty() || b.is_empty() {
        return Some(Vec::new());
    }
    let terms = a.len() + b.len() - 1;
    let transform = lengths(terms).find_map(|points| {
        let plan = NttPlan::new(points, Wrap::Cyclic).ok()?;
        Transform::new(field, plan).ok()
    })?;
    let points = transform.plan().points();
    let padded = |a: &[C::Element]| {
        let mut values = a.to_vec();
        values.resize(points, field.zero());
        values
    };
    let (mut x, mut y) = (padded(a), padded(b));
    transform.run_unordered(Direction::Forward, &mut x).ok()?;
    transform.run_unordered(Direction::Forward, &mut y).ok()?;
    x.iter_mut().zip(y).for_each(|(x, y)| *x = field.mul(*x, y));
    transform.run_unordered(Direction::Inverse, &mut x).ok()?;
    x.truncate(terms);
    Some(trim(field, x))
}

/// The smallest `2^k` and `3 * 2^k` that are `terms` or more, the smaller one first.
fn lengths(terms: usize) -> impl Iterator<Item = usize> {
    let (two, three) = (terms.next_power_of_two(), 3 * terms.div_ceil(3).next_power_of_two());
    [two.min(three), two.max(three)].into_iter()
}
