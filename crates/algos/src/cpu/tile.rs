//! Evaluation of a schedule over a tile of instances.

use core::mem;

use limbforge_limb::{Base, Batch, IntType, Layout};

use super::Why;
use super::schedule::{Schedule, Source};
use crate::{expr::NodeId, op::apply, op::instances::Operand, op::memory::Memory};

/// A thread's buffers and memory for tiles.
pub(super) struct Tile<'s, B> {
    schedule: &'s Schedule,
    values: Values<'s, B>,
    memory: Memory<B>,
    /// Instances without a result, at which operation and why.
    pub(super) failed: Vec<(usize, NodeId, Why)>,
}

/// The operands and a thread's buffers, for the instances from `first` on whose operands have `len` limbs.
struct Values<'s, B> {
    ty: IntType,
    inputs: &'s [&'s Batch<B>],
    literals: &'s [Vec<B>],
    first: usize,
    len: usize,
    buffers: Vec<Vec<B>>,
    /// Copies of the inputs that do not lie instance-major.
    gathered: Vec<Vec<B>>,
}

impl<'s, B: Base> Tile<'s, B> {
    pub(super) fn new(
        schedule: &'s Schedule,
        ty: IntType,
        inputs: &'s [&'s Batch<B>],
        literals: &'s [Vec<B>],
    ) -> Self {
        let buffers = vec![vec![]; schedule.buffers];
        let gathered = vec![vec![]; schedule.inputs.len()];
        let values = Values { ty, inputs, literals, first: 0, len: 0, buffers, gathered };
        Self { schedule, values, memory: Memory::default(), failed: vec![] }
    }

    /// Computes the results of the instances from `first` on whose operands have `len` limbs.
    pub(super) fn run(&mut self, first: usize, len: usize, out: &mut [B]) {
        let Self { schedule, values, memory, failed } = self;
        values.load(first, len);
        if schedule.steps.is_empty() {
            let operand = values.operand(schedule.result);
            let m = values.ty.limbs::<B>();
            for (i, out) in out.chunks_exact_mut(m).enumerate() {
                out.copy_from_slice(operand.get(i, m));
            }
        }
        for step in &schedule.steps {
            // The buffer leaves its place while it is written; no operand of the step lies in it.
            let mut buffer = step.into.map(|into| mem::take(&mut values.buffers[into]));
            let room = buffer.as_deref_mut().unwrap_or(&mut *out);
            let mut args = [Operand { limbs: &[], stride: 0 }; 4];
            for (arg, &source) in args.iter_mut().zip(&step.args) {
                *arg = values.operand(source);
            }
            let mut fail = |instance, why| failed.push((first + instance, step.node, why));
            apply(&step.op, values.ty, room, &args[..step.args.len()], memory, &mut fail);
            if let (Some(into), Some(buffer)) = (step.into, buffer) {
                values.buffers[into] = buffer;
            }
        }
    }
}

impl<B: Base> Values<'_, B> {
    /// Makes room in every buffer and gathers the inputs that are not instance-major.
    fn load(&mut self, first: usize, len: usize) {
        (self.first, self.len) = (first, len);
        for buffer in &mut self.buffers {
            buffer.resize(len, B::ZERO);
        }
        for (gathered, batch) in self.gathered.iter_mut().zip(self.inputs) {
            if batch.layout() == Layout::Interleaved {
                let broadcast = batch.instances() == 1;
                gathered.resize(if broadcast { self.ty.limbs::<B>() } else { len }, B::ZERO);
                batch.read_instances(if broadcast { 0 } else { first }, gathered);
            }
        }
    }

    fn operand(&self, source: Source) -> Operand<'_, B> {
        let m = self.ty.limbs::<B>();
        let (limbs, is_broadcast) = match source {
            Source::Literal(i) => (&self.literals[i][..], true),
            Source::Buffer(i) => (&self.buffers[i][..], false),
            Source::Input(i) => {
                let (batch, is_broadcast) = (self.inputs[i], self.inputs[i].instances() == 1);
                match batch.layout() {
                    Layout::Interleaved => (&self.gathered[i][..], is_broadcast),
                    _ if is_broadcast => (batch.limbs(), true),
                    _ => (&batch.limbs()[self.first * m..][..self.len], false),
                }
            }
        };
        Operand { limbs, stride: if is_broadcast { 0 } else { m } }
    }
}
