//! The operands of a benchmark, in the GPU's memory, and what their results must be.

use limbforge::algos::cpu;
use limbforge::algos::expr::Dag;
use limbforge::limb::IntType;
use limbforge::prelude::*;
use limbforge_gpu::{DeviceBuffer, LoadedProgram, Scratch, Timings, Word};
use limbforge_kernels_gen::ProgramSpec;
use rayon::prelude::*;

use super::operations::Divisors;
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
    /// How wide the second operand is.
    second: Divisors,
    /// The operand that is one for the batch, if one is.
    shared: Option<Shared<B>>,
    /// Where results are copied to.
    found: Vec<B>,
}

/// An operand of one instance for all.
#[derive(Debug)]
struct Shared<B> {
    /// By [`NAMES`].
    number: usize,
    batch: Batch<B>,
    buffer: DeviceBuffer,
}

impl<B: Base + Word> DeviceOperands<B> {
    /// The first `count` operands, of as many instances as these bits are, 64 or more. The first of every tile are structured, the others uniform, so
    /// that times are those of random integers.
    pub(crate) fn new(gpu: &Gpu, ty: IntType, batch_bits: u64, operands: usize) -> Result<Self, CliError> {
        let instances = (batch_bits / u64::from(ty.bits())).max(64);
        let count = usize::try_from(instances).unwrap_or(usize::MAX);
        let tile = tile::<B>(ty, count, operands)?;
        let len = count.saturating_mul(ty.limbs::<B>());
        Ok(Self {
            instances,
            inputs: tile.iter().map(|batch| upload(gpu, batch, count)).collect::<Result<_, _>>()?,
            output: gpu.device.alloc((2 * len * B::BYTES) as u64)?,
            tile,
            second: Divisors::Full,
            shared: None,
            found: vec![B::ZERO; 2 * len],
        })
    }

    /// Cuts the second operand of all instances down to this width.
    ///
    /// # Errors
    /// [`CliError::Gpu`].
    pub(super) fn set_second(&mut self, gpu: &Gpu, second: Divisors) -> Result<(), CliError> {
        if self.second == second {
            return Ok(());
        }
        let ty = self.tile[0].ty();
        let count = usize::try_from(self.instances).unwrap_or(usize::MAX);
        let fresh = tile::<B>(ty, count, self.tile.len())?;
        let mut divisors = fresh.into_iter().nth(1).unwrap_or_else(|| self.tile[0].clone());
        let kept = match second {
            Divisors::Full => divisors.limbs_per_instance(),
            Divisors::Half => divisors.limbs_per_instance().div_ceil(2),
            Divisors::Limb => 1,
        };
        for i in 0..divisors.instances() {
            let mut limbs = divisors.instance(i);
            limbs[kept..].fill(B::ZERO);
            divisors.set_instance(i, &limbs);
        }
        self.inputs[1] = upload(gpu, &divisors, count)?;
        self.tile[1] = divisors;
        self.second = second;
        Ok(())
    }

    /// Makes an operand one for all instances, the last of its tile, which is random; or none.
    ///
    /// # Errors
    /// [`CliError::Eval`] and [`CliError::Gpu`].
    pub(super) fn set_shared(&mut self, gpu: &Gpu, operand: Option<&str>) -> Result<(), CliError> {
        self.shared = None;
        let Some(number) = operand.map(number) else { return Ok(()) };
        let all = &self.tile[number];
        let mut batch = Batch::zeros(all.ty(), all.layout(), 1).map_err(EvalError::from)?;
        batch.set_instance(0, &all.instance(all.instances() - 1));
        let buffer = upload(gpu, &batch, 1)?;
        self.shared = Some(Shared { number, batch, buffer });
        Ok(())
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
        let Self { inputs, output, instances, shared, .. } = self;
        let inputs = used_inputs(inputs, shared.as_ref(), spec);
        let run = || gpu.device.run_program(program, &inputs, &scratch, output, *instances);
        Ok(gpu.device.time(super::WARMUP, repeats as usize, run)?)
    }

    /// Times of each of a program's kernels, one after the other: [`Device::time_launches`](limbforge_gpu::Device::time_launches).
    ///
    /// # Errors
    /// What the GPU says.
    pub(super) fn time_launches(
        &mut self,
        gpu: &Gpu,
        spec: &ProgramSpec,
        program: &LoadedProgram,
        repeats: u32,
    ) -> Result<Vec<Timings>, CliError> {
        let scratch = gpu.device.scratch(program, self.instances)?;
        let Self { inputs, output, instances, shared, .. } = self;
        let inputs = used_inputs(inputs, shared.as_ref(), spec);
        let mut runs = vec![];
        for _ in 0..repeats.max(1) {
            runs.push(gpu.device.time_launches(program, &inputs, &scratch, output, *instances)?);
        }
        let count = program.kernels().count();
        Ok((0..count).map(|i| Timings::new(runs.iter().map(|run| run[i]).collect())).collect())
    }

