//! Comparisons, and choices of an operand.

use core::cmp::Ordering;

use limbforge_limb::slice::cmp;
use limbforge_limb::{Base, IntType};

use super::class::{Choice, Comparison};
use super::instances::Instances;
use super::memory::write_bool;

/// Comparisons: 1 or 0.
pub(super) fn comparisons<B: Base>(op: Comparison, instances: Instances<'_, B>) {
    let order = order(instances.ty);
    match op {
        Comparison::Eq => instances.each(|out, [a, b]| write_bool(out, a == b)),
        Comparison::Ne => instances.each(|out, [a, b]| write_bool(out, a != b)),
        Comparison::Lt => instances.each(|out, [a, b]| write_bool(out, order(a, b).is_lt())),
        Comparison::Le => instances.each(|out, [a, b]| write_bool(out, order(a, b).is_le())),
    }
}

/// One of the operands.
pub(super) fn choices<B: Base>(op: Choice, instances: Instances<'_, B>) {
    let order = order(instances.ty);
    match op {
        Choice::Min => {
            instances.each(|out, [a, b]| out.copy_from_slice(if order(b, a).is_lt() { b } else { a }))
        }
        Choice::Max => {
            instances.each(|out, [a, b]| out.copy_from_slice(if order(a, b).is_lt() { b } else { a }))
        }
        Choice::Select => instances.each(|out, [condition, then, otherwise]| {
            out.copy_from_slice(if cmp::is_zero(condition) { otherwise } else { then });
        }),
    }
}

fn order<B: Base>(ty: IntType) -> impl Fn(&[B], &[B]) -> Ordering {
    move |a, b| if ty.is_signed() { cmp::cmp_signed(a, b, ty.bits()) } else { cmp::cmp(a, b) }
}
