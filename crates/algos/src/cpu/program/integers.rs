//! Integers: the operations of the table, casts, shifts by integers of another type, bits.

use limbforge_limb::IntType;
use limbforge_limb::slice::{bits, cmp, sub};

use super::mask::Mask;
use super::tile::{Machine, View, view};
use crate::op::instances::Operand;
use crate::op::{Op, apply, near, shift_by};
use crate::program::Node;

impl Machine<'_> {
    /// An operation of the table, one call for all active instances and their elements.
    pub(super) fn integer(&mut self, op: &Op, node: &Node, active: Mask) {
        let (plan, result) = (self.plan, node.results[0]);
        let (words, elements) = (plan.words(result), plan.program.elements(result));
        let uniform = plan.uniform.contains(result);
        let rows = if uniform { Mask::first(1) } else { active };
        let ty = plan.ty(*node.args.first().unwrap_or(&result));
        // A truth value is one word, but computed as an integer of the operands' type.
        let computed = if op.is_wide() { 2 * ty.bits() } else { ty.bits() };
        let computed = bits::limbs_for::<u64>(computed);
        let mut out = self.take(result);
        let room = &mut *self.room;
        let mut operands = [Operand { limbs: &[], stride: 0 }; 4];
        let gathered = room.gathered.iter_mut();
        for ((operand, gathered), &arg) in operands.iter_mut().zip(gathered).zip(&node.args) {
            *operand = dense(view(plan, &self.tile.slots, arg), rows, elements, gathered);
        }
        let direct = rows.range().filter(|_| computed == words);
        let results = match &direct {
            Some(range) => &mut out[range.start * elements * words..range.end * elements * words],
            None => {
                room.out.resize(rows.len() * elements * computed, 0);
                &mut room.out[..]
            }
        };
        let failed = &mut room.failed;
        let operands = &operands[..node.args.len()];
        apply(op, ty, results, operands, &mut room.memory, &mut |element, why| failed.push((element, why)));
        if direct.is_none() {
            let mut elements_out = room.out.chunks_exact(computed);
            for i in rows.iter() {
                let out = &mut out[i * elements * words..][..elements * words];
                for (out, computed) in out.chunks_exact_mut(words).zip(&mut elements_out) {
                    out.copy_from_slice(&computed[..words]);
                }
            }
        }
        self.put(result, out);
        if !self.room.failed.is_empty() {
            self.fail_elements(node, if uniform { None } else { Some(elements) }, active);
        }
    }

    /// Ends the instances of the elements that failed in an operation of the table, each for its first one.
    fn fail_elements(&mut self, node: &Node, elements: Option<usize>, active: Mask) {
        let mut failed = core::mem::take(&mut self.room.failed);
        for &(element, why) in &failed {
            let instances = match elements {
                Some(elements) => active.iter().nth(element / elements).map_or(Mask::EMPTY, Mask::only),
                None => active,
            };
            self.tile.fail(instances, why, node.span);
        }
        failed.clear();
        self.room.failed = failed;
    }

    /// An integer or a `bool` as another integer.
    pub(super) fn cast(&mut self, node: &Node, active: Mask) {
        let (from, to) = (self.plan.ty(node.args[0]), self.plan.ty(node.results[0]));
        self.each(node, active, |_, out, [x], _, _| {
            let len = x.len().min(out.len());
            out[..len].copy_from_slice(&x[..len]);
            let negative = is_negative(x, from);
            out[len..].fill(if negative { u64::MAX } else { 0 });
            if negative && to.bits() > from.bits() {
                bits::sign_extend(&mut out[..len], from.bits());
            }
            bits::truncate(out, to.bits());
            Ok(())
        });
    }

    /// A shift by an integer of any type; a negative one shifts the other way.
    pub(super) fn shift(&mut self, left: bool, node: &Node, active: Mask) {
        let (ty, of_amount) = (self.plan.ty(node.args[0]), self.plan.ty(node.args[1]));
        let mut room = core::mem::take(&mut self.room.out);
        self.each(node, active, |_, out, [x, amount], _, _| {
            let amount = near(amount, of_amount);
            shift_by(&mut room, ty, out, x, if left { amount } else { -amount });
            bits::truncate(out, ty.bits());
            Ok(())
        });
        self.room.out = room;
    }

    /// A bit of an integer, by an index of any type.
    pub(super) fn bit(&mut self, node: &Node, active: Mask) {
        let (ty, of_index) = (self.plan.ty(node.args[0]), self.plan.ty(node.args[1]));
        self.each(node, active, |_, out, [x, index], _, _| {
            // Far above all bits, but for negative ones.
            let index = near(index, of_index);
            let inside = u32::try_from(index).ok().filter(|&index| index < ty.bits());
            let bit = inside.map_or_else(|| index >= 0 && is_negative(x, ty), |index| bits::bit(x, index));
            out[0] = u64::from(bit);
            Ok(())
        });
    }

    /// The bits of the absolute value.
    pub(super) fn bit_length(&mut self, node: &Node, active: Mask) {
        let ty = self.plan.ty(node.args[0]);
        self.each(node, active, |_, out, [x], _, _| {
            out[0] = u64::from(bits::bit_len(magnitude(x, ty).as_deref().unwrap_or(x)));
            Ok(())
        });
    }
}

pub(super) fn is_negative(x: &[u64], ty: IntType) -> bool {
    ty.is_signed() && cmp::is_negative(x, ty.bits())
}

/// |x| of a negative number; `None` for others, which are their own.
pub(super) fn magnitude(x: &[u64], ty: IntType) -> Option<Vec<u64>> {
    is_negative(x, ty).then(|| {
        let mut magnitude = vec![0; x.len()];
        sub::neg(&mut magnitude, x);
        bits::truncate(&mut magnitude, ty.bits());
        magnitude
    })
}

/// The elements of these instances one after the other: where they lie, or gathered.
fn dense<'a>(view: View<'a>, rows: Mask, elements: usize, gathered: &'a mut Vec<u64>) -> Operand<'a, u64> {
    let View { limbs, row, element, words } = view;
    if row == 0 && element == 0 {
        return Operand { limbs, stride: 0 };
    }
    let has_all = element != 0 || elements == 1;
    if let Some(range) = rows.range()
        && has_all
        && (row == words * elements || range.len() == 1)
    {
        return Operand { limbs: &limbs[range.start * row..], stride: words };
    }
    gathered.clear();
    for i in rows.iter() {
        for e in 0..elements {
            gathered.extend_from_slice(view.get(i, e));
        }
    }
    Operand { limbs: gathered, stride: words }
}
