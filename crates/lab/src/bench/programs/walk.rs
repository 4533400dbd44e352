//! Additive walks on an elliptic curve: steps of all points that are resident.

use limbforge::limb::num_bigint::BigInt;
use limbforge::prelude::*;
use limbforge_cli::error::CliError;
use limbforge_cli::gpu::batch::WARMUP;
use limbforge_cli::gpu::kernels::Gpu;

use super::operands::{random, unsigned};
use super::{Loaded, Named, Row, measured};
use crate::bench::arguments::BenchArguments;
use crate::error::LabError;

const TEXT: &str = include_str!("../../../../../examples/walks/walk.lf");

/// The points of an instance, and those of the table: K and R of the program.
const POINTS: usize = 32;
const TABLE: usize = 1024;

/// Steps of each point in a measured launch, and in those that are compared with the CPU's.
const STEPS: u64 = 200;
const CHECKED_STEPS: u64 = 5;

/// Instances that are compared.
const CHECKED: usize = 40;

/// The primes of ECCp-131 and of secp256k1, which the kernel does not know.
const PRIMES: [(u32, &str); 2] = [
    (131, "48E1D43F293469E33194C43186B3ABC0B"),
    (256, "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFC2F"),
];

/// Walks modulo a prime of each width.
pub(super) fn rows(arguments: &BenchArguments, gpu: &Gpu) -> Result<Vec<Row>, LabError> {
    PRIMES.iter().map(|(bits, prime)| row(arguments, gpu, *bits, prime)).collect()
}

fn row(arguments: &BenchArguments, gpu: &Gpu, bits: u32, prime: &str) -> Result<Row, LabError> {
    let text = TEXT.replace("u131", &format!("u{bits}"));
    let (mut loaded, program, _) =
        Loaded::new(gpu, &text, |instances| inputs(bits, prime, instances, STEPS))?;
    compare(gpu, &program, &inputs(bits, prime, CHECKED, CHECKED_STEPS)?)?;
    let ms = gpu.device.time(WARMUP, arguments.repeats() as usize, || loaded.start(gpu))?.median_ms;
    let steps = STEPS as f64 * POINTS as f64 * loaded.instances as f64;
    let remark = format!("{:.3} G steps a second of {POINTS} points to an instance", steps / ms / 1e6);
    Ok(measured("walk.lf", bits, &loaded, ms, Some(remark)).row())
}

/// Numbers that look random: the sums are those of points whether they are on one curve or not.
fn inputs(bits: u32, prime: &str, instances: usize, steps: u64) -> Result<Named, LabError> {
    let prime = BigInt::parse_bytes(prime.as_bytes(), 16)
        .ok_or_else(|| LabError::Usage { command: "bench", why: format!("{prime} is no number") })?;
    let p = Batch::from_bigints(unsigned(bits.into())?, Layout::InstanceMajor, &[prime]);
    let steps = Batch::from_u64s(unsigned(32)?, Layout::InstanceMajor, &[steps]);
    Ok(vec![
        ("p", p.map_err(EvalError::from)?),
        ("x0", random(bits, POINTS * instances, 3, false)?),
        ("y0", random(bits, POINTS * instances, 5, false)?),
        ("u", random(bits, TABLE, 7, false)?),
        ("v", random(bits, TABLE, 11, false)?),
        ("steps", steps.map_err(EvalError::from)?),
    ])
}

/// Runs the same instances on the GPU and on the CPU: an error unless they are equal.
fn compare(gpu: &Gpu, program: &Program, inputs: &Named) -> Result<(), LabError> {
    let named: Vec<(&str, &Batch<u64>)> = inputs.iter().map(|(name, batch)| (*name, batch)).collect();
    let found = Engine::gpu(gpu.device.info().ordinal)?.run(program, &named)?;
    let expected = Engine::cpu().run(program, &named)?;
    for ((_, expected), (_, found)) in expected.results().zip(found.results()) {
        let differs = (0..expected.instances()).find(|&i| expected.instance(i) != found.instance(i));
        if let Some(i) = differs {
            return Err(CliError::BenchDiffers { spec: "walk.lf".to_owned(), instance: i / POINTS }.into());
        }
    }
    Ok(())
}
