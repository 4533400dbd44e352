//! Stage 1 of ECM at B1 = 100000: as many curves as are resident, a slice of the scalar, scaled.

use std::time::{Duration, Instant};

use limbforge::prelude::*;
use limbforge_cli::gpu::kernels::Gpu;

use super::operands::{lcm, random, unsigned};
use super::{Loaded, Named, Row, measured, validate};
use crate::error::LabError;

const TEXT: &str = include_str!("../../../../../examples/programs/ecm.lf");

const B1: u64 = 100_000;

/// B1 of the curves that are compared with the CPU's.
const SMALL_B1: u64 = 1000;

/// Time of slices before those that are measured, and of these.
const WARMUP: Duration = Duration::from_secs(2);
const MEASURED: Duration = Duration::from_secs(4);

/// Curves modulo one number.
fn inputs(bits: u32, b1: u64, curves: usize) -> Result<Named, LabError> {
    let sigma: Vec<u64> = (0..curves as u64).map(|i| 7 + i).collect();
    let sigma = Batch::from_u64s(unsigned(32)?, Layout::InstanceMajor, &sigma).map_err(EvalError::from)?;
    Ok(vec![("N", random(bits, 1, 3, true)?), ("s", lcm(b1)?), ("sigma", sigma)])
}

pub(super) fn row(gpu: &Gpu, bits: u32) -> Result<Row, LabError> {
    let (loaded, program, all) = Loaded::new(gpu, TEXT, |curves| inputs(bits, B1, curves))?;
    validate(gpu, "ecm", &program, &inputs(bits, SMALL_B1, super::CHECKED)?)?;
    let named: Vec<(&str, &Batch<u64>)> = all.iter().map(|(name, batch)| (*name, batch)).collect();
    let mut session = Engine::gpu(gpu.device.info().ordinal)?.start(&program, &named)?;
    let before = session.advance(WARMUP)?;
    let start = Instant::now();
    let after = session.advance(MEASURED)?;
    let (seconds, bits_done) = (start.elapsed().as_secs_f64(), after.round.saturating_sub(before.round));
    // A run that is done has no rounds any more.
    let (ms, remark) = if after.is_done {
        let seconds = WARMUP.as_secs_f64() + seconds;
        (seconds * 1e3, "B1 = 100000, the whole scalar".to_owned())
    } else {
        let share = bits_done as f64 / after.rounds as f64;
        let of = format!("{bits_done} of {} bits of the scalar, scaled", after.rounds);
        (seconds / share * 1e3, format!("B1 = {B1}, {of}"))
    };
    Ok(measured("ecm stage 1", bits, &loaded, ms, Some(remark)).row())
}
