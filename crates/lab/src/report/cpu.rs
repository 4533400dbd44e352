//! Measured products on a CPU.

use serde::Deserialize;
use serde_json::Value;

/// The kind of report that has products on a CPU.
const KIND: &str = "products on a CPU";

/// Measured products on a CPU, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct CpuProducts {
    pub(super) threads: u32,
    pub(super) rows: Vec<CpuRow>,
}

/// One width: each limb, and other libraries.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct CpuRow {
    pub(super) bits: u32,
    pub(super) u32: f64,
    pub(super) u64: f64,
    pub(super) u128: f64,
    #[serde(rename = "num-bigint")]
    pub(super) num_bigint: f64,
    #[serde(rename = "GMP")]
    pub(super) gmp: f64,
}

impl CpuProducts {
    pub(super) fn is_one(report: &Value) -> bool {
        report["kind"] == KIND
    }

    /// # Errors
    /// A value that is missing or has another type.
    pub(super) fn new(report: &Value) -> Result<Self, String> {
        Self::deserialize(report).map_err(|error| error.to_string())
    }
}

/// Nanoseconds of each limb and each library.
pub(super) fn table(products: &CpuProducts) -> Vec<Vec<String>> {
    let head = ["bits", "u32", "u64", "u128", "num-bigint", "GMP", "num-bigint : u64"];
    let rows = products.rows.iter().map(|row| {
        let CpuRow { bits, u32, u64, u128, num_bigint, gmp } = row;
        let ratio = num_bigint / u64;
        let ratio = if ratio < 9.995 { format!("{ratio:.2}") } else { format!("{ratio:.1}") };
        let times = [u32, u64, u128, num_bigint, gmp].map(f64::to_string);
        [bits.to_string()].into_iter().chain(times).chain([ratio]).collect()
    });
    [head.map(str::to_owned).to_vec()].into_iter().chain(rows).collect()
}
