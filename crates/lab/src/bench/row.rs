//! A row of a benchmark's report.

use serde::Serialize;
use serde_json::{Value, json};

use super::report::{Column, Line, number, word};
use crate::operations::Benchmark;
use crate::paper::gu32ops;
use crate::peers::{Run, milliseconds};

/// The vector addition beside which a width is measured.
#[derive(Clone, Debug)]
pub(super) struct Floor {
    pub(super) bytes: u64,
    pub(super) median_ms: f64,
}

/// What was run and its times.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured {
    /// Of a kernel; none on the CPU.
    pub(super) registers: Option<u32>,
    pub(super) local_bytes: Option<u32>,
    pub(super) occupancy: Option<f64>,
    /// Bytes that a run reads and writes at least.
    pub(super) bytes: u64,
    pub(super) median_ms: f64,
    pub(super) min_ms: f64,
    /// Milliseconds of each kernel by itself; none unless they are asked for.
    pub(super) launches: Vec<f64>,
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

/// The keys of a row in JSON.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    operation: String,
    limb: &'static str,
    bits: u32,
    instances: u64,
    mapping: String,
    /// Why there is no kernel.
    error: Option<String>,
    #[serde(flatten)]
    figures: Figures,
    paper_ms: Option<f64>,
    cgbn_ms: Option<f64>,
}

/// What was measured, and what follows; null where it does not apply.
#[derive(Clone, Debug, Default, Serialize)]
struct Figures {
    registers: Option<u32>,
    local_bytes: Option<u32>,
    occupancy: Option<f64>,
    bytes: Option<u64>,
    median_ms: Option<f64>,
    min_ms: Option<f64>,
    launches_median_ms: Option<Vec<f64>>,
    gigabytes_per_second: Option<f64>,
    instances_per_second: Option<f64>,
    gu32ops_per_second: Option<f64>,
    vector_add_median_ms: Option<f64>,
    vector_add_bytes: Option<u64>,
    floor_ms: Option<f64>,
    ratio_to_floor: Option<f64>,
    tera_products_per_second: Option<f64>,
}

impl Row {
    /// The times, or why there is no kernel.
    pub(super) fn new(case: &Case<'_>, mapping: String, outcome: Result<Measured, String>) -> Self {
        let Case { benchmark, limb, bits, instances, batch_bits, device } = *case;
        let operation = &*benchmark.name;
        let run = Run { device, batch_bits, operation, bits, instances: instances as f64 };
        let peer = |name| milliseconds(name, run);
        let (figures, error) = match outcome {
            Ok(measured) => (Figures::new(case, measured), None),
            Err(why) => (Figures::default(), Some(why)),
        };
        Self {
            operation: operation.to_owned(),
            limb,
            bits,
            instances,
            mapping,
            error,
            figures,
            paper_ms: peer("Oancea-Watt"),
            cgbn_ms: peer("CGBN"),
        }
    }
}

impl Figures {
    fn new(case: &Case<'_>, measured: Measured) -> Self {
        let Measured { registers, local_bytes, occupancy, bytes, median_ms, min_ms, launches, floor } =
            measured;
        let instances = case.instances as f64;
        // Milliseconds in which the vector addition moves as many bytes.
        let floor_ms = floor.as_ref().map(|floor| floor.median_ms * bytes as f64 / floor.bytes as f64);
        let products = case.benchmark.multiply_accumulates(case.bits);
        Self {
            registers,
            local_bytes,
            occupancy,
            bytes: Some(bytes),
            median_ms: Some(median_ms),
            min_ms: Some(min_ms),
            launches_median_ms: Some(launches),
            gigabytes_per_second: Some(bytes as f64 / median_ms / 1e6),
            instances_per_second: Some(instances / median_ms * 1e3),
            gu32ops_per_second: gu32ops(&case.benchmark.name, case.bits, instances, median_ms),
            vector_add_median_ms: floor.as_ref().map(|floor| floor.median_ms),
            vector_add_bytes: floor.as_ref().map(|floor| floor.bytes),
            floor_ms,
            ratio_to_floor: floor_ms.map(|floor_ms| median_ms / floor_ms),
            tera_products_per_second: products.map(|products| products * instances / median_ms / 1e9),
        }
    }
}

impl Line for Row {
    const COLUMNS: &'static [Column] = &[
        word("operation", 18),
        word("limb", 4),
        number("bits", 8),
        number("instances", 9),
        word("mapping", 24),
        number("registers", 9),
        number("ms", 9),
        number("min ms", 9),
        number("GB/s", 5),
        number("floor ms", 8),
        number("ratio", 8),
        number("M inst/s", 10),
        number("T mac/s", 7),
        number("Gu32ops/s", 9),
        number("paper ms", 8),
        number("CGBN ms", 7),
    ];

    fn columns(&self) -> Vec<String> {
        let Self { operation, limb, bits, instances, mapping, figures, .. } = self;
        let optional = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let fixed =
            |value: Option<f64>, digits| value.map(|value| format!("{value:.digits$}")).unwrap_or_default();
        let millions = figures.instances_per_second.map(|rate| rate / 1e6);
        vec![
            operation.clone(),
            (*limb).to_owned(),
            bits.to_string(),
            instances.to_string(),
            mapping.clone(),
            figures.registers.map(|registers| registers.to_string()).unwrap_or_default(),
            fixed(figures.median_ms, 4),
            fixed(figures.min_ms, 4),
            fixed(figures.gigabytes_per_second, 0),
            fixed(figures.floor_ms, 4),
            fixed(figures.ratio_to_floor, 3),
            fixed(millions, if millions.is_some_and(|rate| rate < 1.0) { 6 } else { 3 }),
            fixed(figures.tera_products_per_second, 2),
            fixed(figures.gu32ops_per_second, 0),
            optional(self.paper_ms),
            optional(self.cgbn_ms),
        ]
    }

    fn to_json(&self) -> Value {
        json!(self)
    }

    fn remark(&self) -> Option<String> {
        self.error.as_ref().map(|error| format!("no kernel: {error}"))
    }
}
