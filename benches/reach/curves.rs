//! A program on several GPUs beside one: stage 1 of ECM on curves that fill eight GPUs.

use limbforge::prelude::*;
use num_bigint::BigInt;
use num_integer::Integer;
use serde_json::{Map, Value, json};

use super::{Outcome, put, ratio};

const TEXT: &str = include_str!("../../examples/programs/ecm.lf");

/// Curves, and the bound of their scalar: three seconds on an H200.
const CURVES: u64 = 270_336;
const B1: u32 = 10_000;

/// Curves that are compared with the CPU's.
const CHECKED: usize = 20;

/// Milliseconds on one GPU and on all.
pub(super) fn measure(one: &Engine, all: &Engine) -> Outcome<Value> {
    let program = Program::parse(TEXT)?;
    let of_all = |value: BigInt, bits: u64| -> Outcome<Batch<u64>> {
        Ok(Batch::from_bigints(IntType::unsigned(bits)?, Layout::InstanceMajor, &[value])?)
    };
    let modulus = of_all((BigInt::from(1) << 512) - 569, 512)?;
    let scalar = (2..=B1).fold(BigInt::from(1), |lcm, i| lcm.lcm(&i.into()));
    let scalar = of_all(scalar.clone(), scalar.bits())?;
    let sigma: Vec<u64> = (0..CURVES).map(|i| 7 + i).collect();
    let sigma = Batch::from_u64s(IntType::unsigned(32)?, Layout::InstanceMajor, &sigma)?;
    let inputs = [("N", &modulus), ("s", &scalar), ("sigma", &sigma)];
    let results = |engine: &Engine, inputs: &[(&str, &Batch<u64>)]| -> Outcome<Vec<Batch<u64>>> {
        Ok(engine.run(&program, inputs)?.results().map(|(_, batch)| batch.clone()).collect())
    };
    let few = sigma.slice(0..CHECKED);
    let on_cpu = results(&Engine::cpu(), &[("N", &modulus), ("s", &scalar), ("sigma", &few)])?;
    let expected = results(one, &inputs)?;
    let first: Vec<_> = expected.iter().map(|batch| batch.slice(0..CHECKED)).collect();
    assert!(first == on_cpu, "the GPU's curves are the CPU's");
    assert!(results(all, &inputs)? == expected, "the curves of all GPUs are those of one");
    let mut times = Map::new();
    for (engine, gpus) in [(one, "one"), (all, "all")] {
        put(&mut times, gpus, || results(engine, &inputs))?;
    }
    let ratio = ratio(&times, "one", "all");
    Ok(json!({ "curves": CURVES, "b1": B1, "bits": 512, "milliseconds": times, "times_as_fast": ratio }))
}
