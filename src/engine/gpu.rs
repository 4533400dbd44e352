//! A GPU with the programs that it has been given so far.

mod failures;
mod poly;
mod transform;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use limbforge_algos::cpu::{Checked, EvalError, Shape, bind};
use limbforge_algos::expr::Dag;
use limbforge_gpu::{Chunk, Compiler, Device, GpuError, LoadedProgram, TuningError};
use limbforge_kernels_gen::ntt::TransformSpec;
use limbforge_kernels_gen::poly::PolyShape;
use limbforge_kernels_gen::{InputSpec, LimbKind, Limits, Planner, Product, Program, ProgramSpec, Target};
use limbforge_limb::{Base, Batch, IntType, Layout};

use super::EngineError;

/// The values, and the instances that have none.
type Marked<B> = (Batch<B>, Vec<u64>);

/// What was loaded, by what it was made from.
type Programs<Key, Loaded> = Arc<Mutex<HashMap<Key, Arc<Loaded>>>>;

#[derive(Clone, Debug)]
pub(super) struct Gpu {
    device: Device,
    compiler: Arc<Compiler>,
    limits: Limits,
    /// Chooses products, by what was measured on this GPU if `limbforge tune` was run.
    planner: Arc<Planner>,
    /// Why what was measured is not used.
    tuning_error: Option<Arc<TuningError>>,
    /// Bytes that an evaluation may take on the device, if the user has said so.
    memory: Option<u64>,
    programs: Programs<ProgramSpec, LoadedProgram>,
    transforms: Programs<TransformSpec, LoadedProgram>,
    /// By the field's modulus and the shape.
    polys: Programs<(u64, PolyShape), LoadedProgram>,
}

impl Gpu {
    pub(super) fn open(ordinal: usize) -> Result<Self, GpuError> {
        let device = Device::open(ordinal)?;
        let compiler = Arc::new(Compiler::from_environment()?);
        let limits = device.info().limits();
        let (planner, error) = device.info().planner();
        let (planner, tuning_error) = (Arc::new(planner), error.map(Arc::new));
        let (programs, transforms, polys) = (Arc::default(), Arc::default(), Arc::default());
        Ok(Self {
            device,
            compiler,
            limits,
            planner,
            tuning_error,
            memory: None,
            programs,
            transforms,
            polys,
        })
    }

    pub(super) fn with_memory(&self, bytes: u64) -> Arc<Self> {
        Arc::new(Self { memory: Some(bytes), ..self.clone() })
    }

    pub(super) fn name(&self) -> &str {
        &self.device.info().name
    }

    pub(super) fn tuning_error(&self) -> Option<&TuningError> {
        self.tuning_error.as_deref()
    }

    /// Bytes that may be taken now.
    fn allowance(&self) -> Result<u64, GpuError> {
        self.memory.map_or_else(|| Ok(self.device.memory()?.free / 5 * 4), Ok)
    }

    pub(super) fn eval<B: Base>(
        &self,
        dag: &Dag,
        inputs: &[(&str, &Batch<B>)],
    ) -> Result<Checked<B>, EngineError> {
        let shape = Shape::of(inputs)?;
        let operands = bind(dag, inputs)?;
        let result_type = dag.result_type(shape.ty).map_err(EvalError::from)?;
        let bytes = |batch: &Batch<B>| size_of_val(batch.limbs()) as u64;
        let result_bytes = (shape.instances * result_type.limbs::<B>() * B::BYTES) as u64;
        let allowance = self.allowance()?;
        if shape.instances == 0 {
            let values = Batch::zeros(result_type, shape.layout, 0).map_err(EvalError::from)?;
            return Ok(Checked { values, failures: vec![] });
        }
        let one_for_all = |batch: &Batch<B>| batch.instances() == 1 && shape.instances != 1;
        let placed: Vec<(Layout, bool)> =
            operands.iter().map(|batch| (batch.layout(), one_for_all(batch))).collect();
        let program = self.program::<B>(dag, shape, shape.layout, &placed)?;
        let scratch_bytes = program.scratch_bytes(shape.instances as u64);
        let operand_bytes = operands.iter().map(|batch| bytes(batch)).sum::<u64>();
        let (values, marked) = if (operand_bytes + result_bytes).saturating_add(scratch_bytes) <= allowance {
            self.eval_at_once(&program, shape, result_type, &operands)?
        } else {
            self.eval_in_chunks(dag, shape, result_type, &operands, allowance)?
        };
        failures::name(dag, inputs, values, &marked)
    }

