//! Figures of GPUs, from which the times of one are predicted for another.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::{invariant::broken_invariant, pipeline::Product};

/// A GPU that stands for its architecture.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DeviceFigures {
    /// The number of its compute capability: 90 for 9.0.
    pub arch: u32,
    /// Its name.
    #[serde(rename = "device")]
    pub name: String,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Highest clock in MHz.
    pub clock_mhz: u32,
    /// Bandwidth of its memory in 10^9 bytes per second.
    pub memory_gb_per_s: f64,
    /// 10^12 operations per second of `mma.m16n8k32` on bytes, or else of `mma.m8n8k16`; a multiplication and
    /// an addition count as two. None without either.
    pub int8_tera_ops: Option<f64>,
    /// Where the figures are from.
    pub source: String,
}

/// The architecture whose times were measured.
const MEASURED: u32 = 90;
/// The share of the bandwidth that a vector addition reaches: 4330 of 4800 GB/s on an H200.
const REACHED: f64 = 0.9;
/// The share of a tensor product's time that goes with the matrix units (`docs/mul_tensor.md`: 6.1 cycles for
/// each matrix product, one for every other instruction); the rest scales with multiprocessors and clock.
const MATRIX_SHARE: f64 = 0.6;
/// The share of the shorter of computing and moving that does not overlap with the longer one: an assumption,
/// which also decides between products that are equally bound by the memory.
const NOT_BESIDE: f64 = 0.1;
/// Bytes of an operand's batch.
const BATCH_BYTES: f64 = (1_u64 << 29) as f64;

impl DeviceFigures {
    /// The GPU for a compute capability, or the next lower one that is known.
    pub(crate) fn of(number: u32) -> &'static Self {
        let all = Self::all();
        all.iter().rev().find(|device| device.arch <= number).unwrap_or(&all[0])
    }

    /// The GPUs that stand for architectures, oldest first.
    #[must_use]
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<DeviceFigures>> = OnceLock::new();
        ALL.get_or_init(|| {
            serde_json::from_str(include_str!("../../data/plans/devices.json")).unwrap_or_else(|error| {
                broken_invariant(&format!("the shipped devices can be read: {error}"))
            })
        })
    }

    /// Whether the shipped times were measured on this GPU.
    pub(super) const fn is_measured(&self) -> bool {
        self.arch == MEASURED
    }

    /// Throughput of 32-bit integer instructions in units that cancel: 64 multiply-adds per clock and
    /// multiprocessor (CUDA C++ Programming Guide, throughput of native arithmetic instructions).
    fn integer_rate(&self) -> f64 {
        f64::from(self.multiprocessors) * f64::from(self.clock_mhz)
    }

    /// The time on this GPU of what takes `milliseconds` on an H200 and reads or writes `batches` batches of
    /// 2^32 bits: computing takes longer in proportion to the throughput of multipliers, or of matrix units
    /// and schedulers, and overlaps with the memory traffic.
    #[must_use]
    pub fn predict(&self, milliseconds: f64, product: Product, batches: f64) -> f64 {
        if self.is_measured() {
            return milliseconds;
        }
        let measured = Self::of(MEASURED);
        let integer = measured.integer_rate() / self.integer_rate();
        let slower = match (product, measured.int8_tera_ops, self.int8_tera_ops) {
            (Product::Tensor, Some(measured), Some(ours)) => {
                MATRIX_SHARE * measured / ours + (1.0 - MATRIX_SHARE) * integer
            }
            _ => integer,
        };
        let (computing, moving) = (milliseconds * slower, self.memory_milliseconds(batches));
        computing.max(moving) + NOT_BESIDE * computing.min(moving)
    }

    /// Cycles of a matrix product of bytes over those on an H200; 1 on a GPU without them.
    pub(super) fn matrix_cycles_ratio(&self) -> f64 {
        let measured = Self::of(MEASURED);
        match (measured.int8_tera_ops, self.int8_tera_ops) {
            (Some(theirs), Some(ours)) => theirs / ours * self.integer_rate() / measured.integer_rate(),
            _ => 1.0,
        }
    }

    /// Milliseconds in which the memory moves so many batches of 2^32 bits.
    #[must_use]
    pub fn memory_milliseconds(&self, batches: f64) -> f64 {
        batches * BATCH_BYTES / (REACHED * self.memory_gb_per_s * 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_and_ascend() {
        let devices = DeviceFigures::all();
        let numbers: Vec<u32> = devices.iter().map(|device| device.arch).collect();
        assert_eq!(numbers, [75, 80, 86, 89, 90, 100]);
        for device in devices {
            assert!(device.integer_rate() > 0.0 && device.memory_gb_per_s > 0.0, "{device:?}");
            assert!(device.source.len() > 10 && device.int8_tera_ops.is_none_or(|rate| rate > 0.0));
            assert!(device.int8_tera_ops.is_some(), "{device:?}");
        }
        for (number, expected) in [(70, 75), (75, 75), (87, 86), (90, 90), (103, 100), (121, 100)] {
            assert_eq!(DeviceFigures::of(number).arch, expected);
        }
    }

    #[test]
    fn the_measured_device_predicts_itself_and_others_are_bound_by_what_is_scarce() {
        let h200 = DeviceFigures::of(90);
        for product in [Product::Classical, Product::Tensor, Product::Ntt] {
            assert!((h200.predict(5.0, product, 3.0) - 5.0).abs() < 1e-12);
        }
        // The floor of an addition, 0.372 ms.
        assert!((h200.memory_milliseconds(3.0) - 0.372).abs() < 0.002);
        let ada = DeviceFigures::of(89);
        assert!(ada.predict(100.0, Product::Classical, 3.0) < 100.0);
        assert!(ada.predict(100.0, Product::Tensor, 3.0) > 100.0);
        let (bound, floor) = (ada.predict(0.4, Product::Classical, 3.0), ada.memory_milliseconds(3.0));
        assert!(bound > floor && bound < 1.1 * floor, "{bound} {floor}");
    }
}
