//! A row of the report on transforms.

use clap::ValueEnum as _;
use serde_json::{Value, json};

use crate::bench::arguments::Kind;
use crate::bench::report::{Column, Line, number, word};
use crate::peers;

/// A transform and its times.
#[derive(Debug)]
pub(super) struct Row {
    /// The GPU's name.
    pub(super) device: String,
    pub(super) prime: u64,
    pub(super) kind: Kind,
    pub(super) points: u32,
    pub(super) transforms: u64,
    pub(super) plan: String,
    pub(super) registers: u32,
    pub(super) median_ms: f64,
    pub(super) min_ms: f64,
    pub(super) bytes: u64,
}

impl Row {
    fn gigabytes_per_second(&self) -> f64 {
        self.bytes as f64 / (self.median_ms * 1e6)
    }

    /// (n / 2) log2 n butterflies for each transform.
    fn giga_butterflies(&self) -> f64 {
        let butterflies = f64::from(self.points) / 2.0 * f64::from(self.points).log2();
        butterflies * self.transforms as f64 / (self.median_ms * 1e6)
    }

    /// 10^9 butterflies per second of GPU-NTT; it was measured with forward transforms.
    fn gpu_ntt(&self) -> Option<f64> {
        let is_forward = self.kind == Kind::Forward;
        let same = || peers::giga_butterflies("GPU-NTT", &self.device, self.prime, self.points);
        is_forward.then(same).flatten()
    }
}

impl Line for Row {
    const COLUMNS: &'static [Column] = &[
        number("prime", 20),
        word("kind", 18),
        number("points", 8),
        number("transforms", 10),
        word("plan", 24),
        number("registers", 9),
        number("ms", 9),
        number("min ms", 9),
        number("GB/s", 5),
        number("G butterflies/s", 15),
    ];

    fn columns(&self) -> Vec<String> {
        let Self { prime, kind, points, transforms, plan, registers, median_ms, min_ms, .. } = self;
        vec![
            prime.to_string(),
            name(*kind),
            points.to_string(),
            transforms.to_string(),
            plan.clone(),
            registers.to_string(),
            format!("{median_ms:.4}"),
            format!("{min_ms:.4}"),
            format!("{:.0}", self.gigabytes_per_second()),
            format!("{:.0}", self.giga_butterflies()),
        ]
    }

    fn to_json(&self) -> Value {
        json!({
            "operation": "ntt", "prime": self.prime, "kind": name(self.kind), "points": self.points, "transforms": self.transforms,
            "plan": self.plan, "registers": self.registers, "median_ms": self.median_ms, "min_ms": self.min_ms,
            "gb_per_s": self.gigabytes_per_second(),
            "giga_butterflies_per_s": self.giga_butterflies(),
            "gpu_ntt_giga_butterflies_per_s": self.gpu_ntt(),
        })
    }
}

fn name(kind: Kind) -> String {
    kind.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
