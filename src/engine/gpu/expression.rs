//! An expression on the GPU.

use core::fmt;
use std::borrow::Cow;
use std::sync::Arc;

use limbforge_algos::cpu::{Evaluator, Failure};
use limbforge_gpu::{HostBatch, HostResult, LoadedProgram, Operands, Results};
use limbforge_kernels_gen::{InputSpec, LimbKind, Product, Program, ProgramSpec, Target};
use limbforge_limb::{Base, Batch, Layout};

use super::powers::Powers;
use super::set::{Gpus, Programs};
use super::{Gpu, failures};
use crate::engine::error::EngineError;
use crate::engine::placement::{Operand, Placed};

/// The kernels of an expression, loaded on every GPU for operands that lie in one way.
#[derive(Debug)]
pub(in crate::engine) struct Loaded {
    gpus: Arc<Gpus>,
    spec: ProgramSpec,
    programs: Programs,
    /// Those of large batches, if their powers are then faster.
    powers: Powers,
}

impl Loaded {
    pub(in crate::engine) fn new<B: Base>(
        gpus: &Arc<Gpus>,
        evaluator: &Evaluator<B>,
        placed: &Placed,
    ) -> Result<Self, EngineError> {
        let input =
            |(name, operand): (&str, &Operand)| InputSpec::integers(name, operand.layout, operand.broadcast);
        let spec = ProgramSpec {
            dag: evaluator.dag().clone(),
            ty: evaluator.ty(),
            limb: LimbKind::of_any::<B>()?,
            inputs: evaluator.dag().inputs().zip(&placed.operands).map(input).collect(),
            output: placed.result,
            product: Product::Auto,
            target: Target::Cuda,
        };
        let programs = gpus.load(|gpu| gpu.program(&spec))?;
        Ok(Self { gpus: gpus.clone(), spec, programs, powers: Powers::default() })
    }

    /// The programs for `share` instances of each GPU, of which operands in memory of the machine are known.
    fn programs<B: Base>(
        &self,
        share: u64,
        operands: Option<&[&Batch<B>]>,
    ) -> Result<Cow<'_, Programs>, EngineError> {
        let powers = self.powers.programs(&self.gpus, &self.spec, share, operands)?;
        Ok(powers.map_or(Cow::Borrowed(&self.programs), Cow::Owned))
    }

    /// The program of N resident instances on a member, or on the first one that is left.
    pub(super) fn program_of(
        &self,
        member: Option<usize>,
        instances: u64,
    ) -> Result<(usize, Arc<LoadedProgram>), EngineError> {
        let present = self.gpus.present();
        let fits = |i: usize| member.map_or_else(|| present.contains(&i), |member| member == i);
        let programs = self.programs::<u64>(instances, None)?;
        let found = programs.iter().find(|(i, _)| fits(*i));
        let left = || self.gpus.left().map_or_else(String::new, |why| why.to_string());
        found.map(|(i, program)| (*i, program.clone())).ok_or_else(|| EngineError::NotLoaded { why: left() })
    }

    pub(super) const fn spec(&self) -> &ProgramSpec {
        &self.spec
    }

    pub(in crate::engine) const fn gpus(&self) -> &Arc<Gpus> {
        &self.gpus
    }

    /// The results of all expressions, 0 for instances that failed, and these instances. The batches are known
    /// to fit, and the results to have an instance.
    pub(in crate::engine) fn run<B: Base>(
        &self,
        evaluator: &Evaluator<B>,
        operands: &[&Batch<B>],
        results: &mut [&mut Batch<B>],
    ) -> Result<Vec<Vec<Failure>>, EngineError> {
        let batches = operands.iter().zip(&self.spec.inputs).map(|(batch, input)| {
            let bytes = bytemuck::cast_slice::<B, u8>(batch.limbs());
            match batch.layout() {
                Layout::Interleaved if !input.broadcast => {
                    HostBatch::interleaved(bytes, batch.limbs_per_instance())
                }
                _ => HostBatch::new(bytes),
            }
        });
        let batches: Vec<HostBatch<'_>> = batches.collect();
        let instances = results.first().map_or(0, |result| result.instances()) as u64;
        let mut written: Vec<Option<HostResult<'_>>> = self.spec.dag.roots().iter().map(|_| None).collect();
        for (part, result) in evaluator.parts().iter().zip(&mut *results) {
            // Equal expressions are one result of the program.
            if written[part.root()].is_none() {
                written[part.root()] = Some(host_result(result));
            }
        }
        let memory = Results::Memory(written.into_iter().flatten().collect());
        let share = instances / self.gpus.present().len().max(1) as u64;
        let programs = self.programs(share, Some(operands))?;
        let marked = self.gpus.stream(&programs, Operands::Memory(&batches), memory, instances)?;
        for (i, part) in evaluator.parts().iter().enumerate() {
            let first = evaluator.parts()[..i].iter().position(|other| other.root() == part.root());
            if let Some(first) = first {
                *results[i] = results[first].clone();
            }
        }
        failures::name(evaluator, operands, results, &marked)
    }
}

/// The memory of a result.
fn host_result<B: Base>(result: &mut Batch<B>) -> HostResult<'_> {
    let (layout, limbs) = (result.layout(), result.limbs_per_instance());
    let bytes = bytemuck::cast_slice_mut(result.limbs_mut());
    match layout {
        Layout::Interleaved => HostResult::interleaved(bytes, limbs),
        Layout::InstanceMajor => HostResult::new(bytes),
    }
}

/// The paragraph of `limbforge plan --explain` on the chosen kernels.
impl fmt::Display for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gpu { planner, limits, .. } = self.gpus.first();
        let candidates = Program::candidates(&self.spec, limits, planner).unwrap_or_default();
        match candidates.iter().find(|candidate| candidate.is_chosen) {
            Some(chosen) => planner.explain(&self.spec, limits, chosen, chosen.milliseconds()).fmt(f),
            None => Ok(()),
        }
    }
}

impl Gpu {
    /// The loaded kernels of a specification.
    pub(super) fn program(&self, spec: &ProgramSpec) -> Result<Arc<LoadedProgram>, EngineError> {
        let ProgramSpec { dag, ty, limb, inputs, output, product, .. } = spec;
        let inputs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
        let text = format!("{dag} of {ty} by {product} limb={limb} in={} out={output:?}", inputs.join(" "));
        self.loaded(&text, || Ok(Program::with_kernels(spec, &self.limits, &self.planner)?))
    }
}
