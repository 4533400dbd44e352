//! Measurements as a table or as JSON.

use std::{fmt, path::Path};

use limbforge_gpu::DeviceKey;
use limbforge_kernels_gen::{Product, ProductMapping};
use serde_json::{Value, json};

use super::cases::{Case, Job};
use crate::{error::CliError, table::aligned};
use limbforge_cli::gpu::kernels::limb_kind;

const HEAD: [&str; 10] = [
    "expression",
    "limb",
    "bits",
    "classical",
    "tensor",
    "ntt",
    "fastest",
    "ms",
    "chosen",
    "chosen : fastest",
];

const PRODUCTS: [Product; 3] = [Product::Classical, Product::Tensor, Product::Ntt];

pub(super) struct Report<'r> {
    pub(super) key: &'r DeviceKey,
    /// Where measurements are kept; None with `--check`, whose choices go by what is kept already.
    pub(super) path: Option<&'r Path>,
    pub(super) cases: &'r [Case],
}

impl Job {
    fn ms(&self) -> Option<f64> {
        Some(self.outcome.as_ref()?.as_ref().ok()?.ms)
    }

    fn json(&self) -> Value {
        let (time, error) = match &self.outcome {
            Some(Ok(time)) => (Some(time), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        json!({
            "product": self.spec.product.to_string(),
            "mapping": self.mapping,
            "expected_ms": self.expected_ms,
            "model_ms": self.model_ms,
            "ms": time.map(|time| time.ms),
            "instances": time.map(|time| time.instances),
            "error": error,
        })
    }
}

impl Case {
    /// The job of a product with the planned mapping, or another one.
    fn job(&self, product: Product, mapping: Option<ProductMapping>) -> Option<&Job> {
        self.jobs.iter().find(|job| (job.spec.product, job.mapping) == (product, mapping))
    }

    fn fastest(&self) -> Option<(&Job, f64)> {
        let times = self.jobs.iter().filter_map(|job| Some((job, job.ms()?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The time of the choice, as a multiple of the fastest.
    fn ratio(&self) -> Option<f64> {
        let (product, mapping) = self.chosen;
        Some(self.job(product, mapping)?.ms()? / self.fastest()?.1)
    }

    fn is_within(&self, limit: f64) -> bool {
        self.ratio().is_none_or(|ratio| ratio <= limit)
    }

    fn line(&self) -> Vec<String> {
        let Self { expression, ty, limb, chosen: (product, mapping), .. } = self;
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let planned = |product| match self.job(product, None) {
            Some(job) => job.ms().map_or_else(|| "failed".to_owned(), |ms| format!("{ms:.4}")),
            None => "-".to_owned(),
        };
        let mapping = mapping.map(|mapping| format!(" {mapping}")).unwrap_or_default();
        let head = [expression.clone(), limb_kind(*limb).to_string(), ty.bits().to_string()];
        let tail = [
            or_none(self.fastest().map(|(job, _)| job.to_string())),
            or_none(self.fastest().map(|(_, ms)| format!("{ms:.4}"))),
            format!("{product}{mapping}"),
            or_none(self.ratio().map(|ratio| format!("{ratio:.3}"))),
        ];
        head.into_iter().chain(PRODUCTS.map(planned)).chain(tail).collect()
    }

    fn json(&self) -> Value {
        json!({
            "expression": self.expression,
            "bits": self.ty.bits(),
            "limb": limb_kind(self.limb).to_string(),
            "chosen": self.chosen.0.to_string(),
            "chosen_mapping": self.chosen.1,
            "fastest": self.fastest().map(|(job, _)| job.spec.product.to_string()),
            "fastest_mapping": self.fastest().and_then(|(job, _)| job.mapping),
            "ratio": self.ratio(),
            "candidates": self.jobs.iter().map(Job::json).collect::<Vec<_>>(),
        })
    }
}

impl Report<'_> {
    pub(super) fn to_json(&self) -> String {
        let DeviceKey { gpu, driver, limbforge } = self.key;
        let cases: Vec<Value> = self.cases.iter().map(Case::json).collect();
        let value = json!({
            "gpu": gpu, "driver": driver, "limbforge": limbforge, "file": self.path, "cases": cases,
        });
        format!("{value:#}\n")
    }

    /// [`CliError::Slow`] unless all choices are within their limits of the fastest.
    pub(super) fn check(&self) -> Result<(), CliError> {
        let slow = self.cases.iter().filter(|case| !case.is_within(case.limit)).count();
        if slow == 0 { Ok(()) } else { Err(CliError::Slow { slow, of: self.cases.len() }) }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}; ms for 2^32 bits of each operand; every result validated\n", self.key)?;
        let mut lines = vec![HEAD.map(str::to_owned).to_vec()];
        lines.extend(self.cases.iter().map(Case::line));
        writeln!(f, "{}", aligned(&lines, &[0, 1, 6, 8]).join("\n"))?;
        for (case, job) in self.cases.iter().flat_map(|case| case.jobs.iter().map(move |job| (case, job))) {
            if let Some(Err(why)) = &job.outcome {
                writeln!(f, "{} of {} bits, {job}: {why}", case.expression, case.ty.bits())?;
            }
        }
        if let Some(worst) = self.cases.iter().filter_map(Case::ratio).reduce(f64::max) {
            let within = |limit| self.cases.iter().filter(|case| case.is_within(limit)).count();
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
