//! What was measured, as a table or as JSON.

use std::fmt;
use std::path::Path;

use limbforge_gpu::DeviceKey;
use limbforge_kernels_gen::{Product, ProductMapping};
use serde_json::{Value, json};

use super::cases::{Case, Job};
use super::measure::{Outcomes, Time};
use crate::error::CliError;
use crate::table::aligned;
use limbforge_cli::gpu::kernels::limb_kind;

const PRODUCTS: [Product; 3] = [Product::Classical, Product::Tensor, Product::Ntt];

pub(super) struct Report<'r> {
    pub(super) key: &'r DeviceKey,
    /// Where measurements are kept; None with `--check`, whose choices go by what is kept already.
    pub(super) path: Option<&'r Path>,
    pub(super) cases: &'r [Case],
    pub(super) outcomes: &'r Outcomes,
}

/// A case with its jobs' outcomes.
struct Judged<'r> {
    case: &'r Case,
    outcomes: &'r [Result<Time, String>],
}

impl Judged<'_> {
    fn jobs(&self) -> impl Iterator<Item = (&Job, &Result<Time, String>)> {
        self.case.jobs.iter().zip(self.outcomes)
    }

    /// The outcome of a product with the planned mapping, or another one.
    fn of(&self, product: Product, mapping: Option<ProductMapping>) -> Option<&Result<Time, String>> {
        let is_it = |job: &Job| (job.spec.product, job.mapping) == (product, mapping);
        self.jobs().find(|(job, _)| is_it(job)).map(|(_, outcome)| outcome)
    }

    fn fastest(&self) -> Option<(&Job, f64)> {
        let times = self.jobs().filter_map(|(job, outcome)| Some((job, outcome.as_ref().ok()?.ms)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// What the choice takes of the fastest.
    fn ratio(&self) -> Option<f64> {
        let (product, mapping) = self.case.chosen;
        let chosen = self.of(product, mapping)?.as_ref().ok()?;
        Some(chosen.ms / self.fastest()?.1)
    }

    fn is_within(&self, limit: f64) -> bool {
        self.ratio().is_none_or(|ratio| ratio <= limit)
    }

    fn line(&self) -> Vec<String> {
        let Case { expression, ty, limb, chosen: (product, mapping), .. } = self.case;
        let mut line = vec![expression.clone(), limb_kind(*limb).to_string(), ty.bits().to_string()];
        line.extend(PRODUCTS.map(|product| match self.of(product, None) {
            Some(Ok(time)) => format!("{:.4}", time.ms),
            Some(Err(_)) => "failed".to_owned(),
            None => "-".to_owned(),
        }));
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        line.push(or_none(self.fastest().map(|(job, _)| job.to_string())));
        line.push(or_none(self.fastest().map(|(_, ms)| format!("{ms:.4}"))));
        let mapping = mapping.map(|mapping| format!(" {mapping}")).unwrap_or_default();
        line.push(format!("{product}{mapping}"));
        line.push(or_none(self.ratio().map(|ratio| format!("{ratio:.3}"))));
        line
    }

    fn json(&self) -> Value {
        let candidates = self.jobs().map(|(job, outcome)| {
            json!({
                "product": job.spec.product.to_string(),
                "mapping": job.mapping,
                "expected_ms": job.expected_ms,
                "model_ms": job.model_ms,
                "ms": outcome.as_ref().ok().map(|time| time.ms),
                "instances": outcome.as_ref().ok().map(|time| time.instances),
                "error": outcome.as_ref().err(),
            })
        });
        json!({
            "expression": self.case.expression,
            "bits": self.case.ty.bits(),
            "limb": limb_kind(self.case.limb).to_string(),
            "chosen": self.case.chosen.0.to_string(),
            "chosen_mapping": self.case.chosen.1,
            "fastest": self.fastest().map(|(job, _)| job.spec.product.to_string()),
            "fastest_mapping": self.fastest().and_then(|(job, _)| job.mapping),
            "ratio": self.ratio(),
            "candidates": candidates.collect::<Vec<Value>>(),
        })
    }
}

impl Report<'_> {
    fn judged(&self) -> impl Iterator<Item = Judged<'_>> {
        self.cases.iter().zip(self.outcomes).map(|(case, outcomes)| Judged { case, outcomes })
    }

    pub(super) fn to_json(&self) -> String {
        let DeviceKey { gpu, driver, limbforge } = self.key;
        let cases: Vec<Value> = self.judged().map(|judged| judged.json()).collect();
        let value = json!({
            "gpu": gpu, "driver": driver, "limbforge": limbforge, "file": self.path, "cases": cases,
        });
        format!("{value:#}\n")
    }

    /// Whether all choices are within their limits of the fastest.
    ///
    /// # Errors
    /// [`CliError::Slow`].
    pub(super) fn check(&self) -> Result<(), CliError> {
        let slow = self.judged().filter(|judged| !judged.is_within(judged.case.limit)).count();
        if slow == 0 { Ok(()) } else { Err(CliError::Slow { slow, of: self.cases.len() }) }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}; ms for 2^32 bits of each operand; every result validated\n", self.key)?;
        let mut head = vec!["expression", "limb", "bits"];
        head.extend(["classical", "tensor", "ntt", "fastest", "ms", "chosen", "chosen : fastest"]);
        let head = head.into_iter().map(str::to_owned).collect();
        let lines: Vec<Vec<String>> =
            [head].into_iter().chain(self.judged().map(|judged| judged.line())).collect();
        for line in aligned(&lines, &[0, 1, 6, 8]) {
            writeln!(f, "{line}")?;
        }
        for judged in self.judged() {
            for (job, outcome) in judged.jobs() {
                if let Err(why) = outcome {
                    let Case { expression, ty, .. } = judged.case;
                    writeln!(f, "{expression} of {} bits, {job}: {why}", ty.bits())?;
                }
            }
        }
        let worst = self.judged().filter_map(|judged| judged.ratio()).reduce(f64::max);
        if let Some(worst) = worst {
            let within = |limit| self.judged().filter(|judged| judged.is_within(limit)).count();
            let by = if self.path.is_some() { "Without tuning" } else { "By what is kept" };
            writeln!(
                f,
                "\n{by} the choice takes at most {worst:.3} times the fastest measured one; within 5 % of it in {} of {} cases, within \
                 15 % in {}.",
                within(1.05),
                self.cases.len(),
                within(1.15)
            )?;
        }
        match self.path {
            Some(path) => writeln!(f, "Kept in {}", path.display()),
            None => Ok(()),
        }
    }
}
