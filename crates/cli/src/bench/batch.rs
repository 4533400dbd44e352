//! The operands of a benchmark, in the GPU's memory, and what their results must be.

use limbforge::algos::cpu;
use limbforge::algos::expr::Dag;
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

/// What the operands of measured expressions are called.
pub(crate) const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Operands of N instances.
#[derive(Debug)]
pub(crate) struct DeviceOperands<B> {
    pub(crate) instances: u64,
    /// By [`NAMES`].
    pub(super) inputs: Vec<DeviceBuffer>,
    /// Twice as large: a wide product fits.
    pub(super) output: DeviceBuffer,
    tile: Vec<Batch<B>>,
    /// Where results are copied to.
    found: Vec<B>,
}

impl<B: Base + Word> DeviceOperands<B> {
    /// The first `count` operands, of as many instances as these bits are, 64 or more. The first of every tile are structured, the others uniform, so
    /// that times are those of random integers.
    pub(crate) fn new(gpu: &Gpu, ty: IntType, batch_bits: u64, operands: usize) -> Result<Self, CliError> {
        let instances = (batch_bits / u64::from(ty.bits())).max(64);
        let count = usize::try_from(instances).unwrap_or(usize::MAX);
        let tile = tile::<B>(ty, count, operands)?;
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
            inputs: tile.iter().map(upload).collect::<Result<_, _>>()?,
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
        let named = NAMES.into_iter().zip(&self.tile);
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

/// How many of the operands an expression takes: up to the last one of its names. None if one has another name.
pub(crate) fn operand_count(dag: &Dag) -> Option<usize> {
    let number = |name: &str| NAMES.iter().position(|other| *other == name).map(|at| at + 1);
    dag.inputs().map(number).try_fold(0, |most, number| Some(most.max(number?)))
}

/// The buffers that an expression takes, in its order.
fn used_inputs<'b>(inputs: &'b [DeviceBuffer], spec: &ProgramSpec) -> Vec<&'b DeviceBuffer> {
    let number = |name: &str| NAMES.iter().position(|other| *other == name).unwrap_or(0);
    spec.dag.inputs().map(|name| &inputs[number(name)]).collect()
}

fn tile<B: Base>(ty: IntType, instances: usize, operands: usize) -> Result<Vec<Batch<B>>, CliError> {
    let count = (TILE_BITS / ty.bits() as usize).max(TILE_INSTANCES).min(instances);
    let mut source = Operands::new(u64::from(ty.bits()));
    let mut batches = source.batches::<B>(ty, operands, count, Places::default()).map_err(EvalError::from)?;
    for batch in &mut batches {
        source.uniform(batch, STRUCTURED);
    }
    Ok(batches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_have_the_names_of_letters() {
        let count = |text: &str| operand_count(&Expr::parse(text).unwrap().to_dag());
        assert_eq!((count("a*b"), count("a*a"), count("b + d")), (Some(2), Some(1), Some(4)));
        assert_eq!((count("a*b + c*d + e*f"), count("a*g"), count("3")), (Some(6), None, Some(0)));
    }

    #[test]
    fn tiles_are_structured_first_and_random_after_that() {
        let ty = IntType::unsigned(512).unwrap();
        let all = tile::<u64>(ty, 1 << 20, 3).unwrap();
        let [a, b, _] = &*all else { panic!("{} operands", all.len()) };
        assert_eq!((a.instances(), b.instances()), (1 << 15, 1 << 15));
        let ones = |batch: &Batch<u64>, range: std::ops::Range<usize>| {
            range.filter(|&i| batch.instance(i) == [u64::MAX; 8]).count()
        };
        assert!(ones(a, 0..STRUCTURED) >= 16 && ones(a, STRUCTURED..a.instances()) == 0);
        assert_ne!(a, b);
        assert_eq!(tile::<u32>(IntType::unsigned(1 << 18).unwrap(), 1 << 20, 2).unwrap()[0].instances(), 560);
        assert_eq!(tile::<u32>(ty, 64, 2).unwrap()[1].instances(), 64);
    }
}
