//! A row of a benchmark's report.

use serde_json::json;

use super::report::{Row, number, word};
use crate::operations::Benchmark;
use crate::paper::gu32ops;
use crate::peers::{Run, milliseconds};

/// The vector addition beside which a width is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floor {
    pub(super) bytes: u64,
    pub(super) median_ms: f64,
}

/// The measurement of a benchmark; its default is that of an expression without a kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured {
    /// None on the CPU, as the next two.
    pub(super) registers: Option<u32>,
    pub(super) local_bytes: Option<u32>,
    pub(super) occupancy: Option<f64>,
    /// Bytes that a run reads and writes at least.
    pub(super) bytes: Option<u64>,
    pub(super) median_ms: Option<f64>,
    pub(super) min_ms: Option<f64>,
    /// Milliseconds of each kernel by itself, if they are requested.
    pub(super) launches: Option<Vec<f64>>,
    pub(super) floor: Option<Floor>,
}

/// A benchmark at a width.
#[derive(Clone, Debug)]
pub(super) struct Case<'a> {
    pub(super) benchmark: &'a Benchmark,
    pub(super) limb: &'static str,
    pub(super) bits: u32,
    pub(super) instances: u64,
    /// Bits of each operand of the whole batch.
    pub(super) batch_bits: u64,
    pub(super) device: &'a str,
}

impl Case<'_> {
    /// The row of a measurement, or of the reason why there is no kernel.
    pub(super) fn row(&self, mapping: &str, outcome: Result<Measured, String>) -> Row {
        let Self { benchmark, limb, bits, instances, batch_bits, device } = *self;
        let (operation, count) = (&*benchmark.name, instances as f64);
        let run = Run { device, batch_bits, operation, bits, instances: count };
        let [paper_ms, cgbn_ms] = ["Oancea-Watt", "CGBN"].map(|name| milliseconds(name, run));
        let error = outcome.as_ref().err().cloned();
        let Measured { registers, local_bytes, occupancy, bytes, median_ms, min_ms, launches, floor } =
            outcome.unwrap_or_default();
        let per_ms = |amount: Option<f64>| Some(amount? / median_ms?);
        let moved = bytes.map(|bytes| bytes as f64);
        // Milliseconds in which the vector addition moves as many bytes.
        let floor_ms = floor.zip(moved).map(|(floor, moved)| floor.median_ms * moved / floor.bytes as f64);
        let ratio = median_ms.zip(floor_ms).map(|(ms, floor_ms)| ms / floor_ms);
        let gigabytes = per_ms(moved).map(|rate| rate / 1e6);
        let rate = per_ms(Some(count)).map(|rate| rate * 1e3);
        let products = benchmark.multiply_accumulates(bits).map(|products| products * count);
        let tera_products = per_ms(products).map(|rate| rate / 1e9);
        let gu32ops = median_ms.and_then(|ms| gu32ops(operation, bits, count, ms));
        let json = json!({
            "operation": operation, "limb": limb, "bits": bits, "instances": instances, "mapping": mapping,
            "error": error, "registers": registers, "local_bytes": local_bytes, "occupancy": occupancy,
            "bytes": bytes, "median_ms": median_ms, "min_ms": min_ms, "launches_median_ms": launches,
            "gigabytes_per_second": gigabytes, "instances_per_second": rate, "gu32ops_per_second": gu32ops,
            "vector_add_median_ms": floor.map(|floor| floor.median_ms),
            "vector_add_bytes": floor.map(|floor| floor.bytes), "floor_ms": floor_ms, "ratio_to_floor": ratio,
            "tera_products_per_second": tera_products, "paper_ms": paper_ms, "cgbn_ms": cgbn_ms,
        });
        let millions = rate.map(|rate| rate / 1e6);
        let digits = if millions.is_some_and(|rate| rate < 1.0) { 6 } else { 3 };
        let cells = vec![
            word("operation", 18, operation),
            word("limb", 4, limb),
            number("bits", 8, bits),
            number("instances", 9, instances),
            word("mapping", 24, mapping),
            number("registers", 9, registers.map(|count| count.to_string()).unwrap_or_default()),
            number("ms", 9, fixed(median_ms, 4)),
            number("min ms", 9, fixed(min_ms, 4)),
            number("GB/s", 5, fixed(gigabytes, 0)),
            number("floor ms", 8, fixed(floor_ms, 4)),
            number("ratio", 8, fixed(ratio, 3)),
            number("M inst/s", 10, fixed(millions, digits)),
            number("T mac/s", 7, fixed(tera_products, 2)),
            number("Gu32ops/s", 9, fixed(gu32ops, 0)),
            number("paper ms", 8, paper_ms.map(|ms| ms.to_string()).unwrap_or_default()),
            number("CGBN ms", 7, cgbn_ms.map(|ms| ms.to_string()).unwrap_or_default()),
        ];
        Row { cells, remark: error.map(|error| format!("no kernel: {error}")), json }
    }
}

fn fixed(value: Option<f64>, digits: usize) -> String {
    value.map(|value| format!("{value:.digits$}")).unwrap_or_default()
}
