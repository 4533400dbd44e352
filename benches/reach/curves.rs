//! A program on several GPUs beside one: stage 1 of ECM on curves of whole waves.

use limbforge::prelude::*;
use num_bigint::BigInt;
use num_integer::Integer;
use serde_json::{Value, json};

use super::gpus::{OfOne, of_one};
use super::{Outcome, put_of, ratio};

const TEXT: &str = include_str!("../../examples/programs/ecm.lf");

/// A wave of curves on an H200: as many as it computes at once.
const WAVE: u64 = 67_584;

/// The bound of the scalar: 0.65 seconds a wave.
const B1: u32 = 10_000;

/// Curves that are compared with the CPU's.
const CHECKED: usize = 20;

/// Runs that count.
const RUNS: usize = 3;

/// Batches in the program's order.
type Results = Vec<Batch<u64>>;

/// Inputs of a wave for each of so many places.
struct Inputs {
    program: Program,
    modulus: Batch<u64>,
    scalar: Batch<u64>,
    sigma: Batch<u64>,
}

impl Inputs {
    fn new(waves: u64) -> Outcome<Self> {
        let of_all = |value: BigInt, bits: u64| -> Outcome<Batch<u64>> {
            Ok(Batch::from_bigints(IntType::unsigned(bits)?, Layout::InstanceMajor, &[value])?)
        };
        let scalar = (2..=B1).fold(BigInt::from(1), |lcm, i| lcm.lcm(&i.into()));
        let sigma: Vec<u64> = (0..waves * WAVE).map(|i| 7 + i).collect();
        Ok(Self {
            program: Program::parse(TEXT)?,
            modulus: of_all((BigInt::from(1) << 512) - 569, 512)?,
            scalar: of_all(scalar.clone(), scalar.bits())?,
            sigma: Batch::from_u64s(IntType::unsigned(32)?, Layout::InstanceMajor, &sigma)?,
        })
    }

    fn run(&self, engine: &Engine, curves: usize) -> Outcome<ProgramRun<u64>> {
        let sigma = self.sigma.slice(0..curves);
        let inputs = [("N", &self.modulus), ("s", &self.scalar), ("sigma", &sigma)];
        Ok(engine.run(&self.program, &inputs)?)
    }

    fn results(&self, engine: &Engine, curves: usize) -> Outcome<Results> {
        Ok(self.run(engine, curves)?.results().map(|(_, batch)| batch.clone()).collect())
    }
}

/// Waves that one GPU computes in five seconds. More are not measured.
const MOST: u64 = 8;

/// Milliseconds on one GPU and on all, of a wave and of two waves for each of `count` GPUs.
pub(super) fn measure(one: &Engine, all: &Engine, count: usize, known: &mut OfOne) -> Outcome<Value> {
    let places = count as u64;
    let inputs = Inputs::new(2 * places)?;
    let on_cpu = inputs.results(&Engine::cpu(), CHECKED)?;
    let mut rows = vec![];
    for waves in [places, 2 * places].into_iter().filter(|&waves| waves <= MOST.max(places)) {
        let curves = (waves * WAVE) as usize;
        let expected = inputs.results(one, curves)?;
        let first: Vec<_> = expected.iter().map(|batch| batch.slice(0..CHECKED)).collect();
        assert!(first == on_cpu, "the GPU's curves are the CPU's");
        assert!(inputs.results(all, curves)? == expected, "the curves of all GPUs are those of one");
        let mut times = of_one(known, &format!("{waves} waves"), |times| {
            put_of(RUNS, times, "one", || inputs.run(one, curves))
        })?;
        put_of(RUNS, &mut times, "all", || inputs.run(all, curves))?;
        let ratio = ratio(&times, "one", "all");
        rows.push(json!({ "curves": curves, "milliseconds": times, "times_as_fast": ratio }));
    }
    let mut wave =
        of_one(known, "1 waves", |times| put_of(RUNS, times, "one", || inputs.run(one, WAVE as usize)))?;
    Ok(json!({
        "b1": B1, "bits": 512, "goal": 0.97 * count as f64, "waves": rows,
        "milliseconds_of_one_wave": wave.remove("one"),
    }))
}
