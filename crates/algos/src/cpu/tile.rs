//! Evaluation of a schedule over a tile of instances.

use core::mem;

use limbforge_limb::{Base, Batch, IntType, Layout};

use super::Why;
use super::schedule::{Schedule, Source, Step, Target};
use crate::expr::NodeId;
use crate::invariant::broken_invariant;
use crate::op::{apply, apply_division, instances::Operand, memory::Memory};

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

/// The limbs of a value that is computed.
enum Room<'r, B> {
    Buffer(Vec<B>),
    Result(&'r mut [B]),
}

impl<B> Room<'_, B> {
    fn limbs(&mut self) -> &mut [B] {
        match self {
            Self::Buffer(limbs) => limbs,
            Self::Result(limbs) => limbs,
        }
    }
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

    /// Computes the results of the instances from `first` on whose operands have `len` limbs, one slice for
    /// each.
    pub(super) fn run(&mut self, first: usize, len: usize, results: &mut [&mut [B]]) {
        let Self { schedule, values, memory, failed } = self;
        values.load(first, len);
        for Step { output, remainder, args: sources } in &schedule.steps {
            // The buffers leave their places while they are written; no operand of the step lies in them.
            let mut room = values.take(output.into, results);
            let mut second = remainder.as_ref().map(|of| values.take(of.into, results));
            let mut args = [Operand { limbs: &[], stride: 0 }; 4];
            for (arg, &source) in args.iter_mut().zip(sources) {
                *arg = values.operand(source);
            }
            let args = &args[..sources.len()];
            let mut fail = |instance, why| {
                failed.push((first + instance, output.node, why));
                failed.extend(remainder.as_ref().map(|of| (first + instance, of.node, why)));
            };
            match &mut second {
                None => apply(&output.op, values.ty, room.limbs(), args, memory, &mut fail),
                Some(second) => {
                    let both = [room.limbs(), second.limbs()];
                    apply_division(&output.op, values.ty, both, args, memory, &mut fail);
                }
            }
            values.put(output.into, room, results);
            if let (Some(of), Some(second)) = (remainder, second) {
                values.put(of.into, second, results);
            }
        }
        let m = values.ty.limbs::<B>();
        for &(result, source) in &schedule.copies {
            let operand = values.operand(source);
            for (i, out) in results[result].chunks_exact_mut(m).enumerate() {
                out.copy_from_slice(operand.get(i, m));
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

    /// Takes a value's limbs out of their place.
    fn take<'r>(&mut self, place: Target, results: &mut [&'r mut [B]]) -> Room<'r, B> {
        match place {
            Target::Buffer(i) => Room::Buffer(mem::take(&mut self.buffers[i])),
            Target::Result(i) => Room::Result(mem::take(&mut results[i])),
        }
    }

    /// Puts them back.
    fn put<'r>(&mut self, place: Target, room: Room<'r, B>, results: &mut [&'r mut [B]]) {
        match (place, room) {
            (Target::Buffer(i), Room::Buffer(limbs)) => self.buffers[i] = limbs,
            (Target::Result(i), Room::Result(limbs)) => results[i] = limbs,
            _ => broken_invariant("limbs go back to the place that they were taken from"),
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