    /// Runs the program once and compares every instance with the CPU backend.
    fn validate(
        &mut self,
        gpu: &Gpu,
        spec: &ProgramSpec,
        program: &LoadedProgram,
        scratch: &Scratch,
    ) -> Result<(), CliError> {
        let tile = self.tile.iter().enumerate();
        let batches = tile.map(|(i, batch)| of_all(self.shared.as_ref(), i).map_or(batch, |one| &one.batch));
        let named = NAMES.into_iter().zip(batches);
        let used: Vec<_> = named.filter(|(name, _)| spec.dag.inputs().any(|input| input == *name)).collect();
        // Where there is no result, none is compared.
        let Checked { values: expected, failures } = cpu::eval_checked(&spec.dag, &used)?;
        self.output.fill(POISON)?;
        let inputs = used_inputs(&self.inputs, self.shared.as_ref(), spec);
        gpu.device.run_program(program, &inputs, scratch, &mut self.output, self.instances)?;
        self.output.copy_to(&mut self.found)?;
        let tile = expected.limbs();
        let m = expected.limbs_per_instance();
        let results = &mut self.found[..self.instances as usize * m];
        let marked = gpu.device.marked(scratch, self.instances)?;
        if let Some(instance) = wrongly_marked(&failures, &marked, expected.instances(), self.instances) {
            return Err(CliError::BenchDiffers { spec: format!("{} {}", spec.ty, spec.dag), instance });
        }
        for &instance in &marked {
            results[instance as usize * m..][..m].fill(B::ZERO);
        }
        let differs = |(_, found): &(usize, &[B])| found != &&tile[..found.len()];
        let wrong = results.par_chunks(tile.len()).enumerate().find_first(differs);
        let Some((index, found)) = wrong else { return Ok(()) };
        let limb = found.iter().zip(tile).position(|(found, expected)| found != expected).unwrap_or(0);
        let instance = index * expected.instances() + limb / expected.limbs_per_instance();
        Err(CliError::BenchDiffers { spec: format!("{} {}", spec.ty, spec.dag), instance })
    }
}

/// The first instance that is marked although the CPU has a result for it in the tile, which repeats, or the other way round.
fn wrongly_marked(failures: &[Failure], marked: &[u64], tile: usize, instances: u64) -> Option<usize> {
    let mut fails = vec![false; tile];
    for failure in failures {
        fails[failure.instance] = true;
    }
    let mut marked = marked.iter().peekable();
    (0..instances).position(|i| {
        let is_marked = marked.next_if(|&&instance| instance == i).is_some();
        is_marked != fails[(i % tile as u64) as usize]
    })
}

/// How many of the operands an expression takes: up to the last one of its names. None if one has another name.
pub(crate) fn operand_count(dag: &Dag) -> Option<usize> {
    let number = |name: &str| NAMES.iter().position(|other| *other == name).map(|at| at + 1);
    dag.inputs().map(number).try_fold(0, |most, number| Some(most.max(number?)))
}

/// The buffers that an expression takes, in its order.
fn used_inputs<'b, B>(
    inputs: &'b [DeviceBuffer],
    shared: Option<&'b Shared<B>>,
    spec: &ProgramSpec,
) -> Vec<&'b DeviceBuffer> {
    let buffer = |number: usize| of_all(shared, number).map_or(&inputs[number], |one| &one.buffer);
    spec.dag.inputs().map(|name| buffer(number(name))).collect()
}

/// The operand that is one for all instances, if it is this one.
fn of_all<B>(shared: Option<&Shared<B>>, number: usize) -> Option<&Shared<B>> {
    shared.filter(|shared| shared.number == number)
}

/// An operand's number by its name, which is one of [`NAMES`].
fn number(name: &str) -> usize {
    NAMES.iter().position(|other| *other == name).unwrap_or(0)
}

/// The tile on the device as often as it takes for so many instances.
fn upload<B: Base + Word>(gpu: &Gpu, tile: &Batch<B>, instances: usize) -> Result<DeviceBuffer, CliError> {
    let len = instances.saturating_mul(tile.limbs_per_instance());
    let mut limbs = Vec::with_capacity(len);
    while limbs.len() < len {
        limbs.extend_from_slice(&tile.limbs()[..tile.limbs().len().min(len - limbs.len())]);
    }
    Ok(gpu.device.upload(&limbs)?)
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
