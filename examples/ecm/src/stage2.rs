//! Stage 2 on an engine: baby steps and giant steps.

mod continuation;
mod points;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use limbforge::prelude::*;
use limbforge_hunts::{HuntError, Signals};
use num_bigint::BigUint;
use num_traits::One;
use rayon::prelude::*;

pub use self::continuation::Continuation;
use crate::batch::{Instances, present};
use crate::reference::Curve;
use crate::stage1::{SLICE, one_for_all};

const PAIRS: &str = include_str!("../programs/stage2.lf");
const PAIRS_ON_CPU: &str = include_str!("../programs/stage2_cpu.lf");

/// Bytes of the baby steps of curves that are computed at once.
const BYTES: usize = 1 << 30;

/// A divisor other than 1 of each curve's number, where stage 2 finds one from the x that stage 1 has left; None if a signal
/// came.
///
/// # Errors
/// [`HuntError`] if the engine fails.
pub fn stage2(
    engine: &Engine,
    curves: &Instances,
    x: &[BigUint],
    plan: &Continuation,
    signals: &Signals,
) -> Result<Option<Vec<Option<BigUint>>>, HuntError> {
    let bytes = curves.ty().bits() as usize / 8 * plan.baby.len();
    let indices: Vec<usize> = (0..curves.len()).collect();
    let mut found = vec![];
    for some in indices.chunks((BYTES / bytes).max(1)) {
        let (curves, x) = (&curves.take(some)?, &x[some[0]..=some[some.len() - 1]]);
        let part = Part { engine, curves, x, plan, pairs: pairs_on(engine) };
        match part.run(signals)? {
            Some(divisors) => found.extend(divisors),
            None => return Ok(None),
        }
    }
    Ok(Some(found))
}

/// Curves that are computed at once.
struct Part<'p> {
    engine: &'p Engine,
    curves: &'p Instances,
    x: &'p [BigUint],
    plan: &'p Continuation,
    /// The program of the pairs.
    pairs: &'static str,
}

/// The program of the pairs for a device: with fewer products, or with fewer numbers at once.
fn pairs_on(engine: &Engine) -> &'static str {
    if engine.device_name() == "CPU" { PAIRS_ON_CPU } else { PAIRS }
}

impl Part<'_> {
    fn run(&self, signals: &Signals) -> Result<Option<Vec<Option<BigUint>>>, HuntError> {
        // Curves with a point without an inverse: it is the neutral element modulo a factor.
        let mut suspects = BTreeSet::new();
        let baby = self.normal(&self.baby()?, &mut suspects)?;
        let (n, start) = (self.curves.moduli(1)?, self.start()?);
        let giants = one_for_all(self.plan.giants)?;
        let inputs = [("N", &n), ("start", &start), ("giants", &giants), ("baby", &baby)];
        let mut session = self.engine.start(&self.pairs()?, &inputs)?;
        while !session.progress().is_done {
            if signals.came() {
                return Ok(None);
            }
            session.advance(SLICE)?;
        }
        let run = session.finish()?;
        suspects.extend(run.failures().iter().map(|failure| failure.instance));
        let factors = present(run.result("factor"))?.to_biguints();
        let divisor = |i: usize| {
            let factor = if suspects.contains(&i) {
                let curve = Curve::new(self.curves.number(i), self.curves.sigma(i));
                curve.stage2(&self.x[i], self.plan.step, self.plan.first, self.plan.giants)
            } else {
                factors[i].clone()
            };
            (!factor.is_one()).then_some(factor)
        };
        Ok(Some((0..self.curves.len()).into_par_iter().map(divisor).collect()))
    }

    /// The program of the pairs with the sizes of the plan.
    fn pairs(&self) -> Result<Program, HuntError> {
        let text = self
            .pairs
            .replace("const K = 240", &format!("const K = {}", self.plan.baby.len()))
            .replace("u512", &format!("u{}", self.curves.ty().bits()));
        Ok(Program::parse(&text)?)
    }
}
