//! The points of stage 2: baby steps and the first giant steps, from programs.

use std::collections::BTreeSet;

use limbforge::prelude::*;
use limbforge_hunts::HuntError;

use super::Part;
use crate::batch::{present, words};
use crate::stage1::one_for_all;

const BABY: &str = include_str!("../../programs/baby.lf");
const START: &str = include_str!("../../programs/start.lf");
const NORMAL: &str = include_str!("../../programs/normal.lf");

/// Points that share an inversion, as `normal.lf` has them.
const SHARED: usize = 4;

impl Part<'_> {
    fn xs(&self) -> Result<Batch<u64>, HuntError> {
        Ok(Batch::from_biguints(self.curves.ty(), Layout::InstanceMajor, self.x)?)
    }

    /// X and Z of the baby steps, those of a curve one after the other.
    pub(super) fn baby(&self) -> Result<[Batch<u64>; 2], HuntError> {
        let odd = (1..self.plan.step / 2).step_by(2);
        let keep: Vec<u64> = odd.map(|j| u64::from(self.plan.baby.binary_search(&j).is_ok())).collect();
        let rows = self.curves.len() * self.plan.baby.len();
        let text = BABY
            .replace("[u32; 53]", &format!("[u32; {}]", keep.len()))
            .replace("at most 1000000", &format!("at most {rows}"));
        let (n, sigma) = (self.curves.moduli(1)?, self.curves.sigmas()?);
        let inputs = [("N", &n), ("sigma", &sigma), ("x", &self.xs()?), ("keep", &words(32, keep)?)];
        let run = self.engine.run(&Program::parse(&text)?, &inputs)?;
        match present(run.list("baby"))?.columns() {
            [x, z] if x.instances() == rows && run.failures().is_empty() => Ok([x.clone(), z.clone()]),
            _ => Err(HuntError::Wrong(format!("the list of baby steps does not have {rows} rows"))),
        }
    }

    /// X and Z of the first two giant steps and of their difference, six numbers for each curve.
    pub(super) fn start(&self) -> Result<Batch<u64>, HuntError> {
        let (n, sigma, x) = (self.curves.moduli(1)?, self.curves.sigmas()?, self.xs()?);
        let (step, first) = (one_for_all(self.plan.step)?, one_for_all(self.plan.first)?);
        let inputs = [("N", &n), ("sigma", &sigma), ("x", &x), ("step", &step), ("first", &first)];
        let run = self.engine.run(&Program::parse(START)?, &inputs)?;
        match run.failures().first() {
            None => Ok(present(run.result("start"))?.clone()),
            Some(failure) => Err(HuntError::Wrong(format!("curve {} has failed", failure.instance))),
        }
    }

    /// X / Z of points, as many for each curve. Curves with a point without an inverse become suspects; it is 0.
    pub(super) fn normal(
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
}
