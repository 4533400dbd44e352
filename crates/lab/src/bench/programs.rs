//! `limbforge-lab bench programs`: stage 1 of ECM, base-2 tests, powers and walks, as programs; `bench loops`.

mod ecm;
mod loops;
mod operands;
mod powers;
mod residues;
mod walk;

use limbforge::prelude::*;
use limbforge_cli::error::CliError;
use limbforge_cli::gpu::kernels::Gpu;
use limbforge_gpu::{LoadedTape, TapeMemory};
use limbforge_kernels_gen::program::{Entry, TapeInput, TapeSpec, render};
use limbforge_kernels_gen::{LimbKind, Product, Target};
use serde_json::json;

use super::arguments::BenchArguments;
use super::report::{Report, Row, number, word};
use crate::error::LabError;

/// Bits of the moduli.
const WIDTHS: [u32; 4] = [512, 640, 768, 1024];

/// Instances of each measurement whose results are compared with the CPU's.
const CHECKED: usize = 24;

/// Batches by the names of a program's inputs, those of one integer for all.
type Named = Vec<(&'static str, Batch<u64>)>;

/// Measures all of them at all widths; by products of matrices the loops alone that qualify.
pub(super) fn measure(
    arguments: &BenchArguments,
    gpu: &Gpu,
    report: &mut Report<'_>,
) -> Result<(), LabError> {
    if let Some(product @ (Product::Rns | Product::Fold)) = arguments.product {
        return residues::measure(arguments, gpu, product, |row| report.add(row));
    }
    for bits in WIDTHS {
        report.add(ecm::row(gpu, bits)?)?;
        report.add(powers::fermat(arguments, gpu, bits)?)?;
        for row in powers::modexp(arguments, gpu, bits)? {
            report.add(row)?;
        }
    }
    for row in walk::rows(arguments, gpu)? {
        report.add(row)?;
    }
    Ok(())
}

/// Measures loops whose instances make different numbers of rounds.
pub(super) fn measure_loops(
    arguments: &BenchArguments,
    gpu: &Gpu,
    report: &mut Report<'_>,
) -> Result<(), LabError> {
    loops::SAMPLES.iter().try_for_each(|sample| report.add(sample.row(arguments, gpu)?))
}

/// A program on the GPU, with its inputs in its memory.
struct Loaded {
    tape: LoadedTape,
    memory: TapeMemory,
    instances: u64,
}

impl Loaded {
    /// With as many instances as are resident at once, whose inputs `make` makes.
    fn new(
        gpu: &Gpu,
        text: &str,
        make: impl Fn(usize) -> Result<Named, LabError>,
    ) -> Result<(Self, Program, Named), LabError> {
        let program = Program::parse(text).map_err(EngineError::from)?;
        // Their types, and which of them are one for all.
        let few = make(2)?;
        let types: Vec<_> = few.iter().map(|(name, batch)| (*name, batch.ty())).collect();
        let typed = program.typed(&types).map_err(EngineError::from)?;
        let (limb, layout) = (LimbKind::of::<u64>(), Layout::InstanceMajor);
        // In the program's order.
        let inputs = typed.inputs().iter().map(|input| {
            let batch = few.iter().find(|(name, _)| **name == *input.name);
            let one_for_all = batch.is_some_and(|(_, batch)| batch.instances() == input.elements as usize);
            TapeInput { limb, layout, one_for_all }
        });
        let inputs = inputs.collect();
        let target = Target::Cuda;
        let spec = TapeSpec {
            program: &typed,
            inputs,
            limb,
            output: layout,
            instances: None,
            target,
            emission: None,
        };
        let tape = gpu.device.load_tape(&gpu.compiler, &spec, render(&spec, &gpu.limits)?)?;
        let instances = tape.kernel().resident_instances();
        let mut memory = gpu.device.tape_memory(&tape, instances)?;
        let inputs = make(instances as usize)?;
        for (i, (_, batch)) in inputs.iter().enumerate() {
            memory.set_input(i, batch.limbs())?;
        }
        Ok((Self { tape, memory, instances }, program, inputs))
    }

    /// Starts a launch of the whole program.
    fn start(&mut self, gpu: &Gpu) -> Result<(), limbforge_gpu::GpuError> {
        gpu.device.run_tape(&self.tape, &mut self.memory, (Entry::Whole, 0, 0), self.instances)
    }
}

/// Runs the first instances on the GPU and on the CPU: an error unless they are equal.
fn validate(gpu: &Gpu, name: &str, program: &Program, inputs: &Named) -> Result<(), LabError> {
    let mut few = vec![];
    for (name, batch) in inputs {
        let count = batch.instances().min(CHECKED);
        let limbs = batch.limbs()[..count * batch.limbs_per_instance()].to_vec();
        let batch = Batch::from_limbs(batch.ty(), Layout::InstanceMajor, limbs).map_err(EvalError::from)?;
        few.push((*name, batch));
    }
    let few: Vec<(&str, &Batch<u64>)> = few.iter().map(|(name, batch)| (*name, batch)).collect();
    let found = Engine::gpu(gpu.device.info().ordinal)?.run(program, &few)?;
    let expected = Engine::cpu().run(program, &few)?;
    let differs = |instance: usize| CliError::BenchDiffers { spec: name.to_owned(), instance };
    for ((_, expected), (_, found)) in expected.results().zip(found.results()) {
        let equal = |i: &usize| expected.instance(*i) == found.instance(*i);
        if let Some(instance) = (0..expected.instances()).find(|i| !equal(i)) {
            return Err(differs(instance).into());
        }
    }
    if expected.failures() != found.failures() {
        let failed = expected.failures().iter().chain(found.failures()).map(|failure| failure.instance);
        return Err(differs(failed.min().unwrap_or(0)).into());
    }
    Ok(())
}

/// What was measured.
struct Measured<'a> {
    name: &'a str,
    bits: u32,
    instances: u64,
    registers: u32,
    local_bytes: u32,
    mapping: String,
    /// Of all instances.
    ms: f64,
    remark: Option<String>,
}

impl Measured<'_> {
    fn row(self) -> Row {
        let Self { name, bits, instances, registers, local_bytes, mapping, ms, remark } = self;
        let rate = instances as f64 / ms * 1e3;
        let json = json!({
            "operation": name, "bits": bits, "instances": instances, "mapping": mapping, "registers": registers,
            "local_bytes": local_bytes, "median_ms": ms, "instances_per_second": rate, "remark": remark,
        });
        let cells = vec![
            word("program", 14, name),
            number("bits", 5, bits),
            number("instances", 9, instances),
            word("mapping", 24, &mapping),
            number("registers", 9, registers),
            number("local bytes", 11, local_bytes),
            number("ms", 12, format!("{ms:.4}")),
            number("per second", 12, format!("{rate:.1}")),
        ];
        Row { cells, remark, json }
    }
}

/// The measurement of a loaded program.
fn measured<'a>(name: &'a str, bits: u32, loaded: &Loaded, ms: f64, remark: Option<String>) -> Measured<'a> {
    let (kernel, tape) = (loaded.tape.kernel(), loaded.tape.tape());
    let resources = kernel.resources();
    let mapping = format!("{} words x {}, {} slots", tape.mapping.run_words, tape.mapping.lanes, tape.slots);
    let (registers, local_bytes) = (resources.registers, resources.local_bytes);
    Measured { name, bits, instances: loaded.instances, registers, local_bytes, mapping, ms, remark }
}
