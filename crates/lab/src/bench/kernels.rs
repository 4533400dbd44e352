//! Kernels on a GPU.

use limbforge::algos::expr::Expr;
use limbforge::limb::{Base, IntType};
use limbforge_cli::args::LimbArgument;
use limbforge_cli::error::CliError;
use limbforge_cli::gpu::{batch::DeviceOperands, kernels::Gpu, kernels::program_spec};
use limbforge_cli::with_limb;
use limbforge_gpu::{LoadedKernel, LoadedProgram, Word};
use limbforge_kernels_gen::ProgramSpec;

use super::arguments::BenchArguments;
use super::report::Report;
use super::row::{Case, Floor, Measured};
use super::vector_add;
use crate::{error::LabError, operations::Benchmark};

/// Measures the benchmarks at all widths with all limbs.
pub(super) fn measure(
    arguments: &BenchArguments,
    gpu: &Gpu,
    report: &mut Report<'_>,
) -> Result<(), LabError> {
    let floor_kernel = vector_add::load(gpu)?;
    let mut bench = Bench { arguments, gpu, floor_kernel, benchmarks: arguments.benchmarks(), report };
    for &ty in arguments.bits.0.iter().filter(|ty| arguments.what.takes(ty.bits())) {
        for &limb in &arguments.limb {
            with_limb!(limb, B => bench.width::<B>(ty, limb)?);
        }
    }
    Ok(())
}

struct Bench<'a, 'r> {
    arguments: &'a BenchArguments,
    gpu: &'a Gpu,
    floor_kernel: LoadedProgram,
    benchmarks: Vec<Benchmark>,
    report: &'a mut Report<'r>,
}

impl Bench<'_, '_> {
    /// Measures all benchmarks of a width, and the memory floor with the same buffers.
    fn width<B: Base + Word>(&mut self, ty: IntType, limb: LimbArgument) -> Result<(), LabError> {
        let (gpu, batch_bits) = (self.gpu, self.arguments.batch_bits());
        let count = self.benchmarks.iter().map(Benchmark::operands).max().unwrap_or(0).max(2);
        let mut operands = DeviceOperands::<B>::new(&gpu.device, ty, batch_bits, count)?;
        let DeviceOperands { inputs, output, .. } = &mut operands;
        let inputs = [&inputs[0], &inputs[1]];
        let floor = vector_add::floor(gpu, &self.floor_kernel, inputs, output, self.arguments.repeats())?;
        for benchmark in &self.benchmarks {
            let mut spec =
                program_spec(Expr::parse(&benchmark.expression)?.to_dag(), benchmark.product, ty, limb);
            for input in &mut spec.inputs {
                input.broadcast = benchmark.shared.as_deref() == Some(&*input.name);
            }
            let (instances, device) = (operands.instances, &*gpu.device.info().name);
            let mut case = Case { benchmark, limb: B::NAME, bits: ty.bits(), instances, batch_bits, device };
            self.report.add(match gpu.load_program(&spec) {
                Ok((mapping, program)) => {
                    let measured = self.program(benchmark, &spec, &program, &mut operands, floor)?;
                    case.instances = measured.0;
                    case.row(&mapping, Ok(measured.1))
                }
                // A width that this algorithm does not reach.
                Err(CliError::Spec(error)) => case.row("", Err(error.to_string())),
                Err(error) => return Err(error.into()),
            })?;
        }
        Ok(())
    }

    /// The times of a program, and the number of instances.
    fn program<B: Base + Word>(
        &self,
        benchmark: &Benchmark,
        spec: &ProgramSpec,
        program: &LoadedProgram,
        operands: &mut DeviceOperands<B>,
        floor: Floor,
    ) -> Result<(u64, Measured), LabError> {
        let repeats = self.arguments.repeats();
        let all = operands.instances;
        if benchmark.is_measured_once_over() {
            operands.instances = all.min(program.resident_instances());
        }
        operands.set_second(benchmark.second)?;
        operands.set_shared(benchmark.shared.as_deref())?;
        let timings = operands.time(spec, program, repeats)?;
        let launches =
            if self.arguments.launches { operands.time_launches(spec, program, repeats)? } else { vec![] };
        let instances = std::mem::replace(&mut operands.instances, all);
        let footprint = program.footprint();
        let resources = || program.kernels().map(LoadedKernel::resources);
        let measured = Measured {
            registers: resources().map(|kernel| kernel.registers).max(),
            local_bytes: resources().map(|kernel| kernel.local_bytes).max(),
            occupancy: program.kernels().map(LoadedKernel::occupancy).reduce(f64::min),
            bytes: Some(footprint.inputs.iter().chain(&footprint.outputs).sum::<u64>() * instances),
            median_ms: Some(timings.median_ms),
            min_ms: Some(timings.min_ms),
            launches: Some(launches.iter().map(|launch| launch.median_ms).collect()),
            floor: Some(floor),
        };
        Ok((instances, measured))
    }
}
