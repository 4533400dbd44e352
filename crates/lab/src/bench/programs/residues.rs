//! Rounds of loops over residues beside those of programs' kernels: `vdf.lf` and `ecm.lf`, by `--product rns` in residue
//! number systems with a modulus each, by `--product fold` modulo one number.

mod classical;

use limbforge::algos::modmul_fold::{Fold, FoldedSequence};
use limbforge::algos::modmul_rns::Plan;
use limbforge::algos::program::{ResidueLoop, residue_loop, stages};
use limbforge::algos::sequence::Sequence;
use limbforge::prelude::*;
use limbforge_cli::error::CliError;
use limbforge_cli::gpu::batch::WARMUP;
use limbforge_cli::gpu::kernels::Gpu;
use limbforge_gpu::{DeviceBuffer, LoadedKernel, LoadedProgram};
use limbforge_kernels_gen::{Product, ROUND_WORDS, SequenceSpec, Target};
use num_bigint::BigUint;

use super::operands::{random, unsigned};
use super::{CHECKED, Measured, Row};
use crate::bench::arguments::BenchArguments;
use crate::error::LabError;

const PROGRAMS: [(&str, &str); 2] = [
    ("vdf.lf rounds", include_str!("../../../../../examples/programs/vdf.lf")),
    ("ecm.lf rounds", include_str!("../../../../../examples/programs/ecm.lf")),
];

/// Bits of the moduli.
const WIDTHS: &[u32] = &[512, 1024, 2048, 3072, 4096, 8192];
const FOLDED_WIDTHS: &[u32] = &[128, 192, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1408, 1536];

/// Rounds of a measurement, and of the check against the CPU's.
const ROUNDS: u32 = 1000;
const CHECKED_ROUNDS: u32 = 6;

/// The bits of the rounds.
const BITS: u32 = 0x9d2c_5680;

/// Measures all loops at all widths.
pub(super) fn measure(
    arguments: &BenchArguments,
    gpu: &Gpu,
    product: Product,
    mut add: impl FnMut(Row) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let widths = if product == Product::Fold { FOLDED_WIDTHS } else { WIDTHS };
    for &bits in widths {
        for (name, text) in PROGRAMS {
            add(row(arguments, gpu, (name, text), (product, bits))?)?;
            add(classical::row(arguments, gpu, (name, text), (product, bits))?)?;
        }
    }
    Ok(())
}

/// The first loop of a program.
fn first_loop(text: &str, ty: IntType) -> Result<ResidueLoop, LabError> {
    let program = Program::parse(text).map_err(EngineError::from)?;
    let types: Vec<_> = program.inputs().filter(|(_, ty)| ty.is_none()).map(|(name, _)| (name, ty)).collect();
    let typed = program.typed(&types).map_err(EngineError::from)?;
    let node = stages(&typed).first().and_then(|stage| stage.cut_loop(&typed));
    let found = node.map(|node| residue_loop(&typed, node));
    found
        .and_then(Result::ok)
        .ok_or_else(|| LabError::Usage { command: "bench", why: "expected a loop over residues".to_owned() })
}

/// A loop with its operands on the GPU: a modulus of each instance, or one of all, and numbers.
struct Rounds<'g> {
    gpu: &'g Gpu,
    kernels: LoadedProgram,
    operands: Vec<DeviceBuffer>,
    outputs: Vec<DeviceBuffer>,
    instances: u64,
}

fn row(
    arguments: &BenchArguments,
    gpu: &Gpu,
    (name, text): (&str, &str),
    (product, bits): (Product, u32),
) -> Result<Row, LabError> {
    let one_modulus = product == Product::Fold;
    let ty = unsigned(bits.into())?;
    let found = first_loop(text, ty)?;
    let numbers = found.given.len();
    let spec = SequenceSpec {
        sequence: &found.sequence,
        ty,
        broadcast: (one_modulus, vec![false; numbers]),
        product,
        target: Target::Cuda,
    };
    let program = spec.program(&gpu.limits)?;
    let kernels = gpu.device.load_program(&gpu.compiler, &program, &program.render(&gpu.limits)?)?;
    // The kernel with the largest blocks is that of the rounds.
    let of_rounds = kernels.kernels().max_by_key(|kernel| kernel.geometry().shared_bytes);
    let instances = of_rounds.map_or(1, LoadedKernel::resident_instances);
    let count = |i| if i == 0 && one_modulus { 1 } else { instances as usize };
    let batches = (0..=numbers).map(|i| random(bits, count(i), 3 + i as u64, i == 0));
    let batches = batches.collect::<Result<Vec<_>, _>>()?;
    let mut operands = vec![];
    for batch in &batches {
        operands.push(gpu.device.upload(&words(batch, bits))?);
    }
    operands.push(gpu.device.upload(&[BITS; (ROUNDS / 32 + 1) as usize])?);
    operands.push(gpu.device.upload(&[0_u32; ROUND_WORDS])?);
    let outputs = kernels.footprint().outputs.iter().map(|bytes| gpu.device.alloc(bytes * instances));
    let outputs = outputs.collect::<Result<Vec<_>, _>>()?;
    let (registers, local_bytes) = of_rounds.map_or((0, 0), |kernel| {
        let resources = kernel.resources();
        (resources.registers, resources.local_bytes)
    });
    let mut rounds = Rounds { gpu, kernels, operands, outputs, instances };
    rounds.check(&found.sequence, (product, bits), &batches)?;
    let ms = rounds.time(arguments, ROUNDS)?;
    let measured = Measured {
        name,
        bits,
        instances,
        registers,
        local_bytes,
        mapping: format!("{} variables", found.sequence.variables()),
        ms: ms / f64::from(ROUNDS),
        remark: Some(format!("a round of {ROUNDS}, {}, with conversions", how(product))),
    };
    Ok(measured.row())
}

