//! The same rounds by the kernels of programs.

use limbforge::prelude::*;
use limbforge_cli::gpu::batch::WARMUP;
use limbforge_cli::gpu::kernels::Gpu;
use limbforge_kernels_gen::Product;
use num_bigint::BigInt;

use super::super::operands::{random, unsigned};
use super::super::{Loaded, Named, Row, measured};
use super::ROUNDS;
use crate::bench::arguments::BenchArguments;
use crate::error::LabError;

/// A row for as many instances as are resident, with the moduli that the product has.
pub(super) fn row(
    arguments: &BenchArguments,
    gpu: &Gpu,
    (name, text): (&'static str, &str),
    (product, bits): (Product, u32),
) -> Result<Row, LabError> {
    let one_modulus = product == Product::Fold;
    let make = |instances| inputs(name, (bits, one_modulus), instances);
    let (mut loaded, ..) = Loaded::new(gpu, text, make)?;
    let times = gpu.device.time(WARMUP, arguments.repeats() as usize, || loaded.start(gpu))?;
    let moduli = if one_modulus { ", modulo one number" } else { "" };
    let remark = format!("a round of {ROUNDS}, by the program's kernel{moduli}");
    Ok(measured(name, bits, &loaded, times.median_ms / f64::from(ROUNDS), Some(remark)).row())
}

fn inputs(name: &str, (bits, one_modulus): (u32, bool), instances: usize) -> Result<Named, LabError> {
    let modulus = ("N", random(bits, if one_modulus { 1 } else { instances }, 3, true)?);
    let one_for_all = |bits: u64, number: BigInt| -> Result<Batch<u64>, LabError> {
        Ok(Batch::from_bigints(unsigned(bits)?, Layout::InstanceMajor, &[number]).map_err(EvalError::from)?)
    };
    if name.starts_with("vdf") {
        let rounds = one_for_all(64, ROUNDS.into())?;
        return Ok(vec![modulus, ("x", random(bits, instances, 5, false)?), ("t", rounds)]);
    }
    // The highest bit is no round.
    let scalar = (BigInt::from(1) << ROUNDS) + (BigInt::from(0x9d2c_5680_u32) << (ROUNDS / 2));
    let sigma: Vec<u64> = (0..instances as u64).map(|i| 7 + i).collect();
    let sigma = Batch::from_u64s(unsigned(32)?, Layout::InstanceMajor, &sigma).map_err(EvalError::from)?;
    Ok(vec![modulus, ("s", one_for_all(u64::from(ROUNDS) + 1, scalar)?), ("sigma", sigma)])
}
