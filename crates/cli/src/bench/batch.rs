//! The operands of a benchmark, in the GPU's memory, and what their results must be.

use limbforge::algos::cpu;
use limbforge::limb::IntType;
use limbforge::prelude::*;
use limbforge_gpu::{DeviceBuffer, LoadedProgram, Scratch, Timings, Word};
use limbforge_kernels_gen::ProgramSpec;
use rayon::prelude::*;

use crate::error::CliError;
use crate::kernels::{Gpu, Places};
use crate::operands::Operands;

/// Every shape of integer in every relation to its neighbour, twice.
const STRUCTURED: usize = 112;

/// Instances that differ from each other, at least, and their bits; the others repeat them.
const TILE_INSTANCES: usize = 5 * STRUCTURED;
const TILE_BITS: usize = 1 << 24;

/// What the result's buffer holds before a kernel runs.
const POISON: u8 = 0xa5;

/// Two operands of N instances.
#[derive(Debug)]
pub(crate) struct Operand2<B> {
    pub(crate) instances: u64,
    pub(super) inputs: [DeviceBuffer; 2],
    /// Twice as large: a wide product fits.
    pub(super) output: DeviceBuffer,
    tile: [Batch<B>; 2],
    /// Where results are copied to.
    found: Vec<B>,
}

impl<B: Base + Word> Operand2<B> {
    /// As many instances as these bits are, 64 or more. The first of every tile are structured, the others uniform, so
    /// that times are those of random integers.
    pub(crate) fn new(gpu: &Gpu, ty: IntType, batch_bits: u64) -> Result<Self, CliError> {
        let instances = (batch_bits / u64::from(ty.bits())).max(64);
        let count = usize::try_from(instances).unwrap_or(usize::MAX);
        let tile = tile::<B>(ty, count)?;
        let len = count.saturating_mul(ty.limbs::<B>());
        let upload = |batch: &Batch<B>| {
            let mut limbs = Vec::with_capacity(len);
            while limbs.len() < len {
                limbs.extend_from_slice(&batch.limbs()[..batch.limbs().len().min(len - limbs.len())]);
            }
            gpu.device.upload(&limbs)
        };
        Ok(Self {
            instances,
            inputs: [upload(&tile[0])?, upload(&tile[1])?],
            output: gpu.device.alloc((2 * len * B::BYTES) as u64)?,
            tile,
            found: vec![B::ZERO; 2 * len],
        })
    }

    /// Times of a program whose results are those of the CPU backend, on the device itself, after warm-up.
    ///
    /// # Errors
    /// [`CliError::BenchDiffers`] if a result is wrong, and what the GPU says.
    pub(crate) fn time(
        &mut self,
        gpu: &Gpu,
        spec: &ProgramSpec,
        program: &LoadedProgram,
        repeats: u32,
    ) -> Result<Timings, CliError> {
        let scratch = gpu.device.scratch(program, self.instances)?;
        self.validate(gpu, spec, program, &scratch)?;
        let Self { inputs, output, instances, .. } = self;
        let inputs = used_inputs(inputs, spec);
        let run = || gpu.device.run_program(program, &inputs, &scratch, output, *instances);
        Ok(gpu.device.time(super::WARMUP, repeats as usize, run)?)
    }

    /// Runs the program once and compares every instance with the CPU backend.
    fn validate(
        &mut self,
        gpu: &Gpu,
        spec: &ProgramSpec,
        program: &LoadedProgram,
        scratch: &Scratch,
    ) -> Result<(), CliError> {
        let named = ["a", "b"].into_iter().zip(&self.tile);
        let used: Vec<_> = named.filter(|(name, _)| spec.dag.inputs().any(|input| input == *name)).collect();
        let expected = cpu::eval(&spec.dag, &used)?;
        self.output.fill(POISON)?;
        let inputs = used_inputs(&self.inputs, spec);
        gpu.device.run_program(program, &inputs, scratch, &mut self.output, self.instances)?;
        self.output.copy_to(&mut self.found)?;
        let tile = expected.limbs();
        let results = &self.found[..self.instances as usize * expected.limbs_per_instance()];
        let differs = |(_, found): &(usize, &[B])| found != &&tile[..found.len()];
        let wrong = results.par_chunks(tile.len()).enumerate().find_first(differs);
        let Some((index, found)) = wrong else { return Ok(()) };
        let limb = found.iter().zip(tile).position(|(found, expected)| found != expected).unwrap_or(0);
        let instance = index * expected.instances() + limb / expected.limbs_per_instance();
        Err(CliError::BenchDiffers { spec: format!("{} {}", spec.ty, spec.dag), instance })
    }
}

/// The operands' buffers that an expression of `a`, or of `a` and `b`, takes.
fn used_inputs<'b>(inputs: &'b [DeviceBuffer; 2], spec: &ProgramSpec) -> Vec<&'b DeviceBuffer> {
    spec.dag.inputs().map(|name| &inputs[usize::from(name == "b")]).collect()
}

fn tile<B: Base>(ty: IntType, instances: usize) -> Result<[Batch<B>; 2], CliError> {
    let count = (TILE_BITS / ty.bits() as usize).max(TILE_INSTANCES).min(instances);
    let mut operands = Operands::new(u64::from(ty.bits()));
    let mut batches =
        operands.batches::<B>(ty, 2, count, Places::default()).map_err(EvalError::from)?.into_iter();
    let mut next = || {
        let mut batch = batches.next().map_or_else(|| Batch::zeros(ty, Layout::InstanceMajor, count), Ok);
        if let Ok(batch) = &mut batch {
            operands.uniform(batch, STRUCTURED);
        }
        batch.map_err(EvalError::from)
    };
    Ok([next()?, next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_structured_first_and_random_after_that() {
        let ty = IntType::unsigned(512).unwrap();
        let [a, b] = tile::<u64>(ty, 1 << 20).unwrap();
        assert_eq!((a.instances(), b.instances()), (1 << 15, 1 << 15));
        let ones = |batch: &Batch<u64>, range: std::ops::Range<usize>| {
            range.filter(|&i| batch.instance(i) == [u64::MAX; 8]).count()
        };
        assert!(ones(&a, 0..STRUCTURED) >= 16 && ones(&a, STRUCTURED..a.instances()) == 0);
        assert_ne!(a, b);
        assert_eq!(tile::<u32>(IntType::unsigned(1 << 18).unwrap(), 1 << 20).unwrap()[0].instances(), 560);
        assert_eq!(tile::<u32>(ty, 64).unwrap()[1].instances(), 64);
    }
}
