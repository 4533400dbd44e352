//! A row of a benchmark's report.

use limbforge_gpu::Timings;
use serde_json::{Value, json};

use super::super::operations::multiply_accumulates;
use super::super::peers::{Run, milliseconds};
use super::Line;
use crate::report::paper_tables::gu32ops;

/// The vector addition beside which a width is measured.
#[derive(Clone, Debug)]
pub(in super::super) struct Floor {
    pub(in super::super) bytes: u64,
    pub(in super::super) timings: Timings,
}

/// A kernel and its times.
#[derive(Clone, Debug)]
pub(in super::super) struct Measured {
    pub(in super::super) registers: u32,
    pub(in super::super) local_bytes: u32,
    pub(in super::super) occupancy: f64,
    /// Bytes that a run reads and writes at least.
    pub(in super::super) bytes: u64,
    pub(in super::super) median_ms: f64,
    pub(in super::super) min_ms: f64,
    /// Milliseconds of each kernel by itself; none unless they are asked for.
    pub(in super::super) launches: Vec<f64>,
    pub(in super::super) floor: Floor,
}

/// An operation at a width.
#[derive(Clone, Debug)]
pub(in super::super) struct Row {
    pub(in super::super) operation: &'static str,
    pub(in super::super) limb: &'static str,
    pub(in super::super) bits: u32,
    pub(in super::super) instances: u64,
    pub(in super::super) mapping: String,
    /// Bits of each operand of the whole batch.
    pub(in super::super) batch_bits: u64,
    /// The GPU's name.
    pub(in super::super) device: String,
    /// Or why there is no kernel.
    pub(in super::super) outcome: Result<Measured, String>,
}

impl Measured {
    fn gigabytes_per_second(&self) -> f64 {
        self.bytes as f64 / self.median_ms / 1e6
    }

    /// Milliseconds in which the vector addition moves as many bytes.
    fn floor_ms(&self) -> f64 {
        self.floor.timings.median_ms * self.bytes as f64 / self.floor.bytes as f64
    }

    fn ratio(&self) -> f64 {
        self.median_ms / self.floor_ms()
    }
}

impl Row {
    fn instances_per_second(&self, measured: &Measured) -> f64 {
        self.instances as f64 / measured.median_ms * 1e3
    }

    /// Milliseconds of the named peer for as many instances.
    fn peer(&self, name: &str) -> Option<f64> {
        let Self { device, batch_bits, operation, bits, instances, .. } = self;
        let instances = *instances as f64;
        milliseconds(name, Run { device, batch_bits: *batch_bits, operation, bits: *bits, instances })
    }

    /// By the papers' formula, of what it counts.
    fn gu32ops(&self, measured: &Measured) -> Option<f64> {
        gu32ops(self.operation, self.bits, self.instances as f64, measured.median_ms)
    }

    /// 10^12 products of 32-bit words per second, of products.
    fn tera_products(&self, measured: &Measured) -> Option<f64> {
        let products = multiply_accumulates(self.operation, self.bits)? * self.instances as f64;
        Some(products / measured.median_ms / 1e9)
    }
}

impl Line for Row {
    const NAMES: &'static [&'static str] = &[
        "operation",
        "limb",
        "bits",
        "instances",
        "mapping",
        "registers",
        "ms",
        "min ms",
        "GB/s",
        "floor ms",
        "ratio",
        "M inst/s",
        "T mac/s",
        "Gu32ops/s",
        "paper ms",
        "CGBN ms",
    ];
    const WORDS: &'static [usize] = &[0, 1, 4];

    fn columns(&self) -> Vec<String> {
        let optional = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let Self { operation, limb, bits, instances, mapping, .. } = self;
        let mut columns = vec![
            (*operation).to_owned(),
            (*limb).to_owned(),
            bits.to_string(),
            instances.to_string(),
            mapping.clone(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            optional(self.peer("Oancea-Watt")),
            optional(self.peer("CGBN")),
        ];
        if let Ok(measured) = &self.outcome {
            columns[5] = measured.registers.to_string();
            columns[6] = format!("{:.4}", measured.median_ms);
            columns[7] = format!("{:.4}", measured.min_ms);
            columns[8] = format!("{:.0}", measured.gigabytes_per_second());
            columns[9] = format!("{:.4}", measured.floor_ms());
            columns[10] = format!("{:.3}", measured.ratio());
            let millions = self.instances_per_second(measured) / 1e6;
            columns[11] = format!("{millions:.*}", if millions < 1.0 { 6 } else { 3 });
            columns[12] = self.tera_products(measured).map(|value| format!("{value:.2}")).unwrap_or_default();
            columns[13] = self.gu32ops(measured).map(|value| format!("{value:.0}")).unwrap_or_default();
        }
        columns
    }

    fn to_json(&self) -> Value {
        let measured = self.outcome.as_ref().ok();
        json!({
            "operation": self.operation,
            "limb": self.limb,
            "bits": self.bits,
            "instances": self.instances,
            "mapping": self.mapping,
            "error": self.outcome.as_ref().err(),
            "registers": measured.map(|m| m.registers),
            "local_bytes": measured.map(|m| m.local_bytes),
            "occupancy": measured.map(|m| m.occupancy),
            "bytes": measured.map(|m| m.bytes),
            "median_ms": measured.map(|m| m.median_ms),
            "min_ms": measured.map(|m| m.min_ms),
            "launches_median_ms": measured.map(|m| &m.launches),
            "gigabytes_per_second": measured.map(Measured::gigabytes_per_second),
            "instances_per_second": measured.map(|m| self.instances_per_second(m)),
            "gu32ops_per_second": measured.and_then(|m| self.gu32ops(m)),
            "vector_add_median_ms": measured.map(|m| m.floor.timings.median_ms),
            "vector_add_bytes": measured.map(|m| m.floor.bytes),
            "floor_ms": measured.map(Measured::floor_ms),
            "ratio_to_floor": measured.map(Measured::ratio),
            "tera_products_per_second": measured.and_then(|m| self.tera_products(m)),
            "paper_ms": self.peer("Oancea-Watt"),
            "cgbn_ms": self.peer("CGBN"),
        })
    }

    fn remark(&self) -> Option<String> {
        self.outcome.as_ref().err().map(|error| format!("no kernel: {error}"))
    }
}
