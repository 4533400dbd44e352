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

/// The points of an instance: K of the program.
const POINTS: [usize; 3] = [32, 64, 128];

/// The points of the table: R of the program.
const TABLE: usize = 1024;

/// Steps of each point in a measured launch, and in those that are compared with the CPU's.
const STEPS: u64 = 200;
const CHECKED_STEPS: u64 = 5;

/// Instances that are compared.
const CHECKED: usize = 40;

/// The prime of a curve.
struct Prime {
    bits: u32,
    hex: &'static str,
    /// Whether it is a constant of the program, and not an input.
    is_constant: bool,
}

const ECCP_131: &str = "48E1D43F293469E33194C43186B3ABC0B";
const SECP256K1: &str = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFC2F";

const PRIMES: [Prime; 3] = [
    Prime { bits: 131, hex: ECCP_131, is_constant: false },
    Prime { bits: 256, hex: SECP256K1, is_constant: false },
    Prime { bits: 256, hex: SECP256K1, is_constant: true },
];

/// Walks modulo a prime of each width.
pub(super) fn rows(arguments: &BenchArguments, gpu: &Gpu) -> Result<Vec<Row>, LabError> {
    let points = |prime| POINTS.map(|points| row(arguments, gpu, prime, points));
    PRIMES.iter().flat_map(points).collect()
}

fn row(arguments: &BenchArguments, gpu: &Gpu, prime: &Prime, points: usize) -> Result<Row, LabError> {
    let bits = prime.bits;
    let mut text = TEXT.replace("u131", &format!("u{bits}")).replace("K = 32", &format!("K = {points}"));
    if prime.is_constant {
        text = text.replace("in p ", &format!("const p = 0x{} #", prime.hex));
        // Residues modulo a number close to a power of two are held as they are.
        text = text.replace("key(", "int(");
    }
    let (mut loaded, program, _) =
        Loaded::new(gpu, &text, |instances| inputs(prime, points, instances, STEPS))?;
    compare(gpu, &program, &inputs(prime, points, CHECKED, CHECKED_STEPS)?, points)?;
    let ms = gpu.device.time(WARMUP, arguments.repeats() as usize, || loaded.start(gpu))?.median_ms;
    let steps = STEPS as f64 * points as f64 * loaded.instances as f64;
    let constant = if prime.is_constant { ", p is a constant" } else { "" };
    let remark =
        format!("{:.3} G steps a second of {points} points to an instance{constant}", steps / ms / 1e6);
    Ok(measured("walk.lf", bits, &loaded, ms, Some(remark)).row())
}

/// Numbers that look random: the sums are those of points whether they are on one curve or not.
fn inputs(prime: &Prime, points: usize, instances: usize, steps: u64) -> Result<Named, LabError> {
    let bits = prime.bits;
    let number = BigInt::parse_bytes(prime.hex.as_bytes(), 16)
        .ok_or_else(|| LabError::Usage { command: "bench", why: format!("{} is no number", prime.hex) })?;
    let p = Batch::from_bigints(unsigned(bits.into())?, Layout::InstanceMajor, &[number]);
    let steps = Batch::from_u64s(unsigned(32)?, Layout::InstanceMajor, &[steps]);
    let mut named = vec![
        ("x0", random(bits, points * instances, 3, false)?),
        ("y0", random(bits, points * instances, 5, false)?),
        ("u", random(bits, TABLE, 7, false)?),
        ("v", random(bits, TABLE, 11, false)?),
        ("steps", steps.map_err(EvalError::from)?),
    ];
    if !prime.is_constant {
        named.insert(0, ("p", p.map_err(EvalError::from)?));
    }
    Ok(named)
}

/// Runs the same instances on the GPU and on the CPU: an error unless they are equal.
fn compare(gpu: &Gpu, program: &Program, inputs: &Named, points: usize) -> Result<(), LabError> {
    let named: Vec<(&str, &Batch<u64>)> = inputs.iter().map(|(name, batch)| (*name, batch)).collect();
    let found = Engine::gpu(gpu.device.info().ordinal)?.run(program, &named)?;
    let expected = Engine::cpu().run(program, &named)?;
    for ((_, expected), (_, found)) in expected.results().zip(found.results()) {
        let differs = (0..expected.instances()).find(|&i| expected.instance(i) != found.instance(i));
        if let Some(i) = differs {
            return Err(CliError::BenchDiffers { spec: "walk.lf".to_owned(), instance: i / points }.into());
        }
    }
    Ok(())
}
