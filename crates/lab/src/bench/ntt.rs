//! `limbforge-lab bench ntt`: transforms over prime fields.

mod operands;
mod row;

use limbforge::field::DynField;
use limbforge_cli::error::CliError;
use limbforge_cli::gpu::batch::WARMUP;
use limbforge_cli::gpu::kernels::Gpu;
use limbforge_gpu::{LoadedKernel, LoadedProgram, Word};
use limbforge_kernels_gen::SpecError;
use limbforge_kernels_gen::ntt::{TransformPlan, TransformSpec};
use rayon::prelude::*;

use self::operands::{expected, operand};
use self::row::Row;
use super::arguments::{BenchArguments, Kind};
use super::report::Report;
use crate::error::LabError;

/// What the result's buffer holds before a kernel runs.
const POISON: u8 = 0xa5;

/// Transforms that differ from each other; the others repeat them.
const TILE: usize = 64;

/// Measures the transforms of each prime, length and kind.
pub(super) fn measure(
    arguments: &BenchArguments,
    gpu: &Gpu,
    report: &mut Report<'_>,
) -> Result<(), LabError> {
    for &prime in &arguments.primes {
        let field = DynField::new(prime).map_err(|error| CliError::Field(error.to_string()))?;
        let points = arguments.points.0.iter();
        for (&points, &kind) in
            points.flat_map(|points| arguments.kinds.iter().map(move |kind| (points, kind)))
        {
            let spec = match TransformSpec::new(&field, points, kind.wrap(), kind.direction()) {
                Ok(spec) => spec,
                // A field without a root of this order.
                Err(SpecError::Points { .. }) => continue,
                Err(error) => return Err(error.into()),
            };
            let plan = TransformPlan::for_limits(spec, &gpu.limits)?;
            let row = if prime >> 32 == 0 {
                row::<u32>(arguments, gpu, &field, (kind, &plan), |word| word as u32)?
            } else {
                row::<u64>(arguments, gpu, &field, (kind, &plan), |word| word)?
            };
            report.add(&row)?;
        }
    }
    Ok(())
}

fn row<W: Word + Eq + Send + Sync>(
    arguments: &BenchArguments,
    gpu: &Gpu,
    field: &DynField,
    (kind, plan): (Kind, &TransformPlan),
    word: impl Fn(u64) -> W + Sync,
) -> Result<Row, LabError> {
    let program = gpu.load_planned(&plan.program(&gpu.limits)?)?;
    let points = plan.spec.points() as usize;
    let count = (arguments.batch_bits() / (8 * size_of::<W>() as u64 * points as u64)).max(1);
    let tile = TILE.min(count as usize);
    let operands: Vec<Vec<u64>> = (0..tile).map(|i| operand(field, i, points)).collect();
    let expected: Vec<Vec<W>> = operands
        .par_iter()
        .map(|operand| expected(field, kind, plan.spec.root(), operand).into_iter().map(&word).collect())
        .collect();
    let values: Vec<W> =
        (0..count as usize).flat_map(|i| &operands[i % tile]).map(|&value| word(value)).collect();
    let input = gpu.device.upload(&values)?;
    let mut output = gpu.device.alloc(size_of_val(&*values) as u64)?;
    output.fill(POISON)?;
    let scratch = gpu.device.scratch(&program, count)?;
    gpu.device.run_program(&program, &[&input], &scratch, &mut output, count)?;
    let mut found = values;
    output.copy_to(&mut found)?;
    let wrong = found.par_chunks(points).enumerate().find_first(|(i, found)| *found != expected[i % tile]);
    if let Some((instance, _)) = wrong {
        return Err(CliError::BenchDiffers { spec: plan.spec.to_string(), instance }.into());
    }
    let timings = gpu.device.time(WARMUP, arguments.repeats() as usize, || {
        gpu.device.run_program(&program, &[&input], &scratch, &mut output, count)
    })?;
    Ok(Row {
        device: gpu.device.info().name.clone(),
        prime: field.modulus(),
        kind,
        points: plan.spec.points(),
        transforms: count,
        plan: describe(plan),
        registers: registers(&program),
        median_ms: timings.median_ms,
        min_ms: timings.min_ms,
        bytes: 2 * input.bytes(),
    })
}

fn describe(plan: &TransformPlan) -> String {
    let radices = |[outer, middle, inner]: [u32; 3]| format!("{outer}x{middle}x{inner}");
    let launches: Vec<String> = plan.launches.iter().map(|launch| radices(launch.radices)).collect();
    format!("{:?} {}", plan.class, launches.join(" "))
}

fn registers(program: &LoadedProgram) -> u32 {
    program.kernels().map(LoadedKernel::resources).map(|kernel| kernel.registers).max().unwrap_or(0)
}
