//! Quotients of unsigned numbers of the same length: they follow from the top limbs.

use limbforge_limb::Base;
use limbforge_limb::slice::div::digit::quotient;

use super::super::instances::Instances;

/// Computes the quotient of an instance of unsigned numbers of so many words, two or more. Returns false, and does
/// nothing, unless the top limbs determine it.
#[inline(always)]
pub(in crate::op) fn by_top_limbs<B: Base>(
    instances: &mut Instances<'_, B>,
    instance: usize,
    words: usize,
) -> bool {
    let [a, b] = instances.operands(instance);
    let limbs = if B::as_words(&[]).is_some() { words } else { b.len() };
    let (a, b) = (&a[..limbs], &b[..limbs]);
    if limbs < 2 || b.last() == Some(&B::ZERO) {
        return false;
    }
    let Some(digit) = quotient(a, b) else { return false };
    let out = instances.result(instance);
    out.fill(B::ZERO);
    out[0] = digit;
    true
}
