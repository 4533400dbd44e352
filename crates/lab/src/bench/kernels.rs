//! Kernels on a GPU.

use limbforge::algos::expr::Expr;
use limbforge::limb::{Base, IntType};
use limbforge_cli::args::LimbArgument;
use limbforge_cli::error::CliError;
use limbforge_cli::gpu::batch::{DeviceOperands, WARMUP};
use limbforge_cli::gpu::kernels::{Gpu, program_spec};
use limbforge_cli::with_limb;
use limbforge_gpu::{LoadedKernel, LoadedProgram, Word};
use limbforge_kernels_gen::ProgramSpec;

use super::arguments::BenchArguments;
use super::report::Report;
use super::row::{Case, Floor, Measured, Row};
use super::vector_add;
use crate::error::LabError;
use crate::operations::Benchmark;

/// Measures the benchmarks at all widths with all limbs.
pub(super) fn measure(
    arguments: &BenchArguments,
    gpu: &Gpu,
    report: &mut Report<'_>,
) -> Result<(), LabError> {
    let benchmarks = arguments.what.benchmarks();
    let mut bench =
        Bench { arguments, gpu, floor_kernel: vector_add::load(gpu)?, benchmarks: &benchmarks, report };
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
    benchmarks: &'a [Benchmark],
    report: &'a mut Report<'r>,
}

impl Bench<'_, '_> {
    /// Measures all benchmarks of a width, and the memory floor with the same buffers.
    fn width<B: Base + Word>(&mut self, ty: IntType, limb: LimbArgument) -> Result<(), LabError> {
        let (gpu, batch_bits) = (self.gpu, self.arguments.batch_bits());
        let count = self.benchmarks.iter().map(Benchmark::operands).max().unwrap_or(0).max(2);
        let mut operands = DeviceOperands::<B>::new(gpu, ty, batch_bits, count)?;
        let floor = self.floor(&mut operands)?;
        for benchmark in self.benchmarks {
            let dag = Expr::parse(&benchmark.expression)?.to_dag();
            let mut spec = program_spec(dag, benchmark.product, ty, limb);
            for input in &mut spec.inputs {
                input.broadcast = benchmark.shared == Some(&*input.name);
            }
            let mut case = Case {
                benchmark,
                limb: B::NAME,
                bits: ty.bits(),
                instances: operands.instances,
                batch_bits,
                device: &gpu.device.info().name,
            };
            let row = match gpu.load_program(&spec) {
                Ok((mapping, program)) => {
                    let measured = self.program(benchmark, &spec, &program, &mut operands, &floor)?;
                    case.instances = measured.0;
                    Row::new(&case, mapping, Ok(measured.1))
                }
                // A width that this algorithm does not reach.
                Err(CliError::Spec(error)) => Row::new(&case, String::new(), Err(error.to_string())),
                Err(error) => return Err(error.into()),
            };
            self.report.add(&row)?;
        }
        Ok(())
    }

    fn floor<B: Base + Word>(&self, operands: &mut DeviceOperands<B>) -> Result<Floor, LabError> {
        let DeviceOperands { inputs, output, .. } = operands;
        let inputs = [&inputs[0], &inputs[1]];
        let repeats = self.arguments.repeats() as usize;
        let timings = vector_add::time(self.gpu, &self.floor_kernel, inputs, output, (WARMUP, repeats))?;
        Ok(Floor { bytes: vector_add::bytes(inputs[0]), median_ms: timings.median_ms })
    }

    /// The times of a program, and for how many instances.
    fn program<B: Base + Word>(
        &self,
        benchmark: &Benchmark,
        spec: &ProgramSpec,
        program: &LoadedProgram,
        operands: &mut DeviceOperands<B>,
        floor: &Floor,
    ) -> Result<(u64, Measured), LabError> {
        let (gpu, repeats) = (self.gpu, self.arguments.repeats());
        let all = operands.instances;
        if benchmark.is_measured_once_over() {
            operands.instances = all.min(program.resident_instances());
        }
        operands.set_second(gpu, benchmark.second)?;
        operands.set_shared(gpu, benchmark.shared)?;
        let timings = operands.time(gpu, spec, program, repeats)?;
        let launches = if self.arguments.launches {
            operands.time_launches(gpu, spec, program, repeats)?
        } else {
            vec![]
        };
        let instances = std::mem::replace(&mut operands.instances, all);
        let footprint = program.footprint();
        let bytes_per_instance = footprint.inputs.iter().sum::<u64>() + footprint.output;
        let resources = || program.kernels().map(LoadedKernel::resources);
        let measured = Measured {
            registers: resources().map(|kernel| kernel.registers).max(),
            local_bytes: resources().map(|kernel| kernel.local_bytes).max(),
            occupancy: program.kernels().map(LoadedKernel::occupancy).reduce(f64::min),
            bytes: bytes_per_instance * instances,
            median_ms: timings.median_ms,
            min_ms: timings.min_ms,
            launches: launches.iter().map(|launch| launch.median_ms).collect(),
            floor: Some(floor.clone()),
        };
        Ok((instances, measured))
    }
}
