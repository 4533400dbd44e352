//! Operations that take one step for each coefficient.

use core::cmp::Ordering;

use crate::transform::context::Context;

/// The coefficients up to the last one that is not 0.
pub(super) fn trimmed<C: Context>(field: C, a: &[C::Element]) -> &[C::Element] {
    let len = a.iter().rposition(|&x| x != field.zero()).map_or(0, |last| last + 1);
    &a[..len]
}

/// As [`trimmed`], in place.
pub(super) fn trim<C: Context>(field: C, mut a: Vec<C::Element>) -> Vec<C::Element> {
    a.truncate(trimmed(field, &a).len());
    a
}

pub(super) fn add<C: Context>(field: C, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut sum = long.to_vec();
    sum.iter_mut().zip(short).for_each(|(x, &y)| *x = field.add(*x, y));
    trim(field, sum)
}

pub(super) fn sub<C: Context>(field: C, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
    let mut difference = a.to_vec();
    if a.len().cmp(&b.len()) == Ordering::Less {
        difference.resize(b.len(), field.zero());
    }
    difference.iter_mut().zip(b).for_each(|(x, &y)| *x = field.sub(*x, y));
    trim(field, difference)
}

/// `factor * a`.
pub(super) fn scale<C: Context>(field: C, a: &[C::Element], factor: C::Element) -> Vec<C::Element> {
    trim(field, a.iter().map(|&x| field.mul(x, factor)).collect())
}

/// `a -= factor * b`, coefficient by coefficient, as far as both go.
#[inline]
pub(super) fn sub_scaled<C: Context>(field: C, a: &mut [C::Element], b: &[C::Element], factor: C::Element) {
    for (x, &y) in a.iter_mut().zip(b) {
        *x = field.sub(*x, field.mul(y, factor));
    }
}

/// The multiple of a with the leading coefficient 1, or 0 for 0.
pub(super) fn monic<C: Context>(field: C, a: &[C::Element]) -> Vec<C::Element> {
    let a = trimmed(field, a);
    let Some(&leading) = a.last() else { return Vec::new() };
    scale(field, a, field.inverse(leading))
}

/// a', in which the exponents are numbers mod p.
pub(super) fn derivative<C: Context>(field: C, a: &[C::Element]) -> Vec<C::Element> {
    let terms = a.iter().enumerate().skip(1);
    trim(field, terms.map(|(i, &x)| field.mul(x, field.element(i as u64))).collect())
}

/// a(x), by Horner's rule.
pub(super) fn evaluate<C: Context>(field: C, a: &[C::Element], x: C::Element) -> C::Element {
    a.iter().rev().fold(field.zero(), |sum, &coefficient| field.add(field.mul(sum, x), coefficient))
}
