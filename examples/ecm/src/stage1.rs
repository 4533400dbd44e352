//! Stage 1 on an engine.

use std::path::Path;
use std::time::{Duration, Instant};

use limbforge::field::primes::lcm_to;
use limbforge::prelude::*;
use limbforge_hunts::{HuntError, Signals};
use num_bigint::BigUint;
use num_traits::One;
use rayon::prelude::*;

use crate::batch::{Instances, present, words};

/// The program, that of the guide to programs.
const PROGRAM: &str = include_str!("../../programs/ecm.lf");

/// The time between two looks at signals.
pub(crate) const SLICE: Duration = Duration::from_secs(1);

/// What stage 1 leaves of a curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A divisor of its number, other than 1.
    Divisor(BigUint),
    /// x = X / Z of the point.
    Residue(BigUint),
}

/// A folder for the checkpoint of a session, and the time between two of them.
pub(crate) type Kept<'p> = Option<(&'p Path, Duration)>;

/// Stage 1 of all curves; None if a signal came.
pub(crate) fn stage1(
    engine: &Engine,
    curves: &Instances,
    b1: u32,
    kept: Kept<'_>,
    signals: &Signals,
) -> Result<Option<Vec<Outcome>>, HuntError> {
    let mut session = start(engine, curves, b1, kept)?;
    let mut written = Instant::now();
    while !session.progress().is_done {
        if signals.came() {
            if let Some((path, _)) = kept {
                session.checkpoint(path)?;
            }
            return Ok(None);
        }
        let is_done = session.advance(SLICE)?.is_done;
        if let Some((path, every)) = kept
            && written.elapsed() >= every
        {
            session.checkpoint(path)?;
            written = Instant::now();
        }
        if is_done {
            break;
        }
    }
    let run = session.finish()?;
    if let Some(failure) = run.failures().first() {
        return Err(HuntError::Wrong(format!("curve {} has failed: {failure:?}", failure.instance)));
    }
    let result = |name| present(run.result(name)).map(Batch::to_biguints);
    let (x, z, factor) = (result("X")?, result("Z")?, result("factor")?);
    let outcome = |i: usize| {
        if !factor[i].is_one() {
            return Outcome::Divisor(factor[i].clone());
        }
        let n = curves.number(i);
        // Its common divisor with N is 1.
        let inverse = z[i].modinv(n).unwrap_or_default();
        Outcome::Residue(&x[i] * inverse % n)
    };
    Ok(Some((0..curves.len()).into_par_iter().map(outcome).collect()))
}

/// A new session, or that of the checkpoint if it is of these curves.
fn start(engine: &Engine, curves: &Instances, b1: u32, kept: Kept<'_>) -> Result<Session<u64>, HuntError> {
    let n = curves.moduli(1)?;
    let sigma = curves.sigmas()?;
    let s = lcm_to(b1.into());
    if let Some((path, _)) = kept.filter(|(path, _)| path.exists()) {
        let session = engine.resume(path)?;
        let is_same = |name, batch: &Batch<u64>| {
            session.input(name).is_some_and(|input| input.to_biguints() == batch.to_biguints())
        };
        if is_same("N", &n)
            && is_same("sigma", &sigma)
            && session.input("s").is_some_and(|input| input.to_biguints() == [s.clone()])
        {
            return Ok(session);
        }
    }
    let ty = IntType::unsigned(s.bits().next_multiple_of(64))
        .map_err(|error| HuntError::argument(error.to_string()))?;
    let s = Batch::from_biguints(ty, Layout::InstanceMajor, &[s])?;
    let program = Program::parse(PROGRAM)?;
    Ok(engine.start(&program, &[("N", &n), ("s", &s), ("sigma", &sigma)])?)
}

/// A number for all instances.
pub(crate) fn one_for_all(value: u32) -> Result<Batch<u64>, HuntError> {
    words(32, vec![value.into()])
}
