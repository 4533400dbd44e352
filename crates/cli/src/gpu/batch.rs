//! The operands of a benchmark, in the GPU's memory, and what their results must be.

use limbforge::algos::cpu;
use limbforge::limb::IntType;
use limbforge::prelude::*;
use limbforge_gpu::{DeviceBuffer, LoadedProgram, Scratch, Timings, Word};
use limbforge_kernels_gen::ProgramSpec;
use rayon::prelude::*;

use super::kernels::Gpu;
use super::tile::{Divisors, Tile, instances, number, repeated};
use crate::error::CliError;

/// What the result's buffer holds before a kernel runs.
const POISON: u8 = 0xa5;

/// Runs before those that are timed.
pub const WARMUP: usize = 3;

/// Operands of N instances in the GPU's memory.
#[derive(Debug)]
pub struct DeviceOperands<B> {
    pub instances: u64,
    /// By [`NAMES`](super::tile::NAMES).
    pub inputs: Vec<DeviceBuffer>,
    /// Twice as large: a wide product fits.
    pub output: DeviceBuffer,
    tile: Tile<B>,
    /// The operand that is one for the batch, by its number.
    shared: Option<(usize, DeviceBuffer)>,
    /// Where results are copied to.
    found: Vec<B>,
}

impl<B: Base + Word> DeviceOperands<B> {
    /// The first `count` operands, of as many instances as these bits are, 64 or more.
    pub fn new(gpu: &Gpu, ty: IntType, batch_bits: u64, operands: usize) -> Result<Self, CliError> {
        let instances = instances(ty, batch_bits);
        let count = usize::try_from(instances).unwrap_or(usize::MAX);
        let tile = Tile::new(ty, instances, operands)?;
        let len = count.saturating_mul(ty.limbs::<B>());
        let upload = |batch| Ok(gpu.device.upload(&repeated(batch, count))?);
        Ok(Self {
            instances,
            inputs: tile.batches.iter().map(upload).collect::<Result<_, CliError>>()?,
            output: gpu.device.alloc((2 * len * B::BYTES) as u64)?,
            tile,
            shared: None,
            found: vec![B::ZERO; 2 * len],
        })
    }

    /// Cuts the second operand of all instances down to this width.
    pub fn set_second(&mut self, gpu: &Gpu, second: Divisors) -> Result<(), CliError> {
        if self.tile.set_second(second)? {
            let count = usize::try_from(self.instances).unwrap_or(usize::MAX);
            self.inputs[1] = gpu.device.upload(&repeated(&self.tile.batches[1], count))?;
        }
        Ok(())
    }

    /// Makes an operand one for all instances, or none.
    pub fn set_shared(&mut self, gpu: &Gpu, operand: Option<&str>) -> Result<(), CliError> {
        self.tile.set_shared(operand)?;
        self.shared = match &self.tile.shared {
            Some((number, batch)) => Some((*number, gpu.device.upload(batch.limbs())?)),
            None => None,
        };
        Ok(())
    }

    /// Times of a program whose results are those of the CPU backend, on the device itself, after warm-up.
    ///
    /// # Errors
    /// [`CliError::BenchDiffers`] if a result is wrong, and what the GPU says.
    pub fn time(
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
        Ok(gpu.device.time(WARMUP, repeats as usize, run)?)
    }

    /// Times of each of a program's kernels, one after the other: [`Device::time_launches`](limbforge_gpu::Device::time_launches).
    ///
    /// # Errors
    /// What the GPU says.
    pub fn time_launches(
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
        let used = self.tile.named(&spec.dag);
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

/// The buffers that an expression takes, in its order.
fn used_inputs<'b>(
    inputs: &'b [DeviceBuffer],
    shared: Option<&'b (usize, DeviceBuffer)>,
    spec: &ProgramSpec,
) -> Vec<&'b DeviceBuffer> {
    let buffer = |i: usize| match shared {
        Some((number, one)) if *number == i => one,
        _ => &inputs[i],
    };
    spec.dag.inputs().map(|name| buffer(number(name))).collect()
}
