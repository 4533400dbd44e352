//! The points of stage 2: x of baby steps and giant steps, from programs.

use std::collections::BTreeSet;

use limbforge::prelude::*;
use limbforge_hunts::HuntError;

use super::Part;
use crate::batch::{present, words};
use crate::stage1::one_for_all;

const BABY: &str = include_str!("../../programs/baby.lf");
const GIANT: &str = include_str!("../../programs/giant.lf");
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
    pub(super) fn giant(&self, first: u32, suspects: &mut BTreeSet<usize>) -> Result<Batch<u64>, HuntError> {
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

/// The program with a list of so many rows.
fn sized(text: &str, rows: usize) -> Result<Program, HuntError> {
    Ok(Program::parse(&text.replace("at most 1000000", &format!("at most {rows}")))?)
}

fn wrong_rows(rows: usize) -> HuntError {
    HuntError::Wrong(format!("a list does not have {rows} rows"))
}