/// The words of 32 bits of a batch.
fn words(batch: &Batch<u64>, bits: u32) -> Vec<u32> {
    let each = bits.div_ceil(32) as usize;
    let integers = batch.limbs().chunks(batch.limbs_per_instance());
    integers
        .flat_map(|limbs| limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).take(each))
        .collect()
}

impl Rounds<'_> {
    fn set_rounds(&mut self, rounds: u32) -> Result<(), LabError> {
        let Some(control) = self.operands.last_mut() else { return Ok(()) };
        Ok(control.copy_from(&[rounds, ROUNDS - 1, 0, 0])?)
    }

    /// The median of runs with so many rounds, in ms.
    fn time(&mut self, arguments: &BenchArguments, rounds: u32) -> Result<f64, LabError> {
        self.set_rounds(rounds)?;
        let Self { gpu, kernels, operands, outputs, instances } = self;
        let scratch = gpu.device.scratch(kernels, *instances)?;
        let operands: Vec<&DeviceBuffer> = operands.iter().collect();
        let run = || {
            let mut outputs: Vec<&mut DeviceBuffer> = outputs.iter_mut().collect();
            gpu.device.run_program_to(kernels, &operands, &scratch, &mut outputs, *instances)
        };
        Ok(gpu.device.time(WARMUP, arguments.repeats() as usize, run)?.median_ms)
    }

    /// An error unless a few rounds of the first instances are those of the specification.
    fn check(
        &mut self,
        sequence: &Sequence,
        (product, bits): (Product, u32),
        batches: &[Batch<u64>],
    ) -> Result<(), LabError> {
        self.set_rounds(CHECKED_ROUNDS)?;
        let Self { gpu, kernels, operands, outputs, instances } = self;
        let scratch = gpu.device.scratch(kernels, *instances)?;
        let operands: Vec<&DeviceBuffer> = operands.iter().collect();
        let mut written: Vec<&mut DeviceBuffer> = outputs.iter_mut().collect();
        gpu.device.run_program_to(kernels, &operands, &scratch, &mut written, *instances)?;
        let each = bits.div_ceil(32) as usize;
        let top = ROUNDS - 1;
        let rounds: Vec<bool> = (0..CHECKED_ROUNDS).map(|i| BITS >> ((top - i) % 32) & 1 == 1).collect();
        let of = |batch: &Batch<u64>, i| BigUint::from_slice(&of_instance(batch, i % batch.instances()));
        // The specification takes long for wide numbers.
        let checked = CHECKED.min((1 << 15) / bits as usize);
        for i in 0..checked.min(*instances as usize) {
            let all: Vec<BigUint> = batches.iter().map(|batch| of(batch, i)).collect();
            let expected = specified(sequence, (product, bits), &all, &rounds)?;
            for (expected, output) in expected.iter().zip(&*outputs) {
                let mut found = vec![0_u32; each * (i + 1)];
                output.copy_to(&mut found)?;
                if BigUint::from_slice(&found[each * i..]) != *expected {
                    let spec = format!("rounds of {bits} bits");
                    return Err(CliError::BenchDiffers { spec, instance: i }.into());
                }
            }
        }
        Ok(())
    }
}

/// The results of rounds by the specification of a product, from the modulus and the numbers.
fn specified(
    sequence: &Sequence,
    (product, bits): (Product, u32),
    all: &[BigUint],
    rounds: &[bool],
) -> Result<Vec<BigUint>, LabError> {
    let Some((n, numbers)) = all.split_first() else { return Err(usage("a sequence has a modulus")) };
    if product == Product::Fold {
        let fold = Fold::for_sequences(bits.div_ceil(32));
        let folded = fold.and_then(|fold| FoldedSequence::new(fold, sequence));
        let folded = folded.ok_or_else(|| usage("a sequence has few variables"))?;
        return folded.run(n, numbers, rounds).map_err(|error| usage(&error.to_string()));
    }
    let plan = Plan::for_sequences(bits).map_err(|error| usage(&error.to_string()))?;
    let modulus = plan.modulus(n).map_err(|error| usage(&error.to_string()))?;
    modulus.run(sequence, numbers, rounds).map_err(|error| usage(&error.to_string()))
}

/// What a product is called in remarks.
fn how(product: Product) -> &'static str {
    if product == Product::Fold { "by folds modulo one number" } else { "in residues" }
}

fn usage(why: &str) -> LabError {
    LabError::Usage { command: "bench", why: why.to_owned() }
}

/// The words of an integer of a batch.
fn of_instance(batch: &Batch<u64>, instance: usize) -> Vec<u32> {
    let each = batch.limbs_per_instance();
    let limbs = &batch.limbs()[instance * each..(instance + 1) * each];
    limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect()
}
