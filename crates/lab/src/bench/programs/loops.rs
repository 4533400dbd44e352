//! Loops whose instances make different numbers of rounds, with compaction and without.

use std::time::Instant;

use limbforge::prelude::*;
use limbforge_cli::error::CliError;
use limbforge_cli::gpu::kernels::Gpu;
use serde_json::json;

use super::operands::{random, unsigned};
use super::{Named, Row, validate};
use crate::bench::arguments::BenchArguments;
use crate::bench::report::{number, word};
use crate::error::LabError;

const RHO: &str = include_str!("../../../../../examples/programs/rho.lf");

const POWERS: &str = "in x, n\nin t: u32\nvar y = x mod n\nrepeat t { y = sqr(y) + 1 }\nout y";

const EUCLID: &str = "in a, b\nvar (x, y, rounds) = (a, b, 0)\nwhile y != 0 limit 10000 {\n(x, y) = (y, x % y)\n\
                      rounds = rounds + 1 }\nout x, rounds";

/// Rounds of powers in the mean.
const MEAN: f64 = 50_000.0;

/// A program with its inputs.
pub(super) struct Sample {
    name: &'static str,
    text: &'static str,
    bits: u32,
    /// Instances as a part of those that the arguments say.
    part: usize,
    inputs: fn(u32, usize) -> Result<Named, LabError>,
}

pub(super) const SAMPLES: [Sample; 4] = [
    Sample { name: "rho.lf", text: RHO, bits: 62, part: 1, inputs: composites },
    Sample { name: "powers of random counts", text: POWERS, bits: 128, part: 1, inputs: counts },
    Sample { name: "powers of random counts", text: POWERS, bits: 512, part: 4, inputs: counts },
    Sample { name: "Euclid's algorithm", text: EUCLID, bits: 256, part: 1, inputs: pairs },
];

/// Odd numbers, most of which have a small factor.
fn composites(bits: u32, count: usize) -> Result<Named, LabError> {
    let c = Batch::from_u64s(unsigned(32)?, Layout::InstanceMajor, &[1]).map_err(EvalError::from)?;
    Ok(vec![("N", random(bits, count, 3, true)?), ("c", c)])
}

/// Exponentially distributed counts of rounds.
fn counts(bits: u32, count: usize) -> Result<Named, LabError> {
    let uniform = random(32, count, 17, false)?;
    let rounds = |&limb: &u64| (-MEAN * ((limb as f64 + 0.5) / 2f64.powi(32)).ln()) as u64;
    let rounds: Vec<u64> = uniform.limbs().iter().map(rounds).collect();
    let t = Batch::from_u64s(unsigned(32)?, Layout::InstanceMajor, &rounds).map_err(EvalError::from)?;
    Ok(vec![("x", random(bits, count, 7, false)?), ("n", random(bits, count, 11, true)?), ("t", t)])
}

fn pairs(bits: u32, count: usize) -> Result<Named, LabError> {
    Ok(vec![("a", random(bits, count, 13, false)?), ("b", random(bits, count, 19, false)?)])
}

impl Sample {
    /// The times of whole runs, the better of two each, and whether they have the same results.
    pub(super) fn row(&self, arguments: &BenchArguments, gpu: &Gpu) -> Result<Row, LabError> {
        let Self { name, text, bits, part, inputs } = *self;
        let program = Program::parse(text).map_err(EngineError::from)?;
        let count = (arguments.batch_bits() / (1 << 12)) as usize / part;
        let all = inputs(bits, count.max(super::CHECKED))?;
        validate(gpu, name, &program, &all)?;
        let engine = Engine::gpu(gpu.device.info().ordinal)?;
        let named: Vec<(&str, &Batch<u64>)> = all.iter().map(|(name, batch)| (*name, batch)).collect();
        let mut runs = vec![];
        for compacts in [false, true, false, true] {
            let mut session = engine.start(&program, &named)?;
            session.set_compaction(compacts);
            let start = Instant::now();
            let run = session.finish()?;
            runs.push((start.elapsed().as_secs_f64(), run));
        }
        let (_, first) = &runs[0];
        for (_, run) in &runs[1..] {
            let pairs = first.results().zip(run.results());
            let differs = pairs
                .flat_map(|((_, a), (_, b))| (0..a.instances()).find(|&i| a.instance(i) != b.instance(i)));
            if let Some(instance) = differs.min() {
                return Err(CliError::BenchDiffers { spec: name.to_owned(), instance }.into());
            }
        }
        let best = |compacts: usize| runs[compacts].0.min(runs[compacts + 2].0);
        let (without, with, count) = (best(0), best(1), first.instances());
        let json = json!({
            "operation": name, "bits": bits, "instances": count, "seconds_without_compaction": without,
            "seconds": with, "gain": without / with, "failures": first.failures().len(),
        });
        let cells = vec![
            word("program", 24, name),
            number("bits", 5, bits),
            number("instances", 9, count),
            number("s without", 10, format!("{without:.3}")),
            number("s compacted", 11, format!("{with:.3}")),
            number("gain", 6, format!("{:.2}", without / with)),
        ];
        Ok(Row { cells, remark: None, json })
    }
}
