//! Products of neighbouring instances, from the words of their operands to those of their results.

use limbforge_limb::Base;

use super::super::class::Product;
use super::super::instances::{Instances, Operand};
use super::super::memory::Memory;
use super::{finish_wide, kept};
use crate::vector::{WIDTH, path_of_neighbours, short_products};

/// Computes the first instances, as many as come in groups of eight; returns their number: 0 where that is not
/// faster, or limbs are not words, or an operand is the same for all instances.
pub(super) fn neighbours<B: Base>(
    op: Product,
    instances: &mut Instances<'_, B>,
    memory: &mut Memory<B>,
) -> usize {
    let (ty, m, first) = (instances.ty, instances.ty.limbs::<B>(), instances.first);
    let Some(path) = path_of_neighbours(kept(op), ty.bits()).filter(|_| instances.len() >= WIDTH) else {
        return 0;
    };
    let is_wide = matches!(op, Product::MulWide | Product::SqrWide);
    let side_by_side = |operand: &Operand<'_, B>| operand.stride == m;
    if instances.out_m != if is_wide { 2 * m } else { m } || !instances.operands.iter().all(side_by_side) {
        return 0;
    }
    // A square has one operand.
    let (Some(a), Some(b)) = (instances.operands.first(), instances.operands.last()) else { return 0 };
    let [a, b] = [a, b].map(|operand| B::as_words(&operand.limbs[first * m..]));
    let (Some(a), Some(b), Some(out)) = (a, b, B::as_words_mut(instances.out)) else { return 0 };
    let count = match short_products(path, kept(op), m, out, [a, b]) {
        0 if m >= WIDTH => memory.neighbours.products(path, kept(op), m, out, [a, b]),
        count => count,
    };
    if ty.is_signed() && is_wide {
        for i in 0..count {
            let [a, b] = [0, instances.operands.len() - 1].map(|k| instances.operands[k].get(first + i, m));
            finish_wide(ty, instances.result(i), &mut memory.rooms, a, b);
        }
    }
    count
}
