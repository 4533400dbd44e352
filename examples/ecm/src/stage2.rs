//! Stage 2 on an engine: baby steps and giant steps.

mod continuation;
mod points;

use std::collections::BTreeSet;

use limbforge::prelude::*;
use limbforge_hunts::{HuntError, Signals};
use num_bigint::BigUint;
use num_traits::One;
use rayon::prelude::*;

pub use self::continuation::Continuation;
use crate::batch::{Instances, present};
use crate::reference::Curve;

const PAIRS: &str = include_str!("../programs/stage2.lf");

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
        let part = Part { engine, curves: &curves.take(some)?, x: &x[some[0]..=some[some.len() - 1]], plan };
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
}

impl Part<'_> {
    fn run(&self, signals: &Signals) -> Result<Option<Vec<Option<BigUint>>>, HuntError> {
        let (n, ty) = (self.curves.moduli(1)?, self.curves.ty());
        let count = self.curves.len();
        // Curves with a point without an inverse: it is the neutral element modulo a factor.
        let mut suspects = BTreeSet::new();
        let baby = self.normal(&self.baby()?, &mut suspects)?;
        let mut product = Batch::from_u64s(ty, Layout::InstanceMajor, &vec![1; count])?;
        let mut factors = vec![];
        let program = self.pairs()?;
        for part in 0..self.plan.parts {
            if signals.came() {
                return Ok(None);
            }
            let giant = self.giant(self.plan.first + part * self.plan.giants, &mut suspects)?;
            let inputs = [("N", &n), ("before", &product), ("baby", &baby), ("giant", &giant)];
            let run = self.engine.run(&program, &inputs)?;
            factors = present(run.result("factor"))?.to_biguints();
            product = present(run.result("product"))?.clone();
        }
        let divisor = |i: usize| {
            let factor = if suspects.contains(&i) {
                let giants = self.plan.giants * self.plan.parts;
                let curve = Curve::new(self.curves.number(i), self.curves.sigma(i));
                curve.stage2(&self.x[i], self.plan.step, self.plan.first, giants)
            } else {
                factors[i].clone()
            };
            (!factor.is_one()).then_some(factor)
        };
        Ok(Some((0..count).into_par_iter().map(divisor).collect()))
    }

    /// The program of the pairs with the sizes of the plan.
    fn pairs(&self) -> Result<Program, HuntError> {
        let text = PAIRS
            .replace("const K = 240", &format!("const K = {}", self.plan.baby.len()))
            .replace("const M = 64", &format!("const M = {}", self.plan.giants))
            .replace("u512", &format!("u{}", self.curves.ty().bits()));
        Ok(Program::parse(&text)?)
    }
}
