//! The most rounds that an instance makes.

use limbforge_algos::cpu::program::RunError;
use limbforge_algos::program::{Kind, Node, Rounds, ValueId};
use limbforge_kernels_gen::program::Plane;
use limbforge_limb::slice::bits;
use limbforge_limb::{Batch, Layout};

use super::OnGpu;
use super::member::Member;
use super::run::Run;
use crate::engine::EngineError;

/// Where an operand of a loop lies.
pub(super) enum Place {
    Constant(Vec<u64>),
    /// An input, and the number of its integer there.
    Input(usize, usize),
    State(Plane),
}

impl OnGpu {
    /// The rounds of the first loop, if the inputs say them; else 0.
    pub(super) fn rounds_known_before(&self) -> Result<u64, EngineError> {
        let Some(node) = self.run.stages[0].cut_loop(&self.run.program) else { return Ok(0) };
        Ok(self.run.rounds_of_inputs(node)?.unwrap_or(0))
    }

    /// The rounds of the loop of this stage. Its state is left already.
    pub(super) fn most_rounds(&mut self) -> Result<u64, EngineError> {
        let stage = self.stage;
        let Some(node) = self.run.stages[stage].cut_loop(&self.run.program) else { return Ok(0) };
        if let Some(rounds) = self.run.rounds_of_inputs(node)? {
            return Ok(rounds);
        }
        let of_members = self.ask_all(|context, member| member.most_rounds(context.run, stage))?;
        Ok(of_members.into_iter().max().unwrap_or(0))
    }
}

impl Member {
    /// The most rounds of its instances.
    fn most_rounds(&self, run: &Run, stage: usize) -> Result<u64, EngineError> {
        let Some(node) = run.stages[stage].cut_loop(&run.program) else { return Ok(0) };
        let planes = self.device.tape().states.get(stage).map_or(&[][..], |planes| planes);
        let mut most = 0;
        for (i, chunk) in self.chunks.iter().enumerate() {
            let words = self.state_words(i)?;
            most = most.max(run.most(node, chunk.instances.clone(), (planes, &words))?.unwrap_or(0));
        }
        Ok(most)
    }
}

impl Run {
    /// The most rounds of a loop whose operands are inputs and constants; None of another one.
    pub(super) fn rounds_of_inputs(&self, node: &Node) -> Result<Option<u64>, EngineError> {
        Ok(self.most(node, 0..self.instances, (&[], &[]))?)
    }

    /// The most rounds of some instances with a state and its places. None without the state where it is
    /// needed.
    fn most(
        &self,
        node: &Node,
        instances: core::ops::Range<usize>,
        (planes, words): (&[Plane], &[u32]),
    ) -> Result<Option<u64>, RunError> {
        let (over, after) = match node.kind {
            Kind::While { limit, .. } => return Ok(Some(limit)),
            Kind::For { over, after, .. } => (over, after),
            _ => return Ok(None),
        };
        let args = &node.args[..node.args.len() - node.results.len()];
        if over == Rounds::Elements {
            return Ok(Some((self.program.elements(args[0]) as u64).saturating_sub(after)));
        }
        let ty = self.program.plain(args[0]);
        let places = [args[0], args[args.len() - 1]].map(|value| self.place(value, planes));
        let [Some(first), Some(last)] = places else { return Ok(None) };
        let places = [first?, last?];
        let is_one = |place: &Place| match place {
            Place::Constant(_) => true,
            Place::Input(input, _) => self.one_for_all[*input],
            Place::State(_) => false,
        };
        let one_for_all = places.iter().all(is_one);
        let (count, failed) = (instances.len(), |i: usize| words.get(i).is_some_and(|&status| status != 0));
        let mut operands = [vec![0; ty.limbs::<u64>()], vec![0; ty.limbs::<u64>()]];
        let mut most = 0;
        for i in (0..if one_for_all { count.min(1) } else { count }).filter(|&i| one_for_all || !failed(i)) {
            for (place, out) in places.iter().zip(&mut operands) {
                match place {
                    Place::Constant(limbs) => out.copy_from_slice(limbs),
                    Place::Input(input, element) => {
                        let elements = self.program.inputs()[*input].elements as usize;
                        let row = if self.one_for_all[*input] { 0 } else { instances.start + i };
                        self.inputs[*input].read_instances(row * elements + element, out);
                    }
                    Place::State(plane) => {
                        let at = plane.before as usize * count + i * plane.words as usize;
                        out.fill(0);
                        for (k, &word) in words[at..at + plane.words as usize].iter().enumerate() {
                            out[k / 2] |= u64::from(word) << (32 * (k % 2));
                        }
                        bits::truncate(out, ty.bits());
                    }
                }
            }
            most = most.max(over.count(&operands[0], &operands[1], ty).saturating_sub(after));
        }
        Ok(Some(most))
    }

    /// Where a value of the top region lies. None if it is in no state of these places.
    pub(super) fn place(&self, value: ValueId, planes: &[Plane]) -> Option<Result<Place, RunError>> {
        for (i, input) in self.program.inputs().iter().enumerate() {
            if let Some(part) = input.parts.iter().find(|part| part.value == value) {
                return Some(Ok(Place::Input(i, part.first as usize)));
            }
        }
        for node in &self.program.body().nodes {
            if let Kind::Constant(constant) = &node.kind
                && node.results[0] == value
            {
                let ty = self.program.plain(value);
                let batch = Batch::from_bigints(ty, Layout::InstanceMajor, std::slice::from_ref(constant));
                let limbs = batch.map(|batch: Batch<u64>| Place::Constant(batch.limbs().to_vec()));
                return Some(limbs.map_err(RunError::from));
            }
        }
        planes.iter().find(|plane| plane.value == value).map(|plane| Ok(Place::State(*plane)))
    }
}
