//! Evaluation of a schedule over a tile of instances.

use core::mem;

use limbforge_limb::{Base, Batch, IntType, Layout};

use super::{Operand, Schedule, Source, Why, Workspace};
use crate::expr::NodeId;

/// A thread's buffers and workspace for tiles.
pub(super) struct Tile<'s, B> {
    schedule: &'s Schedule,
    pub(super) values: Values<B>,
    workspace: Workspace<B>,
    /// Instances without a result, at which operation and why.
    pub(super) failed: Vec<(usize, NodeId, Why)>,
}

/// A thread's buffers, and copies of the inputs that do not lie instance-major.
pub(super) struct Values<B> {
    ty: IntType,
    buffers: Vec<Vec<B>>,
    gathered: Vec<Vec<B>>,
}

impl<'s, B: Base> Tile<'s, B> {
    pub(super) fn new(schedule: &'s Schedule, ty: IntType) -> Self {
        let buffers = vec![vec![]; schedule.buffers()];
        let gathered = vec![vec![]; schedule.inputs().len()];
        let values = Values { ty, buffers, gathered };
        Self { schedule, values, workspace: Workspace::default(), failed: vec![] }
    }

    /// Computes the result of the instances whose operands are `len` limbs.
    pub(super) fn run(
        &mut self,
        inputs: &[&Batch<B>],
        literals: &[Vec<B>],
        first: usize,
        len: usize,
        out: &mut [B],
    ) {
        let Self { schedule, values, workspace, failed } = self;
        if schedule.steps().is_empty() {
            let operand = values.operand(schedule.result(), inputs, literals, first, len);
            let m = values.ty.limbs::<B>();
            for (i, out) in out.chunks_exact_mut(m).enumerate() {
                out.copy_from_slice(operand.get(i, m));
            }
        }
        for step in schedule.steps() {
            // The buffer leaves its place while it is written; no operand of the step lies in it.
            let mut buffer = step.into.map(|into| mem::take(&mut values.buffers[into]));
            let room = buffer.as_deref_mut().unwrap_or(&mut *out);
            let mut args = [Operand::broadcast(&[]); 4];
            for (arg, &source) in args.iter_mut().zip(&step.args) {
                *arg = values.operand(source, inputs, literals, first, len);
            }
            workspace.apply(&step.op, values.ty, room, &args[..step.args.len()]);
            let failures = workspace.take_failures();
            failed.extend(failures.map(|(instance, why)| (first + instance, step.node, why)));
            if let (Some(into), Some(buffer)) = (step.into, buffer) {
                values.buffers[into] = buffer;
            }
        }
    }
}

impl<B: Base> Values<B> {
    /// Makes room for `len` limbs of operands in every buffer and gathers what is not instance-major.
    pub(super) fn load(&mut self, inputs: &[&Batch<B>], first: usize, len: usize) {
        for buffer in &mut self.buffers {
            buffer.resize(len, B::ZERO);
        }
        for (gathered, batch) in self.gathered.iter_mut().zip(inputs) {
            if batch.layout() == Layout::Interleaved {
                let broadcast = batch.instances() == 1;
                gathered.resize(if broadcast { self.ty.limbs::<B>() } else { len }, B::ZERO);
                batch.read_instances(if broadcast { 0 } else { first }, gathered);
            }
        }
    }

    fn operand<'t>(
        &'t self,
        source: Source,
        inputs: &[&'t Batch<B>],
        literals: &'t [Vec<B>],
        first: usize,
        len: usize,
    ) -> Operand<'t, B> {
        let m = self.ty.limbs::<B>();
        match source {
            Source::Literal(i) => Operand::broadcast(&literals[i]),
            Source::Buffer(i) => Operand::each(&self.buffers[i], m),
            Source::Input(i) => {
                let batch = inputs[i];
                let gathered = batch.layout() == Layout::Interleaved;
                match (gathered, batch.instances()) {
                    (true, 1) => Operand::broadcast(&self.gathered[i]),
                    (true, _) => Operand::each(&self.gathered[i], m),
                    (false, 1) => Operand::broadcast(batch.limbs()),
                    (false, _) => Operand::each(&batch.limbs()[first * m..first * m + len], m),
                }
            }
        }
    }
}
