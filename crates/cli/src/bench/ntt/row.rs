//! A row of the report on transforms.

use clap::ValueEnum as _;
use serde_json::{Value, json};

use crate::bench::arguments::Kind;
use crate::bench::peers;
use crate::bench::report::Line;

/// A transform and its times.
#[derive(Debug)]
pub(in super::super) struct Row {
    /// The GPU's name.
    pub(in super::super) device: String,
    pub(in super::super) prime: u64,
    pub(in super::super) kind: Kind,
    pub(in super::super) points: u32,
    pub(in super::super) transforms: u64,
    pub(in super::super) plan: String,
    pub(in super::super) registers: u32,
    pub(in super::super) median_ms: f64,
    pub(in super::super) min_ms: f64,
    pub(in super::super) bytes: u64,
}

impl Row {
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
    const NAMES: &'static [&'static str] = &[
        "prime",
        "kind",
        "points",
        "transforms",
        "plan",
        "registers",
        "ms",
        "min ms",
        "GB/s",
        "G butterflies/s",
    ];
    const WORDS: &'static [usize] = &[1, 4];

    fn columns(&self) -> Vec<String> {
        let Self { prime, kind, points, transforms, plan, registers, median_ms, min_ms, bytes, .. } = self;
        vec![
            prime.to_string(),
            name(*kind),
            points.to_string(),
            transforms.to_string(),
            plan.clone(),
            registers.to_string(),
            format!("{median_ms:.4}"),
            format!("{min_ms:.4}"),
            format!("{:.0}", *bytes as f64 / (median_ms * 1e6)),
            format!("{:.0}", self.giga_butterflies()),
        ]
    }

    fn to_json(&self) -> Value {
        json!({
            "operation": "ntt", "prime": self.prime, "kind": name(self.kind), "points": self.points, "transforms": self.transforms,
            "plan": self.plan, "registers": self.registers, "median_ms": self.median_ms, "min_ms": self.min_ms,
            "gb_per_s": self.bytes as f64 / (self.median_ms * 1e6),
            "giga_butterflies_per_s": self.giga_butterflies(),
            "gpu_ntt_giga_butterflies_per_s": self.gpu_ntt(),
        })
    }
}

fn name(kind: Kind) -> String {
    kind.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
