//! The rows of reports.

use std::num::NonZero;

use serde::Deserialize;
use serde_json::Value;

use super::cpu_peers::CpuPeers;
use super::fields::{field, positive};
use super::model::ModelReport;
use super::table::{Table, table};
use crate::peers::{self, GPU_PEERS, Run};

/// Others whose transforms are compared.
pub(super) const TRANSFORM_PEERS: [&str; 2] = ["GPU-NTT", "sppark"];

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Results {
    pub(super) sources: Vec<Source>,
    pub(super) times: Vec<Time>,
    pub(super) transforms: Vec<Transform>,
    /// Reports of `limbforge-lab model`.
    pub(super) models: Vec<ModelReport>,
    pub(super) cpu: Option<CpuProducts>,
    pub(super) cpu_peers: Vec<CpuPeers>,
}

/// A report and the setting of its measurement.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) device: String,
    pub(super) driver: String,
    pub(super) nvrtc: String,
    pub(super) date: String,
    pub(super) commit: String,
    pub(super) batch_bits: u64,
    pub(super) repeats: u64,
}

/// The time of an operation, in milliseconds for the whole batch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Time {
    /// The number of its source.
    pub(super) source: usize,
    pub(super) operation: String,
    pub(super) limb: String,
    pub(super) bits: u32,
    pub(super) median_ms: f64,
    pub(super) instances: f64,
    /// 10^9 bytes of operands and results per second.
    pub(super) gigabytes_per_second: Option<f64>,
    /// The time in which a vector addition moves as many bytes; none on a CPU.
    pub(super) floor_ms: Option<f64>,
    /// Times of `GPU_PEERS`, for as many instances on this GPU.
    pub(super) peers: [Option<f64>; 3],
}

/// The speed of a transform.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transform {
    pub(super) prime: u64,
    pub(super) kind: String,
    pub(super) points: u32,
    pub(super) median_ms: f64,
    pub(super) giga_butterflies: f64,
    /// Rates of `TRANSFORM_PEERS`, where they were measured.
    pub(super) peers: [Option<f64>; 2],
}

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

impl Results {
    /// Adds the rows of a report but those without a kernel; the error names the field that is missing.
    pub(super) fn add(&mut self, name: &str, report: &Value) -> Result<(), String> {
        if report.get("applications").is_some() {
            self.models.push(ModelReport::new(name, report)?);
            return Ok(());
        }
        if report["kind"] == "peers on a CPU" {
            self.cpu_peers.push(CpuPeers::deserialize(report).map_err(|error| error.to_string())?);
            return Ok(());
        }
        if report["kind"] == "products on a CPU" {
            self.cpu = Some(CpuProducts::deserialize(report).map_err(|error| error.to_string())?);
            return Ok(());
        }
        let is_cpu = !report["threads"].is_null();
        let of_gpu = |key| if is_cpu { Ok("none".to_owned()) } else { field(report, key) };
        let source = Source {
            name: name.to_owned(),
            device: field(report, "device")?,
            driver: of_gpu("driver")?,
            nvrtc: of_gpu("nvrtc")?,
            date: field(report, "date")?,
            commit: report["commit"].as_str().unwrap_or("not given").to_owned(),
            batch_bits: field(report, "batch_bits")?,
            repeats: field(report, "repeats")?,
        };
        let rows: Vec<Value> = field(report, "rows")?;
        for row in rows.iter().filter(|row| !row["median_ms"].is_null()) {
            if row["operation"] == "ntt" {
                self.transforms.push(transform(row, &source.device)?);
            } else {
                self.times.push(time(row, self.sources.len(), &source, is_cpu)?);
            }
        }
        self.sources.push(source);
        Ok(())
    }

    /// The table of all sources.
    pub(super) fn sources(&self) -> Table {
        let head = ["report", "date", "commit", "driver", "nvrtc", "bits per operand", "runs"];
        let lines = self.sources.iter().map(|source| {
            let Source { name, driver, nvrtc, date, commit, batch_bits, repeats, .. } = source;
            let texts = [name, date, commit, driver, nvrtc].map(Clone::clone);
            texts.into_iter().chain([batch_bits.to_string(), repeats.to_string()]).collect()
        });
        table(head, lines)
    }
}

fn time(row: &Value, source: usize, of: &Source, is_cpu: bool) -> Result<Time, String> {
    let operation: String = field(row, "operation")?;
    let bits = field::<NonZero<u32>>(row, "bits")?.get();
    let whole_batch = (of.batch_bits / u64::from(bits)).max(64) as f64;
    let instances = row["instances"].as_f64().unwrap_or(whole_batch);
    let (device, batch_bits) = (&*of.device, of.batch_bits);
    let run = Run { device, batch_bits, operation: &operation, bits, instances };
    Ok(Time {
        source,
        peers: GPU_PEERS.map(|peer| peers::milliseconds(peer, run)),
        operation,
        limb: field(row, "limb")?,
        bits,
        median_ms: positive(row, "median_ms")?,
        instances,
        gigabytes_per_second: row["gigabytes_per_second"].as_f64(),
        floor_ms: if is_cpu { None } else { Some(positive(row, "floor_ms")?) },
    })
}

fn transform(row: &Value, device: &str) -> Result<Transform, String> {
    let (prime, points) = (field(row, "prime")?, field::<NonZero<u32>>(row, "points")?.get());
    // Early reports have forward transforms only, and no kinds. Others were measured with forward transforms.
    let kind = row["kind"].as_str().unwrap_or("forward").to_owned();
    let of = |peer| peers::giga_butterflies(peer, device, prime, points).filter(|_| kind == "forward");
    let peers = TRANSFORM_PEERS.map(of);
    let median_ms = positive(row, "median_ms")?;
    let giga_butterflies = positive(row, "giga_butterflies_per_s")?;
    Ok(Transform { prime, kind, points, median_ms, giga_butterflies, peers })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(rows: &Value) -> Value {
        json!({"date": "2026-01-31", "commit": null, "device": "made-up GPU", "driver": "13.0", "nvrtc": "13.0",
               "batch_bits": 1024, "repeats": 3, "rows": rows})
    }

    #[test]
    fn rows_without_a_kernel_are_left_out() {
        let mut results = Results::default();
        let row = json!({"operation": "add1", "limb": "u64", "bits": 512, "median_ms": 0.5, "floor_ms": 0.4});
        let none =
            json!({"operation": "add1", "limb": "u64", "bits": 512, "median_ms": null, "error": "too wide"});
        results.add("a", &report(&json!([row, none]))).unwrap();
        assert_eq!(results.times.len(), 1);
        // Nobody was measured on a GPU of that name.
        assert_eq!(results.times[0].peers, [None; 3]);
        assert_eq!(results.sources[0].commit, "not given");
    }

    #[test]
    fn what_is_missing_is_named() {
        let add = |value: &Value| Results::default().add("a", value).unwrap_err();
        let expected = |key: &str, found: &str| {
            format!("expected `{key}` of a report of `limbforge-lab bench --json`, found {found}")
        };
        assert_eq!(add(&json!([])), expected("device", "nothing"));
        assert_eq!(add(&report(&json!(7))), expected("rows", "7"));
        let row = json!({"operation": "add1", "limb": "u64", "bits": 0, "median_ms": 0.5, "floor_ms": 0.4});
        assert_eq!(add(&report(&json!([row]))), expected("bits", "0"));
        let row = json!({"operation": "ntt", "prime": 97, "points": 16, "median_ms": -1});
        assert_eq!(add(&report(&json!([row]))), expected("median_ms", "-1"));
    }
}
