//! Stage 2 on an engine: baby steps and giant steps.

use std::collections::BTreeSet;

use limbforge::prelude::*;
use limbforge_hunts::{HuntError, Signals};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;
use rayon::prelude::*;

use crate::batch::{Instances, present, words};
use crate::reference::Curve;
use crate::stage1::one_for_all;

const BABY: &str = include_str!("../programs/baby.lf");
const GIANT: &str = include_str!("../programs/giant.lf");
const NORMAL: &str = include_str!("../programs/normal.lf");
const PAIRS: &str = include_str!("../programs/stage2.lf");

/// Points that share an inversion, as `normal.lf` has them.
const SHARED: usize = 4;

/// Giant steps between two products.
const GIANTS: u32 = 256;

/// Bytes of the baby steps of curves that are computed at once.
const BYTES: usize = 1 << 30;

/// The steps between two bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The giant step D: all m D + j and m D - j are looked at for j below D / 2 without a common divisor with D.
    pub step: u32,
    /// The numbers j.
    pub baby: Vec<u32>,
    /// The first m.
    pub first: u32,
    /// Giant steps of a part, a multiple of 4.
    pub giants: u32,
    /// The number of parts.
    pub parts: u32,
}

impl Continuation {
    /// The steps whose m D + j and m D - j are all numbers between the bounds without a common divisor with D, and a few
    /// more; None if `b2` is not above `b1`.
    ///
    /// # Errors
    /// [`HuntError::Argument`] if B1 is below 105, or B2 above 2^40.
    pub fn new(b1: u32, b2: u64) -> Result<Option<Self>, HuntError> {
        if b2 <= b1.into() {
            return Ok(None);
        }
        if b1 < 105 || b2 > 1 << 40 {
            return Err(HuntError::argument(format!(
                "expected B1 from 105 on and B2 up to 2^40 for a stage 2, found {b1}, {b2}"
            )));
        }
        let step = if b1 >= 1155 && b2 >= 1_000_000 { 2310 } else { 210 };
        // From the m whose interval m D - D / 2 to m D + D / 2 has B1 in it to that of B2.
        let first = (b1 + step / 2) / step;
        let last = (b2 + u64::from(step / 2)) / u64::from(step);
        let all = last as u32 + 1 - first;
        let parts = all.div_ceil(GIANTS);
        let giants = all.div_ceil(parts).next_multiple_of(4);
        let baby = (1..step / 2).filter(|j| j.gcd(&step) == 1).collect();
        Ok(Some(Self { step, baby, first, giants, parts }))
    }
}

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

    fn xs(&self) -> Result<Batch<u64>, HuntError> {
        Ok(Batch::from_biguints(self.curves.ty(), Layout::InstanceMajor, self.x)?)
    }

    /// X and Z of the baby steps, those of a curve one after the other.
    fn baby(&self) -> Result<[Batch<u64>; 2], HuntError> {
        let odd = (1..self.plan.step / 2).step_by(2);
        let keep: Vec<u64> = odd.map(|j| u64::from(self.plan.baby.binary_search(&j).is_ok())).collect();
        let text = BABY.replace("[u32; 53]", &format!("[u32; {}]", keep.len()));
        let rows = self.curves.len() * self.plan.baby.len();
        let (n, sigma) = (self.curves.moduli(1)?, self.curves.sigmas()?);
        let inputs = [("N", &n), ("sigma", &sigma), ("x", &self.xs()?), ("keep", &words(32, keep)?)];
        let run = self.engine.run(&sized(&text, rows)?, &inputs)?;
        match present(run.list("baby"))?.columns() {
            [x, z] if x.instances() == rows && run.failures().is_empty() => Ok([x.clone(), z.clone()]),
            _ => Err(wrong_rows(rows)),
        }
    }

    /// x of the giant steps from `first` on, those of a curve one after the other. A curve with a point without an inverse
    /// becomes a suspect; others take the place of its points.
    fn giant(&self, first: u32, suspects: &mut BTreeSet<usize>) -> Result<Batch<u64>, HuntError> {
        let rows = self.curves.len() * self.plan.giants as usize;
        let (n, sigma) = (self.curves.moduli(1)?, self.curves.sigmas()?);
        let (step, first) = (one_for_all(self.plan.step)?, one_for_all(first)?);
        let (x, giants) = (self.xs()?, one_for_all(self.plan.giants)?);
        let inputs = [
            ("N", &n),
            ("sigma", &sigma),
            ("x", &x),
            ("step", &step),
            ("first", &first),
            ("giants", &giants),
        ];
        let run = self.engine.run(&sized(GIANT, rows)?, &inputs)?;
        let failed: BTreeSet<usize> = run.failures().iter().map(|failure| failure.instance).collect();
        let list = present(run.list("steps"))?;
        let [x] = list.columns() else { return Err(wrong_rows(rows)) };
        if failed.is_empty() && x.instances() == rows {
            return Ok(x.clone());
        }
        let mut places = vec![vec![]; self.curves.len()];
        for (row, &instance) in list.instances().iter().enumerate() {
            present(places.get_mut(instance as usize))?.push(row);
        }
        let is_short = |(i, places): (usize, &Vec<usize>)| {
            places.len() < self.plan.giants as usize && !failed.contains(&i)
        };
        if places.iter().enumerate().any(is_short) {
            return Err(wrong_rows(rows));
        }
        for places in &mut places {
            places.resize(self.plan.giants as usize, 0);
        }
        suspects.extend(failed);
        if x.instances() == 0 {
            return Ok(Batch::zeros(self.curves.ty(), Layout::InstanceMajor, rows)?);
        }
        Ok(x.take(&places.concat())?)
    }

    /// X / Z of points, as many for each curve. Curves with a point without an inverse become suspects; it is 0.
    fn normal(
        &self,
        [x, z]: &[Batch<u64>; 2],
        suspects: &mut BTreeSet<usize>,
    ) -> Result<Batch<u64>, HuntError> {
        let times = x.instances() / SHARED / self.curves.len();
        let n = self.curves.moduli(times)?;
        let run = self.engine.run(&Program::parse(NORMAL)?, &[("N", &n), ("x", x), ("z", z)])?;
        suspects.extend(run.failures().iter().map(|failure| failure.instance / times));
        Ok(present(run.result("u"))?.clone())
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

/// The program with a list of so many rows.
fn sized(text: &str, rows: usize) -> Result<Program, HuntError> {
    Ok(Program::parse(&text.replace("at most 1000000", &format!("at most {rows}")))?)
}

fn wrong_rows(rows: usize) -> HuntError {
    HuntError::Wrong(format!("a list does not have {rows} rows"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All primes between the bounds are some m D + j or m D - j.
    #[test]
    fn no_prime_between_the_bounds_is_missed() {
        for (b1, b2) in [(105, 5000), (2000, 200_000), (1155, 1_000_000), (11_000, 1_100_000), (200, 211)] {
            let plan = Continuation::new(b1, b2).unwrap().unwrap();
            let end = plan.first + plan.giants * plan.parts;
            for q in limbforge_hunts::primes_to(b2 as u32).into_iter().filter(|&q| q > b1) {
                let m = (q + plan.step / 2) / plan.step;
                assert!((plan.first..end).contains(&m), "{q}");
                assert!(plan.baby.contains(&q.abs_diff(m * plan.step)), "{q}");
            }
            assert!(
                u64::from((end - 1) * plan.step) < b2 + u64::from(4 * plan.parts * plan.step),
                "few more"
            );
        }
        assert_eq!(Continuation::new(2000, 2000).unwrap(), None);
        assert!(Continuation::new(100, 2000).is_err());
    }
}
