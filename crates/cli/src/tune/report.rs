//! What was measured, as a table or as JSON.

use std::fmt;
use std::path::Path;

use limbforge_gpu::DeviceKey;
use limbforge_kernels_gen::Product;
use serde_json::{Value, json};

use super::cases::{Case, Job};
use super::measure::{Outcomes, Time};
use crate::kernels::limb_kind;
use crate::table::aligned;

const PRODUCTS: [Product; 3] = [Product::Classical, Product::Tensor, Product::Ntt];

pub(super) struct Report<'r> {
    pub(super) key: &'r DeviceKey,
    pub(super) path: &'r Path,
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

    fn of(&self, product: Product) -> Option<&Result<Time, String>> {
        self.jobs().find(|(job, _)| job.spec.product == product).map(|(_, outcome)| outcome)
    }

    fn ms(&self, product: Product) -> Option<f64> {
        self.of(product).and_then(|outcome| outcome.as_ref().ok()).map(|time| time.ms)
    }

    fn fastest(&self) -> Option<(Product, f64)> {
        let times = PRODUCTS.into_iter().filter_map(|product| Some((product, self.ms(product)?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// What the choice without tuning takes of the fastest.
    fn ratio(&self) -> Option<f64> {
        Some(self.ms(self.case.shipped)? / self.fastest()?.1)
    }

    fn line(&self) -> Vec<String> {
        let Case { expression, ty, limb, shipped, .. } = self.case;
        let mut line = vec![expression.clone(), limb_kind(*limb).to_string(), ty.bits().to_string()];
        line.extend(PRODUCTS.map(|product| match self.of(product) {
            Some(Ok(time)) => format!("{:.4}", time.ms),
            Some(Err(_)) => "failed".to_owned(),
            None => "-".to_owned(),
        }));
        line.push(self.fastest().map_or_else(|| "-".to_owned(), |(product, _)| product.to_string()));
        line.push(shipped.to_string());
        line.push(self.ratio().map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.3}")));
        line
    }

    fn json(&self) -> Value {
        let candidates = self.jobs().map(|(job, outcome)| {
            json!({
                "product": job.spec.product.to_string(),
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
            "shipped": self.case.shipped.to_string(),
            "fastest": self.fastest().map(|(product, _)| product.to_string()),
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
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}; ms for 2^32 bits of each operand; every result validated\n", self.key)?;
        let mut head = vec!["expression", "limb", "bits"];
        head.extend(["classical", "tensor", "ntt", "fastest", "shipped", "shipped : fastest"]);
        let head = head.into_iter().map(str::to_owned).collect();
        let lines: Vec<Vec<String>> =
            [head].into_iter().chain(self.judged().map(|judged| judged.line())).collect();
        for line in aligned(&lines, &[0, 1, 6, 7]) {
            writeln!(f, "{line}")?;
        }
        for judged in self.judged() {
            for (job, outcome) in judged.jobs() {
                if let Err(why) = outcome {
                    let Case { expression, ty, .. } = judged.case;
                    writeln!(f, "{expression} of {} bits, {}: {why}", ty.bits(), job.spec.product)?;
                }
            }
        }
        let worst = self.judged().filter_map(|judged| judged.ratio()).reduce(f64::max);
        if let Some(worst) = worst {
            writeln!(
                f,
                "\nWithout tuning the choice takes at most {worst:.3} times the fastest measured one."
            )?;
        }
        writeln!(f, "Kept in {}", self.path.display())
    }
}
