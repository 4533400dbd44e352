//! `limbforge-lab bench ntt`: transforms over prime fields.

use clap::ValueEnum as _;
use limbforge::EngineError;
use limbforge::algos::transform::ntt::{DynNtt, NttPlan};
use limbforge::field::DynField;
use limbforge_cli::error::CliError;
use limbforge_cli::gpu::batch::{POISON, WARMUP};
use limbforge_cli::gpu::kernels::Gpu;
use limbforge_gpu::{LoadedKernel, LoadedProgram, Timings, Word};
use limbforge_kernels_gen::SpecError;
use limbforge_kernels_gen::ntt::{TransformPlan, TransformSpec};
use rayon::prelude::*;
use serde_json::json;

use super::arguments::{BenchArguments, Kind};
use super::report::{Report, Row, number, word};
use crate::{error::LabError, peers};

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
            report.add(if prime >> 32 == 0 {
                row::<u32>(arguments, gpu, &field, (kind, &plan), |word| word as u32)?
            } else {
                row::<u64>(arguments, gpu, &field, (kind, &plan), |word| word)?
            })?;
        }
    }
    Ok(())
}

/// Validates a batch of transforms, and times it.
fn row<W: Word + limbforge_field::Word>(
    arguments: &BenchArguments,
    gpu: &Gpu,
    field: &DynField,
    (kind, plan): (Kind, &TransformPlan),
    word: fn(u64) -> W,
) -> Result<Row, LabError> {
    let program = gpu.load_planned(&plan.program(&gpu.limits)?)?;
    let points = plan.spec.points() as usize;
    let count = (arguments.batch_bits() / (8 * size_of::<W>() as u64 * points as u64)).max(1);
    let tile = TILE.min(count as usize);
    let operands: Vec<W> = (0..tile).flat_map(|i| operand(field, i, points)).map(word).collect();
    let mut expected = operands.clone();
    let cpu = NttPlan::new(points, kind.wrap()).and_then(|plan| DynNtt::new(*field, plan));
    cpu.and_then(|cpu| cpu.run_residues(kind.direction(), &mut expected)).map_err(EngineError::from)?;
    let values: Vec<W> = operands.iter().copied().cycle().take(count as usize * points).collect();
    let input = gpu.device.upload(&values)?;
    let mut output = gpu.device.alloc(size_of_val(&*values) as u64)?;
    output.fill(POISON)?;
    let scratch = gpu.device.scratch(&program, count)?;
    gpu.device.run_program(&program, &[&input], &scratch, &mut output, count)?;
    let mut found = values;
    output.copy_to(&mut found)?;
    let expected: Vec<&[W]> = expected.chunks(points).collect();
    let wrong = found.par_chunks(points).enumerate().find_first(|(i, found)| *found != expected[i % tile]);
    if let Some((instance, _)) = wrong {
        return Err(CliError::BenchDiffers { spec: plan.spec.to_string(), instance }.into());
    }
    let timings = gpu.device.time(WARMUP, arguments.repeats() as usize, || {
        gpu.device.run_program(&program, &[&input], &scratch, &mut output, count)
    })?;
    Ok(described(gpu, field.modulus(), kind, plan, &program, (count, 2 * input.bytes()), &timings))
}

/// The row of a number of transforms, which move a number of bytes.
fn described(
    gpu: &Gpu,
    prime: u64,
    kind: Kind,
    plan: &TransformPlan,
    program: &LoadedProgram,
    (transforms, bytes): (u64, u64),
    &Timings { median_ms, min_ms, .. }: &Timings,
) -> Row {
    let points = plan.spec.points();
    let name = kind.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    let radices = plan.launches.iter().map(|launch| launch.radices.map(|radix| radix.to_string()).join("x"));
    let plan = format!("{:?} {}", plan.class, radices.collect::<Vec<_>>().join(" "));
    let resources = program.kernels().map(LoadedKernel::resources);
    let registers = resources.map(|kernel| kernel.registers).max().unwrap_or(0);
    let gigabytes = bytes as f64 / (median_ms * 1e6);
    // (n / 2) log2 n for each transform.
    let butterflies = f64::from(points) / 2.0 * f64::from(points).log2();
    let giga_butterflies = butterflies * transforms as f64 / (median_ms * 1e6);
    // GPU-NTT was measured with forward transforms.
    let gpu_ntt = || peers::giga_butterflies("GPU-NTT", &gpu.device.info().name, prime, points);
    let json = json!({
        "operation": "ntt", "prime": prime, "kind": name, "points": points, "transforms": transforms, "plan": plan,
        "registers": registers, "median_ms": median_ms, "min_ms": min_ms, "gb_per_s": gigabytes,
        "giga_butterflies_per_s": giga_butterflies,
        "gpu_ntt_giga_butterflies_per_s": (kind == Kind::Forward).then(gpu_ntt).flatten(),
    });
    let cells = vec![
        number("prime", 20, prime),
        word("kind", 18, &name),
        number("points", 8, points),
        number("transforms", 10, transforms),
        word("plan", 24, &plan),
        number("registers", 9, registers),
        number("ms", 9, format!("{median_ms:.4}")),
        number("min ms", 9, format!("{min_ms:.4}")),
        number("GB/s", 5, format!("{gigabytes:.0}")),
        number("G butterflies/s", 15, format!("{giga_butterflies:.0}")),
    ];
    Row { cells, remark: None, json }
}

/// The largest values first, which are the worst for lazy residues; then sequences that look random.
fn operand(field: &DynField, index: usize, points: usize) -> Vec<u64> {
    let p = field.modulus();
    let mut state = index as u64;
    let random = |state: &mut u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state ^ *state >> 29) % p
    };
    (0..points)
        .map(|i| if index == 0 || index == 1 && i % 3 == 0 { p - 1 } else { random(&mut state) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same roots: a transform of the CPU is that of the kernel.
    #[test]
    fn kernels_have_the_roots_of_the_cpu() {
        for prime in [2_013_265_921, 0xffff_ffff_0000_0001] {
            let field = DynField::new(prime).unwrap();
            for kind in Kind::value_variants() {
                for points in [16, 48, 1 << 14] {
                    let spec = TransformSpec::new(&field, points, kind.wrap(), kind.direction()).unwrap();
                    let order = NttPlan::new(points as usize, kind.wrap()).unwrap().order();
                    let root = field.root_of_unity(order).unwrap();
                    assert_eq!(spec.root(), field.value(root), "{prime} {kind:?} {points}");
                }
            }
        }
    }
}
