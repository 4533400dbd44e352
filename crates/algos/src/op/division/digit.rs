//! Quotients of unsigned numbers that have as many limbs as their type: they follow from the top limbs.

use limbforge_limb::Base;
use limbforge_limb::slice::div::digit::quotient;

use super::super::class::Division;
use super::super::instances::Instances;

/// Computes the quotient of an instance, if it is unsigned and the top limb of its divisor is not zero. Returns
/// false, and does nothing, unless the top limbs determine it.
#[inline]
pub(in crate::op) fn by_top_limbs<B: Base>(
    op: Division,
    instances: &mut Instances<'_, B>,
    instance: usize,
) -> bool {
    let is_quotient = matches!(op, Division::Div | Division::DivEuclid | Division::DivFloor);
    let [a, b] = instances.operands(instance);
    if !is_quotient || instances.ty.is_signed() || b.len() < 2 || b.last() == Some(&B::ZERO) {
        return false;
    }
    let Some(digit) = quotient(a, b) else { return false };
    let out = instances.result(instance);
    out.fill(B::ZERO);
    out[0] = digit;
    true
}
