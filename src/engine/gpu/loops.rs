//! Loops of programs by products of matrices: in residue number systems, or by folds.

use std::sync::Arc;

use limbforge_algos::program::TypedProgram;
use limbforge_gpu::{DeviceBuffer, GpuError, LoadedKernel, LoadedProgram};
use limbforge_kernels_gen::SequenceSpec;
use limbforge_kernels_gen::program::has_special_modulus;

use super::{Gpu, GpuTape, Gpus};
use crate::engine::error::EngineError;

/// The launches of rounds of a loop.
#[derive(Clone, Debug)]
pub(in crate::engine) struct LoadedLoop {
    program: Arc<LoadedProgram>,
    /// The rate over that of the program's kernel, for whole waves.
    gain: f64,
}

impl Gpus {
    /// Whether loops modulo one of a program's numbers may be faster by products of matrices, as measured: beside moduli
    /// without a form that makes the program's own products cheaper.
    pub(in crate::engine) fn has_residue_loops(&self, program: &TypedProgram) -> bool {
        if has_special_modulus(program) {
            return false;
        }
        let planner = &self.first().planner;
        let forms = [(false, true), (true, true), (false, false), (true, false)];
        let is_measured =
            |ty| forms.iter().any(|&(sums, one)| planner.residue_loops(ty, sums, one).is_some());
        program.moduli().iter().any(|modulus| is_measured(modulus.ty))
    }
}

impl Gpu {
    /// The launches of a loop, if they are faster or preferred, and this GPU has kernels for them.
    pub(super) fn residue_loop(
        &self,
        spec: &SequenceSpec<'_>,
        is_preferred: bool,
    ) -> Result<Option<LoadedLoop>, EngineError> {
        let one_modulus = spec.broadcast.0;
        let measured = self.planner.residue_loops(spec.ty, spec.sequence.has_sums(), one_modulus);
        let (product, gain) = match (measured, is_preferred) {
            (None, false) => return Ok(None),
            (Some(measured), false) => measured,
            (measured, true) => (measured.map_or(spec.product, |(product, _)| product), f64::INFINITY),
        };
        let spec = SequenceSpec { product, ..spec.clone() };
        match self.rendered(&spec, |limits| spec.program(limits)) {
            Ok(program) => Ok(Some(LoadedLoop { program, gain })),
            Err(error) if error.is_of_device() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl LoadedLoop {
    /// Whether rounds of so many instances take less time than by the program's kernel.
    fn pays(&self, instances: u64) -> bool {
        let largest = self.program.kernels().max_by_key(|kernel| kernel.geometry().shared_bytes);
        let wave = largest.map_or(1, LoadedKernel::resident_instances).max(1);
        let taken = instances.div_ceil(wave).saturating_mul(wave);
        instances as f64 * self.gain >= taken as f64
    }
}

impl GpuTape {
    /// The results of rounds of a stage's loop from its operands, in words of 32 bits; None if the program's
    /// kernel has to compute them.
    pub(in crate::engine) fn rounds(
        &self,
        stage: usize,
        operands: &[Vec<u32>],
        instances: u64,
    ) -> Result<Option<Vec<Vec<u32>>>, EngineError> {
        let of_stage = self.loops.get(stage).and_then(Option::as_ref);
        let Some(LoadedLoop { program, .. }) = of_stage.filter(|of| of.pays(instances)) else {
            return Ok(None);
        };
        match self.run_rounds(program, operands, instances) {
            Err(GpuError::OutOfMemory { .. }) => Ok(None),
            done => Ok(Some(done?)),
        }
    }

    fn run_rounds(
        &self,
        program: &LoadedProgram,
        operands: &[Vec<u32>],
        instances: u64,
    ) -> Result<Vec<Vec<u32>>, GpuError> {
        let device = &self.device;
        let inputs = operands.iter().map(|words| device.upload(words)).collect::<Result<Vec<_>, _>>()?;
        let sizes = &program.footprint().outputs;
        let outputs = sizes.iter().map(|bytes| device.alloc(bytes.saturating_mul(instances)));
        let mut outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        let scratch = device.scratch(program, instances)?;
        let inputs: Vec<&DeviceBuffer> = inputs.iter().collect();
        let mut written: Vec<&mut DeviceBuffer> = outputs.iter_mut().collect();
        device.run_program_to(program, &inputs, &scratch, &mut written, instances)?;
        let read = |output: &DeviceBuffer| {
            let mut words = vec![0_u32; usize::try_from(output.bytes() / 4).unwrap_or(usize::MAX)];
            output.copy_to(&mut words)?;
            Ok(words)
        };
        outputs.iter().map(read).collect()
    }
}
