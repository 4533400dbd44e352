//! The operands of a benchmark in the GPU's memory, and the comparison of results.

use limbforge::{algos::cpu, limb::IntType, prelude::*};
use limbforge_gpu::{Device, DeviceBuffer, LoadedProgram, Scratch, Timings, Word};
use limbforge_kernels_gen::ProgramSpec;
use rayon::prelude::*;

use super::tile::{Divisors, Tile, instances, number, repeated};
use crate::error::CliError;

/// The bytes of a result's buffer before a kernel runs, which no kernel leaves there by itself.
pub const POISON: u8 = 0xa5;

/// Runs before the timed ones.
pub const WARMUP: usize = 3;

/// Operands in the GPU's memory.
#[derive(Debug)]
pub struct DeviceOperands<B> {
    device: Device,
    pub instances: u64,
    /// By [`NAMES`](super::tile::NAMES).
    pub inputs: Vec<DeviceBuffer>,
    /// Twice as large: a wide product fits.
    pub output: DeviceBuffer,
    tile: Tile<B>,
    /// The operand that all instances share, by its number.
    shared: Option<(usize, DeviceBuffer)>,
    /// Where results are copied to.
    found: Vec<B>,
}

impl<B: Base + Word> DeviceOperands<B> {
    /// The first `count` operands, of as many instances as these bits are, 64 or more.
    pub fn new(device: &Device, ty: IntType, batch_bits: u64, operands: usize) -> Result<Self, CliError> {
        let instances = instances(ty, batch_bits);
        let count = usize::try_from(instances).unwrap_or(usize::MAX);
        let tile = Tile::new(ty, instances, operands)?;
        let len = count.saturating_mul(ty.limbs::<B>());
        let upload = |batch| Ok(device.upload(&repeated(batch, count))?);
        Ok(Self {
            device: device.clone(),
            instances,
            inputs: tile.batches.iter().map(upload).collect::<Result<_, CliError>>()?,
            output: device.alloc((2 * len * B::BYTES) as u64)?,
            tile,
            shared: None,
            found: vec![B::ZERO; 2 * len],
        })
    }

    /// Cuts the second operand of all instances down to this width.
    pub fn set_second(&mut self, second: Divisors) -> Result<(), CliError> {
        if self.tile.set_second(second) {
            let count = usize::try_from(self.instances).unwrap_or(usize::MAX);
            self.inputs[1] = self.device.upload(&repeated(&self.tile.batches[1], count))?;
        }
        Ok(())
    }

    /// Lets all instances share an operand, or none.
    pub fn set_shared(&mut self, operand: Option<&str>) -> Result<(), CliError> {
        self.tile.set_shared(operand)?;
        let upload = |(number, batch): &(usize, Batch<B>)| Ok((*number, self.device.upload(batch.limbs())?));
        self.shared = self.tile.shared.as_ref().map(upload).transpose().map_err(CliError::Gpu)?;
        Ok(())
    }

    /// Times of a program on the device, after its results were compared with the CPU backend.
    pub fn time(
        &mut self,
        spec: &ProgramSpec,
        program: &LoadedProgram,
        repeats: u32,
    ) -> Result<Timings, CliError> {
        let scratch = self.device.scratch(program, self.instances)?;
        self.validate(spec, program, &scratch)?;
        let inputs = used_inputs(&self.inputs, self.shared.as_ref(), spec);
        let run = || self.device.run_program(program, &inputs, &scratch, &mut self.output, self.instances);
        Ok(self.device.time(WARMUP, repeats as usize, run)?)
    }

    /// Times of each of a program's kernels, one after the other.
    pub fn time_launches(
        &mut self,
        spec: &ProgramSpec,
        program: &LoadedProgram,
        repeats: u32,
    ) -> Result<Vec<Timings>, CliError> {
        let scratch = self.device.scratch(program, self.instances)?;
        let inputs = used_inputs(&self.inputs, self.shared.as_ref(), spec);
        let mut runs = vec![];
        for _ in 0..repeats.max(1) {
            let (output, instances) = (&mut self.output, self.instances);
            runs.push(self.device.time_launches(program, &inputs, &scratch, output, instances)?);
        }
        let count = program.kernels().count();
        Ok((0..count).map(|i| Timings::new(runs.iter().map(|run| run[i]).collect())).collect())
    }

    /// Runs the program once and compares every instance with the CPU backend.
    fn validate(
        &mut self,
        spec: &ProgramSpec,
        program: &LoadedProgram,
        scratch: &Scratch,
    ) -> Result<(), CliError> {
        let Checked { values: expected, failures } =
            cpu::eval_checked(&spec.dag, &self.tile.named(&spec.dag))?;
        self.output.fill(POISON)?;
        let inputs = used_inputs(&self.inputs, self.shared.as_ref(), spec);
        self.device.run_program(program, &inputs, scratch, &mut self.output, self.instances)?;
        self.output.copy_to(&mut self.found)?;
        let (tile, m) = (expected.limbs(), expected.limbs_per_instance());
        let results = &mut self.found[..self.instances as usize * m];
        let marked = self.device.marked(scratch, self.instances)?;
        let differs =
            |instance| Err(CliError::BenchDiffers { spec: format!("{} {}", spec.ty, spec.dag), instance });
        if let Some(instance) = wrongly_marked(&failures, &marked, expected.instances(), self.instances) {
            return differs(instance);
        }
        // Instances without a result are not compared.
        for &instance in &marked {
            results[instance as usize * m..][..m].fill(B::ZERO);
        }
        let is_wrong = |(_, found): &(usize, &[B])| found != &&tile[..found.len()];
        let wrong = results.par_chunks(tile.len()).enumerate().find_first(is_wrong);
        let Some((index, found)) = wrong else { return Ok(()) };
        let limb = found.iter().zip(tile).take_while(|(found, expected)| found == expected).count();
        differs(index * expected.instances() + limb / m)
    }
}

/// The first instance whose mark contradicts the CPU's result for its place in the tile, which repeats.
fn wrongly_marked(failures: &[Failure], marked: &[u64], tile: usize, instances: u64) -> Option<usize> {
    let mut fails = vec![false; tile];
    failures.iter().for_each(|failure| fails[failure.instance] = true);
    (0..instances as usize).find(|&i| marked.binary_search(&(i as u64)).is_ok() != fails[i % tile])
}

/// The buffers that an expression takes, in its order.
fn used_inputs<'b>(
    inputs: &'b [DeviceBuffer],
    shared: Option<&'b (usize, DeviceBuffer)>,
    spec: &ProgramSpec,
) -> Vec<&'b DeviceBuffer> {
    let buffer = |i: usize| match shared {
        Some((number, one)) if *number == i => Some(one),
        _ => inputs.get(i),
    };
    spec.dag.inputs().filter_map(|name| buffer(number(name)?)).collect()
}
