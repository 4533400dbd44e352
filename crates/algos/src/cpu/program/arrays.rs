//! Arrays: their elements one after the other in a row.

use super::integers::is_negative;
use super::mask::Mask;
use super::tile::{Machine, View};
use crate::cpu::Why;
use crate::program::{Node, ValueId};
use limbforge_limb::slice::bits;

impl Machine<'_> {
    /// An array of its operands.
    pub(super) fn array(&mut self, node: &Node, active: Mask) {
        let mut rows = self.take(node.results[0]);
        let size = self.plan.slots[self.plan.slot(node.results[0])];
        for i in if size.uniform { Mask::first(1) } else { active }.iter() {
            let words = self.plan.words(node.results[0]);
            let out = rows[i * size.row..][..size.row].chunks_exact_mut(words);
            for (out, &arg) in out.zip(&node.args) {
                out.copy_from_slice(self.view(arg).get(i, 0));
            }
        }
        self.put(node.results[0], rows);
    }

    /// An element of an array.
    pub(super) fn index(&mut self, node: &Node, active: Mask) {
        let [array, at] = [node.args[0], node.args[1]];
        let mut rows = self.take(node.results[0]);
        let size = self.plan.slots[self.plan.slot(node.results[0])];
        let mut outside = Mask::EMPTY;
        for i in if size.uniform { Mask::first(1) } else { active }.iter() {
            match self.place_in(array, at, i) {
                Some(k) => rows[i * size.row..][..size.row].copy_from_slice(self.view(array).get(i, k)),
                None => outside = outside.or(if size.uniform { active } else { Mask::only(i) }),
            }
        }
        self.put(node.results[0], rows);
        self.tile.fail(outside, Why::Index, node.span);
    }

    /// An array with another element in one place.
    pub(super) fn update(&mut self, node: &Node, active: Mask) {
        let [array, at, element] = [node.args[0], node.args[1], node.args[2]];
        let (result, words) = (node.results[0], self.plan.words(node.results[0]));
        let mut rows = self.take(result);
        let size = self.plan.slots[self.plan.slot(result)];
        let mut outside = Mask::EMPTY;
        for i in if size.uniform { Mask::first(1) } else { active }.iter() {
            match self.place_in(array, at, i) {
                Some(k) => {
                    let row = &mut rows[i * size.row..][..size.row];
                    row.copy_from_slice(self.view(array).all(i, size.row / words));
                    row[k * words..][..words].copy_from_slice(self.view(element).get(i, 0));
                }
                None => outside = outside.or(if size.uniform { active } else { Mask::only(i) }),
            }
        }
        self.put(result, rows);
        self.tile.fail(outside, Why::Index, node.span);
    }

    /// The place in an array that an index names, if it lies inside.
    fn place_in(&self, array: ValueId, at: ValueId, instance: usize) -> Option<usize> {
        let (ty, view): (_, View<'_>) = (self.plan.ty(at), self.view(at));
        let (index, elements) = (view.get(instance, 0), self.plan.program.elements(array));
        let inside = !is_negative(index, ty) && bits::bit_len(index) <= u64::BITS;
        inside.then(|| index[0] as usize).filter(|&index| index < elements)
    }
}
