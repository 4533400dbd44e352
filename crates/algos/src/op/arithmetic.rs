//! Sums, products, comparisons and choices of one instance.

use core::cmp::Ordering;

use limbforge_limb::slice::{add, cmp, mul::Factors, shift, sub};
use limbforge_limb::{Base, IntType};

use super::class::{Choice, Comparison, Product, Sum};
use super::instances::Instances;
use super::memory::{Memory, is_negative, sized, write_bool};

/// Sums and differences, modulo `2^N`.
pub(super) fn sums<B: Base>(op: Sum, instances: Instances<'_, B>) {
    match op {
        Sum::Add => instances.each(|out, [a, b]| _ = add::add(out, a, b, false)),
        Sum::Sub => instances.each(|out, [a, b]| _ = sub::sub(out, a, b, false)),
        Sum::Neg => instances.each(|out, [a]| _ = sub::neg(out, a)),
    }
}

pub(super) fn products<B: Base>(op: Product, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let (ty, product) = (instances.ty, &mut memory.scratch.product);
    match op {
        Product::Mul => instances.each(|out, [a, b]| product.low(out, Factors::Pair(a, b))),
        Product::Sqr => instances.each(|out, [a]| product.low(out, Factors::Square(a))),
        Product::MulHigh => instances.each(|out, [a, b]| high(memory, ty, out, a, b)),
        Product::MulWide => instances.each(|out, [a, b]| wide(memory, ty, out, a, b, Factors::Pair(a, b))),
        Product::SqrWide => instances.each(|out, [a]| wide(memory, ty, out, a, a, Factors::Square(a))),
    }
}

/// `floor(a * b / 2^N)`. For two's complement, a sign bit counts `-2^N` more than it does unsigned, so the
/// other factor is taken off the high half.
fn high<B: Base>(memory: &mut Memory<B>, ty: IntType, out: &mut [B], a: &[B], b: &[B]) {
    let Memory { scratch, rooms: [wide, shifted, _], .. } = memory;
    let [wide, shifted] = [wide, shifted].map(|room| sized(room, 2 * out.len()));
    scratch.product.wide(wide, Factors::Pair(a, b));
    shift::shr(shifted, wide, ty.bits());
    out.copy_from_slice(&shifted[..out.len()]);
    for other in after_signs(ty, a, b) {
        sub::sub_assign(out, other, false);
    }
}

/// `a * b` in the limbs of 2N bits. The other factor of a negative one is taken off from bit N on.
fn wide<B: Base>(
    memory: &mut Memory<B>,
    ty: IntType,
    out: &mut [B],
    a: &[B],
    b: &[B],
    factors: Factors<'_, B>,
) {
    let Memory { scratch, rooms: [wide, moved, _], .. } = memory;
    let [wide, moved] = [wide, moved].map(|room| sized(room, 2 * a.len()));
    scratch.product.wide(wide, factors);
    // The product is below 2^(2N), so the limbs that do not fit are zero.
    out.copy_from_slice(&wide[..out.len()]);
    let (extended, moved) = (&mut wide[..out.len()], &mut moved[..out.len()]);
    for other in after_signs(ty, a, b) {
        extended.fill(B::ZERO);
        extended[..other.len()].copy_from_slice(other);
        shift::shl(moved, extended, ty.bits());
        sub::sub_assign(out, moved, false);
    }
}

/// For each negative factor, the other one.
fn after_signs<'a, B: Base>(ty: IntType, a: &'a [B], b: &'a [B]) -> impl Iterator<Item = &'a [B]> {
    [(a, b), (b, a)].into_iter().filter(move |(sign, _)| is_negative(sign, ty)).map(|(_, other)| other)
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
