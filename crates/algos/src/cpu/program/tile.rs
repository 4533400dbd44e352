//! A tile of instances: their values, moduli and failures.

use limbforge_limb::Batch;

use super::mask::Mask;
use super::plan::{Place, Plan};
use super::rings::Rings;
use crate::cpu::Why;
use crate::invariant::broken_invariant;
use crate::op::memory::Memory;
use crate::program::{Part, ProgramFailure, Rows, ValueId};

/// The buffers of a tile.
#[derive(Debug, Default)]
pub(super) struct Tile {
    /// Its first instance, and how many it has.
    pub(super) first: usize,
    pub(super) len: usize,
    /// The instances that have not failed.
    pub(super) live: Mask,
    pub(super) slots: Vec<Vec<u64>>,
    pub(super) rings: Vec<Rings>,
    /// In order of computation.
    pub(super) failures: Vec<ProgramFailure>,
    /// The rows that its instances have appended; empty before the first.
    pub(super) lists: Vec<Rows>,
    /// Whether it has done all rounds of the loop of its stage.
    pub(super) is_through: bool,
}

/// A thread's memory for operations.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) memory: Memory<u64>,
    /// Operands and results of the active instances without gaps.
    pub(super) gathered: [Vec<u64>; 4],
    pub(super) out: Vec<u64>,
    /// The elements that failed in the last operation.
    pub(super) failed: Vec<(usize, Why)>,
}

/// The rows of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) limbs: &'a [u64],
    /// Words from each instance to the next: 0 for a value that is one for all.
    pub(super) row: usize,
    /// Words from each element to the next: 0 for a value that is no array.
    pub(super) element: usize,
    /// Words of an element.
    pub(super) words: usize,
}

impl<'a> View<'a> {
    #[inline(always)]
    pub(super) fn get(&self, instance: usize, element: usize) -> &'a [u64] {
        &self.limbs[instance * self.row + element * self.element..][..self.words]
    }

    /// All elements of an instance.
    pub(super) fn all(&self, instance: usize, elements: usize) -> &'a [u64] {
        &self.limbs[instance * self.row..][..elements * self.words]
    }

    /// Whether the value is 1, of a `bool`.
    pub(super) fn holds(&self, instance: usize) -> bool {
        self.get(instance, 0) != [0]
    }
}

/// The rows of a value of a tile.
pub(super) fn view<'a>(plan: &'a Plan, slots: &'a [Vec<u64>], value: ValueId) -> View<'a> {
    let words = plan.words(value);
    let element = if plan.program.ty(value).length.is_some() { words } else { 0 };
    match plan.place(value) {
        Place::Shared(row) => View { limbs: &plan.shared[row], row: 0, element, words },
        Place::Slot(slot) => {
            let size = plan.slots[slot];
            let row = if size.uniform { 0 } else { size.row };
            View { limbs: &slots[slot], row, element, words }
        }
    }
}

impl Tile {
    /// Begins with these instances and their inputs, in the memory of those before.
    pub(super) fn load(&mut self, plan: &Plan, inputs: &[Batch<u64>], first: usize, len: usize) {
        (self.first, self.len, self.live, self.is_through) = (first, len, Mask::first(len), false);
        self.failures.clear();
        self.lists.clear();
        self.slots.resize_with(plan.slots.len(), Vec::new);
        for (slot, size) in self.slots.iter_mut().zip(&plan.slots) {
            slot.resize(size.row * if size.uniform { 1 } else { len }, 0);
        }
        self.rings.clear();
        self.rings.extend(plan.program.moduli().iter().map(|modulus| {
            let one = plan.uniform.contains(modulus.value);
            Rings::new(one, len)
        }));
        for (input, batch) in plan.program.inputs().iter().zip(inputs) {
            for part in &input.parts {
                if let Some(Place::Slot(slot)) = plan.find(part.value) {
                    let (elements, stride) = (plan.program.elements(part.value), input.elements as usize);
                    read(&mut self.slots[slot], batch, *part, elements, stride, first);
                }
            }
        }
    }

    /// Ends instances, for one reason at one place of the text.
    pub(super) fn fail(&mut self, instances: Mask, why: Why, span: crate::program::text::syntax::Span) {
        let failed = instances.and(self.live);
        let failures = failed.iter().map(|i| ProgramFailure { instance: self.first + i, why, span });
        self.failures.extend(failures);
        self.live = self.live.without(failed);
    }
}

/// Reads a value of the instances from `first` on; each has `stride` integers in the batch.
fn read(rows: &mut [u64], batch: &Batch<u64>, part: Part, elements: usize, stride: usize, first: usize) {
    let words = batch.limbs_per_instance();
    if elements == 0 {
        return;
    }
    for (i, row) in rows.chunks_exact_mut(words * elements).enumerate() {
        let integer = (first + i) * stride + part.first as usize;
        if part.stride == 1 {
            batch.read_instances(integer, row);
        } else {
            for (element, out) in row.chunks_exact_mut(words).enumerate() {
                batch.read_instances(integer + element * part.stride as usize, out);
            }
        }
    }
}

/// A tile with what its operations need.
pub(super) struct Machine<'m> {
    pub(super) plan: &'m Plan,
    pub(super) tile: &'m mut Tile,
    pub(super) room: &'m mut Room,
}

impl Machine<'_> {
    /// Takes the buffer of a value that is computed out of its place.
    pub(super) fn take(&mut self, value: ValueId) -> Vec<u64> {
        core::mem::take(&mut self.tile.slots[self.plan.slot(value)])
    }

    pub(super) fn put(&mut self, value: ValueId, rows: Vec<u64>) {
        let slot = &mut self.tile.slots[self.plan.slot(value)];
        if !slot.is_empty() {
            broken_invariant("a value is computed into an empty place");
        }
        *slot = rows;
    }

    pub(super) fn view(&self, value: ValueId) -> View<'_> {
        view(self.plan, &self.tile.slots, value)
    }

    /// The active instances for which a `bool` holds.
    pub(super) fn holding(&self, value: ValueId, active: Mask) -> Mask {
        let view = self.view(value);
        active.filter(|instance| view.holds(instance))
    }
}
