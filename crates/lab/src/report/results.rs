//! The rows of reports, by what can be drawn of them.

use serde_json::Value;

use super::cpu::CpuProducts;
use super::fields::{missing, positive, text, whole, width};
use super::model::ModelReport;
use crate::peers::{self, GPU_PEERS, Run};

/// Others whose transforms are compared.
pub(super) const TRANSFORM_PEERS: [&str; 2] = ["GPU-NTT", "sppark"];

/// What reports say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Results {
    pub(super) sources: Vec<Source>,
    pub(super) times: Vec<Time>,
    pub(super) transforms: Vec<Transform>,
    /// Reports of `limbforge-lab model`.
    pub(super) models: Vec<ModelReport>,
    /// Products on a CPU.
    pub(super) cpu: Option<CpuProducts>,
}

/// What a report was measured with.
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
    /// Which of the sources it is from.
    pub(super) source: usize,
    pub(super) operation: String,
    pub(super) limb: String,
    pub(super) bits: u32,
    pub(super) median_ms: f64,
    /// Instances of the batch.
    pub(super) instances: f64,
    /// 10^9 bytes of operands and results per second.
    pub(super) gigabytes_per_second: Option<f64>,
    /// In which a vector addition moves as many bytes; none on a CPU.
    pub(super) floor_ms: Option<f64>,
    /// Of `GPU_PEERS`, for as many instances on this GPU.
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
    /// Of GPU-NTT and of sppark, where they were measured.
    pub(super) peers: [Option<f64>; 2],
}

impl Results {
    /// Adds the rows of a report; those without a kernel are left out.
    ///
    /// # Errors
    /// What is expected and missing.
    pub(super) fn add(&mut self, name: &str, report: &Value) -> Result<(), String> {
        if ModelReport::is_one(report) {
            self.models.push(ModelReport::new(name, report)?);
            return Ok(());
        }
        if CpuProducts::is_one(report) {
            self.cpu = Some(CpuProducts::new(report)?);
            return Ok(());
        }
        let commit = report.get("commit").and_then(Value::as_str).unwrap_or("not given");
        let device = text(report, "device")?;
        let is_cpu = !report["threads"].is_null();
        let of_gpu = |key| if is_cpu { Ok("none".to_owned()) } else { text(report, key) };
        self.sources.push(Source {
            name: name.to_owned(),
            device: device.clone(),
            driver: of_gpu("driver")?,
            nvrtc: of_gpu("nvrtc")?,
            date: text(report, "date")?,
            commit: commit.to_owned(),
            batch_bits: whole(report, "batch_bits")?,
            repeats: whole(report, "repeats")?,
        });
        let rows = report.get("rows").and_then(Value::as_array).ok_or_else(|| missing("rows", report))?;
        for row in rows.iter().filter(|row| !row["median_ms"].is_null()) {
            if row["operation"] == "ntt" {
                self.transforms.push(transform(row, &device)?);
            } else {
                self.times.push(time(row, self.sources.len() - 1, &self.sources, is_cpu)?);
            }
        }
        Ok(())
    }
}

fn time(row: &Value, source: usize, sources: &[Source], is_cpu: bool) -> Result<Time, String> {
    let operation = text(row, "operation")?;
    let bits = width(row, "bits")?;
    let Source { device, batch_bits, .. } = &sources[source];
    let whole_batch = (batch_bits / u64::from(bits)).max(64) as f64;
    let instances = row["instances"].as_f64().unwrap_or(whole_batch);
    let run = Run { device, batch_bits: *batch_bits, operation: &operation, bits, instances };
    Ok(Time {
        source,
        peers: GPU_PEERS.map(|peer| peers::milliseconds(peer, run)),
        operation,
        limb: text(row, "limb")?,
        bits,
        median_ms: positive(row, "median_ms")?,
        instances,
        gigabytes_per_second: row["gigabytes_per_second"].as_f64(),
        floor_ms: if is_cpu { None } else { Some(positive(row, "floor_ms")?) },
    })
}

fn transform(row: &Value, device: &str) -> Result<Transform, String> {
    let (prime, points) = (whole(row, "prime")?, width(row, "points")?);
    // Reports before there were others have none.
    let kind = row["kind"].as_str().unwrap_or("forward").to_owned();
    // Others were measured with forward transforms.
    let of = |peer| peers::giga_butterflies(peer, device, prime, points).filter(|_| kind == "forward");
    let peers = TRANSFORM_PEERS.map(of);
    Ok(Transform {
        prime,
        points,
        peers,
        kind,
        median_ms: positive(row, "median_ms")?,
        giga_butterflies: positive(row, "giga_butterflies_per_s")?,
    })
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