    fn eval_at_once<B: Base>(
        &self,
        program: &LoadedProgram,
        shape: Shape,
        result_type: IntType,
        operands: &[&Batch<B>],
    ) -> Result<Marked<B>, EngineError> {
        let mut result = Batch::zeros(result_type, shape.layout, shape.instances).map_err(EvalError::from)?;
        let mut buffers = Vec::with_capacity(operands.len());
        for batch in operands {
            buffers.push(self.device.upload(bytemuck::cast_slice::<B, u8>(batch.limbs()))?);
        }
        let mut output = self.device.alloc(size_of_val(result.limbs()) as u64)?;
        let instances = shape.instances as u64;
        let scratch = self.device.scratch(program, instances)?;
        let inputs = buffers.iter().collect::<Vec<_>>();
        self.device.run_program(program, &inputs, &scratch, &mut output, instances)?;
        output.copy_to(bytemuck::cast_slice_mut::<B, u8>(result.limbs_mut()))?;
        Ok((result, self.device.marked(&scratch, instances)?))
    }

    /// Chunks are instance-major, and an integer for all is repeated: only what a chunk needs is on the device.
    fn eval_in_chunks<B: Base>(
        &self,
        dag: &Dag,
        shape: Shape,
        result_type: IntType,
        operands: &[&Batch<B>],
        allowance: u64,
    ) -> Result<Marked<B>, EngineError> {
        let placed = vec![(Layout::InstanceMajor, false); operands.len()];
        let program = self.program::<B>(dag, shape, Layout::InstanceMajor, &placed)?;
        let mut result =
            Batch::zeros(result_type, Layout::InstanceMajor, shape.instances).map_err(EvalError::from)?;
        let result_bytes = (result_type.limbs::<B>() * B::BYTES) as u64;
        let out = bytemuck::cast_slice_mut::<B, u8>(result.limbs_mut());
        let m = shape.ty.limbs::<B>();
        let mut limbs = vec![];
        let read = |chunk: &Chunk, input: usize, room: &mut [u8]| -> Result<(), EngineError> {
            let batch = operands[input];
            let repeated = batch.instances() == 1;
            limbs.resize(room.len() / B::BYTES, B::ZERO);
            if repeated {
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
        self.device.stream(&program, shape.instances as u64, allowance, read, write)?;
        Ok((result.into_layout(shape.layout), marked))
    }

    /// The loaded program for operands that lie so and are broadcast or not.
    fn program<B: Base>(
        &self,
        dag: &Dag,
        shape: Shape,
        output: Layout,
        placed: &[(Layout, bool)],
    ) -> Result<Arc<LoadedProgram>, EngineError> {
        let inputs = dag
            .inputs()
            .zip(placed)
            .map(|(name, &(layout, broadcast))| InputSpec::integers(name, layout, broadcast))
            .collect();
        let spec = ProgramSpec {
            dag: dag.clone(),
            ty: shape.ty,
            limb: LimbKind::of_any::<B>()?,
            inputs,
            output,
            product: Product::Auto,
            target: Target::Cuda,
        };
        if let Some(program) = self.programs.lock().unwrap_or_else(PoisonError::into_inner).get(&spec) {
            return Ok(program.clone());
        }
        let (program, kernels) = Program::with_kernels(&spec, &self.limits, &self.planner)?;
        let loaded = Arc::new(self.device.load_program(&self.compiler, &program, &kernels)?);
        self.programs.lock().unwrap_or_else(PoisonError::into_inner).insert(spec, loaded.clone());
        Ok(loaded)
    }
}
