//! What a kernel takes of each architecture.

use std::fmt;
use std::time::{Duration, Instant};

use limbforge_gpu::{Arch, Nvrtc, Target, Version};
use limbforge_kernels_gen::{BlockUsage, Kernel, KernelSpec, Occupancy, SpecError, render};
use serde_json::{Value, json};

use super::usage::{Usage, VERBOSE};
use super::{cached, json as common, multiprocessor, usage as wrong_usage};
use crate::error::CliError;

/// The architectures of a report, unless others are asked for.
const USUAL: [u32; 6] = [75, 80, 86, 89, 90, 100];

const HEADER: &str = "arch     registers  static B  dynamic B  spill st/ld B  stack B  blocks/SM  occupancy  limited by      compiled in   cached in";

/// A kernel compiled for several architectures.
pub(super) struct Report<'s> {
    spec: &'s KernelSpec,
    kernel: Kernel,
    nvrtc: Version,
    rows: Vec<Row>,
}

struct Row {
    arch: Arch,
    /// What it takes, or why the architecture cannot run it.
    taken: Result<Taken, SpecError>,
}

struct Taken {
    usage: Usage,
    occupancy: Occupancy,
    /// To compile it, and to find it compiled.
    time: Duration,
    cached: Option<Duration>,
}

impl<'s> Report<'s> {
    /// Compiles for these architectures, or for the usual ones that nvrtc knows.
    ///
    /// An architecture that is too small for the kernel is a row that says why; it is an error if all are.
    pub(super) fn new(spec: &'s KernelSpec, archs: &[Arch], nvrtc: &Nvrtc) -> Result<Self, CliError> {
        let usual = || USUAL.into_iter().filter(|number| nvrtc.architectures().contains(number));
        let archs = if archs.is_empty() { usual().map(Arch::from_number).collect() } else { archs.to_vec() };
        let (mut kernel, mut refused, mut rows) = (None, None, vec![]);
        for arch in archs {
            let taken = match render(spec, &multiprocessor(arch)?.limits) {
                Ok(rendered) => {
                    let taken = Taken::compile(spec, &rendered, arch, nvrtc)?;
                    kernel = Some(rendered);
                    Ok(taken)
                }
                Err(error) => {
                    refused = Some(error.clone());
                    Err(error)
                }
            };
            rows.push(Row { arch, taken });
        }
        match (kernel, refused) {
            (Some(kernel), _) => Ok(Self { spec, kernel, nvrtc: nvrtc.version(), rows }),
            (None, Some(error)) => Err(error.into()),
            (None, None) => {
                let why = format!(
                    "nvrtc {} knows none of the usual architectures: expected --arch",
                    nvrtc.version()
                );
                Err(wrong_usage(why))
            }
        }
    }

    /// Keys of every kernel, `nvrtc`, and `architectures`: a list of objects with `arch` and either `error` or what
    /// the kernel takes there.
    pub(super) fn to_json(&self) -> Value {
        let mut object = common::kernel(self.spec, &self.kernel);
        object.insert("nvrtc".to_owned(), json!(self.nvrtc.to_string()));
        let dynamic = self.kernel.geometry.shared_bytes;
        let rows = self.rows.iter().map(|row| row.to_json(dynamic)).collect();
        object.insert("architectures".to_owned(), Value::Array(rows));
        object.into()
    }
}

impl Taken {
    fn compile(spec: &KernelSpec, kernel: &Kernel, arch: Arch, nvrtc: &Nvrtc) -> Result<Self, CliError> {
        let multiprocessor = multiprocessor(arch)?;
        let target = Target::Cubin(arch);
        let start = Instant::now();
        let compiled = nvrtc.compile(&kernel.source, target, &[VERBOSE.to_owned()])?;
        let time = start.elapsed();
        let cached = cached::time(spec, &multiprocessor.limits, target, nvrtc.version(), &compiled)?;
        let usage =
            Usage::parse(&compiled.log).ok_or(CliError::Usageless { version: nvrtc.version(), arch })?;
        let shared_bytes = u64::from(kernel.geometry.shared_bytes) + u64::from(usage.static_shared_bytes);
        let block = BlockUsage { threads: kernel.geometry.threads, registers: usage.registers, shared_bytes };
        Ok(Self { usage, occupancy: multiprocessor.occupancy(&block), time, cached })
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

impl Row {
    fn to_json(&self, dynamic_shared_bytes: u32) -> Value {
        let arch = self.arch.to_string();
        match &self.taken {
            Err(error) => json!({"arch": arch, "error": error.to_string()}),
            Ok(Taken { usage, occupancy, time, cached }) => json!({
                "arch": arch,
                "registers": usage.registers,
                "static_shared_bytes": usage.static_shared_bytes,
                "dynamic_shared_bytes": dynamic_shared_bytes,
                "spill_store_bytes": usage.spill_store_bytes,
                "spill_load_bytes": usage.spill_load_bytes,
                "stack_bytes": usage.stack_bytes,
                "blocks_per_multiprocessor": occupancy.blocks,
                "occupancy_percent": occupancy.percent(),
                "limited_by": occupancy.scarce.to_string(),
                "compile_ms": milliseconds(*time),
                "cached_ms": cached.map(milliseconds),
            }),
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mapping, geometry) = (&self.spec.mapping, &self.kernel.geometry);
        writeln!(f, "spec: {}", self.spec)?;
        writeln!(
            f,
            "mapping: {} words per run, {} runs per thread, {} lanes and {} warps per integer",
            mapping.run_words, mapping.runs, mapping.lanes, mapping.warps
        )?;
        writeln!(
            f,
            "geometry: {} threads and {} integers per block, {} bytes of dynamic shared memory",
            geometry.threads, geometry.instances, geometry.shared_bytes
        )?;
        writeln!(f, "nvrtc: {}\n\n{HEADER}", self.nvrtc)?;
        for Row { arch, taken } in &self.rows {
            let Taken { usage, occupancy, time, cached } = match taken {
                Ok(taken) => taken,
                Err(error) => {
                    writeln!(f, "{:<7}  does not run: {error}", arch.to_string())?;
                    continue;
                }
            };
            writeln!(
                f,
                "{:<7}  {:>9}  {:>8}  {:>9}  {:>13}  {:>7}  {:>9}  {:>7.1} %  {:<13}  {:>8} ms  {:>9}",
                arch.to_string(),
                usage.registers,
                usage.static_shared_bytes,
                geometry.shared_bytes,
                format!("{}/{}", usage.spill_store_bytes, usage.spill_load_bytes),
                usage.stack_bytes,
                occupancy.blocks,
                occupancy.percent(),
                occupancy.scarce.to_string(),
                time.as_millis(),
                cached.map_or_else(|| "-".to_owned(), |time| format!("{:.2} ms", milliseconds(time)))
            )?;
        }
        Ok(())
    }
}
