//! An expression on the GPU.

use core::fmt;
use std::sync::{Arc, OnceLock};

use limbforge_algos::cpu::{EvalError, Evaluator, Failure};
use limbforge_gpu::{Chunk, LoadedProgram};
use limbforge_kernels_gen::{InputSpec, LimbKind, Product, Program, ProgramSpec, Target};
use limbforge_limb::{Base, Batch, Layout};

use super::{Gpu, failures};
use crate::engine::error::EngineError;
use crate::engine::placement::{Operand, Placed};

/// The kernels of an expression, loaded for operands that lie in one way.
#[derive(Debug)]
pub(in crate::engine) struct Loaded {
    gpu: Arc<Gpu>,
    spec: ProgramSpec,
    program: Arc<LoadedProgram>,
    /// The kernels for batches that go through the device in chunks, loaded with the first one that does.
    streamed: OnceLock<Arc<LoadedProgram>>,
}

impl Loaded {
    pub(in crate::engine) fn new<B: Base>(
        gpu: &Arc<Gpu>,
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
        let program = gpu.program(&spec)?;
        Ok(Self { gpu: gpu.clone(), spec, program, streamed: OnceLock::new() })
    }

    pub(in crate::engine) fn device_name(&self) -> &str {
        self.gpu.name()
    }

    /// The results, 0 for instances that failed, and these instances. The batches are known to fit, and the
    /// result to have an instance.
    pub(in crate::engine) fn run<B: Base>(
        &self,
        evaluator: &Evaluator<B>,
        operands: &[&Batch<B>],
        result: &mut Batch<B>,
    ) -> Result<Vec<Failure>, EngineError> {
        let bytes = |batch: &Batch<B>| size_of_val(batch.limbs()) as u64;
        let batches = operands.iter().map(|batch| bytes(batch)).sum::<u64>() + bytes(result);
        let scratch = self.program.scratch_bytes(result.instances() as u64);
        let allowance = self.gpu.allowance()?;
        let marked = if batches.saturating_add(scratch) <= allowance {
            self.run_at_once(operands, result)?
        } else {
            self.run_in_chunks(operands, result, allowance)?
        };
        failures::name(evaluator, operands, result, &marked)
    }

    /// Returns the instances that have no result.
    fn run_at_once<B: Base>(
        &self,
        operands: &[&Batch<B>],
        result: &mut Batch<B>,
    ) -> Result<Vec<u64>, EngineError> {
        let (device, program) = (&self.gpu.device, &self.program);
        let mut buffers = Vec::with_capacity(operands.len());
        for batch in operands {
            buffers.push(device.upload(bytemuck::cast_slice::<B, u8>(batch.limbs()))?);
        }
        let mut output = device.alloc(size_of_val(result.limbs()) as u64)?;
        let instances = result.instances() as u64;
        let scratch = device.scratch(program, instances)?;
        let inputs = buffers.iter().collect::<Vec<_>>();
        device.run_program(program, &inputs, &scratch, &mut output, instances)?;
        output.copy_to(bytemuck::cast_slice_mut::<B, u8>(result.limbs_mut()))?;
        Ok(device.marked(&scratch, instances)?)
    }

    /// The same in chunks, which are instance-major, with an integer for all repeated: only what a chunk
    /// needs is on the device.
    fn run_in_chunks<B: Base>(
        &self,
        operands: &[&Batch<B>],
        result: &mut Batch<B>,
        allowance: u64,
    ) -> Result<Vec<u64>, EngineError> {
        let (ty, instances) = (result.ty(), result.instances());
        let mut major = Batch::zeros(ty, Layout::InstanceMajor, instances).map_err(EvalError::from)?;
        let result_bytes = (ty.limbs::<B>() * B::BYTES) as u64;
        let out = bytemuck::cast_slice_mut::<B, u8>(major.limbs_mut());
        let m = self.spec.ty.limbs::<B>();
        let mut limbs = vec![];
        let read = |chunk: &Chunk, input: usize, room: &mut [u8]| -> Result<(), EngineError> {
            let batch = operands[input];
            limbs.resize(room.len() / B::BYTES, B::ZERO);
            if batch.instances() == 1 {
                for instance in limbs.chunks_exact_mut(m) {
                    batch.read_instances(0, instance);
                }
            } else {
                batch.read_instances(chunk.first as usize, &mut limbs);
            }
            room.copy_from_slice(bytemuck::cast_slice(&limbs));
            Ok(())
        };
        let mut marked = vec![];
        let write = |chunk: &Chunk, bytes: &[u8], marks: &[u32]| -> Result<(), EngineError> {
            out[chunk.bytes(result_bytes)].copy_from_slice(bytes);
            let instances = (chunk.first..).zip(marks);
            marked.extend(instances.filter(|(_, mark)| **mark != 0).map(|(instance, _)| instance));
            Ok(())
        };
        self.gpu.device.stream(self.streamed()?, instances as u64, allowance, read, write)?;
        *result = major.into_layout(result.layout());
        Ok(marked)
    }

    /// The kernels for chunks: those that there are already if all batches lie as chunks do.
    fn streamed(&self) -> Result<&LoadedProgram, EngineError> {
        if let Some(program) = self.streamed.get() {
            return Ok(program);
        }
        let inputs = self.spec.inputs.iter();
        let inputs = inputs.map(|input| InputSpec::integers(&input.name, Layout::InstanceMajor, false));
        let spec =
            ProgramSpec { inputs: inputs.collect(), output: Layout::InstanceMajor, ..self.spec.clone() };
        let program = self.gpu.program(&spec)?;
        Ok(self.streamed.get_or_init(|| program))
    }
}

/// The paragraph of `limbforge plan --explain` on the chosen kernels.
impl fmt::Display for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gpu { planner, limits, .. } = &*self.gpu;
        let candidates = Program::candidates(&self.spec, limits, planner).unwrap_or_default();
        match candidates.iter().find(|candidate| candidate.is_chosen) {
            Some(chosen) => planner.explain(&self.spec, limits, chosen, chosen.milliseconds()).fmt(f),
            None => Ok(()),
        }
    }
}

impl Gpu {
    /// The loaded kernels of a specification.
    fn program(&self, spec: &ProgramSpec) -> Result<Arc<LoadedProgram>, EngineError> {
        let ProgramSpec { dag, ty, limb, inputs, output, .. } = spec;
        let inputs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
        let text = format!("{dag} of {ty} limb={limb} in={} out={output:?}", inputs.join(" "));
        self.loaded(&text, || Ok(Program::with_kernels(spec, &self.limits, &self.planner)?))
    }
}
