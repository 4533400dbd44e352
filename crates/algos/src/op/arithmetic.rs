//! Sums, comparisons and choices of one instance.

use core::cmp::Ordering;

use limbforge_limb::slice::{add, cmp, sub};
use limbforge_limb::{Base, IntType};

use super::class::{Choice, Comparison, Sum};
use super::instances::Instances;
use super::memory::write_bool;

/// Sums and differences, modulo `2^N`.
pub(super) fn sums<B: Base>(op: Sum, instances: Instances<'_, B>) {
    match op {
        Sum::Add => instances.each(|out, [a, b]| _ = add::add(out, a, b, false)),
        Sum::Sub => instances.each(|out, [a, b]| _ = sub::sub(out, a, b, false)),
        Sum::Neg => instances.each(|out, [a]| _ = sub::neg(out, a)),
    }
}

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
            instances.each(|out, [a, b]| out.copy_from_slice(if order(b, a).is_lt() { b } else { a }));
        }
        Choice::Max => {
            instances.each(|out, [a, b]| out.copy_from_slice(if order(a, b).is_lt() { b } else { a }));
        }
        Choice::Select => instances.each(|out, [condition, then, otherwise]| {
            out.copy_from_slice(if cmp::is_zero(condition) { otherwise } else { then });
        }),
    }
}

fn order<B: Base>(ty: IntType) -> impl Fn(&[B], &[B]) -> Ordering {
    move |a, b| if ty.is_signed() { cmp::cmp_signed(a, b, ty.bits()) } else { cmp::cmp(a, b) }
}
