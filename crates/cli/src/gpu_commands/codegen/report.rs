//! What a kernel takes of each architecture.

mod text;

use std::time::{Duration, Instant};

use limbforge_gpu::{Arch, Nvrtc, Target, Version};
use limbforge_kernels_gen::{BlockUsage, Kernel, Occupancy, SpecError};
use serde_json::{Value, json};

use super::arch::{multiprocessor, wrong_usage};
use super::parts::Part;
use super::usage::{Usage, VERBOSE};
use super::{cached, json as common};
use crate::error::CliError;

/// The architectures of a report, unless others are asked for.
const USUAL: [u32; 6] = [75, 80, 86, 89, 90, 100];

/// Kernels compiled for several architectures.
pub(super) struct Report<'p> {
    kernels: Vec<Compiled<'p>>,
    nvrtc: Version,
}

struct Compiled<'p> {
    part: &'p Part,
    kernel: Kernel,
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

impl<'p> Report<'p> {
    /// Compiles for these architectures, or for the usual ones that nvrtc knows.
    ///
    /// An architecture that is too small for a kernel is a row that says why; it is an error if all are.
    pub(super) fn new(parts: &'p [Part], archs: &[Arch], nvrtc: &Nvrtc) -> Result<Self, CliError> {
        let usual = || USUAL.into_iter().filter(|number| nvrtc.architectures().contains(number));
        let archs = if archs.is_empty() { usual().map(Arch::from_number).collect() } else { archs.to_vec() };
        let kernels = parts.iter().map(|part| Compiled::new(part, &archs, nvrtc));
        Ok(Self { kernels: kernels.collect::<Result<_, _>>()?, nvrtc: nvrtc.version() })
    }

    /// Keys of every kernel, `nvrtc`, and `architectures`: a list of objects with `arch` and either `error` or what
    /// the kernel takes there.
    pub(super) fn to_json(&self) -> Value {
        let objects = self.kernels.iter().map(|Compiled { part, kernel, rows }| {
            let mut object = common::kernel(part, kernel);
            object.insert("nvrtc".to_owned(), json!(self.nvrtc.to_string()));
            let rows = rows.iter().map(|row| row.to_json(kernel.geometry.shared_bytes)).collect();
            object.insert("architectures".to_owned(), Value::Array(rows));
            object.into()
        });
        common::one_or_list(objects.collect())
    }
}

impl<'p> Compiled<'p> {
    fn new(part: &'p Part, archs: &[Arch], nvrtc: &Nvrtc) -> Result<Self, CliError> {
        let (mut kernel, mut refused, mut rows) = (None, None, vec![]);
        for &arch in archs {
            let taken = match part.render(&multiprocessor(arch)?.limits) {
                Ok(rendered) => {
                    let taken = Taken::compile(part, &rendered, arch, nvrtc)?;
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
            (Some(kernel), _) => Ok(Self { part, kernel, rows }),
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
}

impl Taken {
    fn compile(part: &Part, kernel: &Kernel, arch: Arch, nvrtc: &Nvrtc) -> Result<Self, CliError> {
        let multiprocessor = multiprocessor(arch)?;
        let target = Target::Cubin(arch);
        let start = Instant::now();
        let compiled = nvrtc.compile(&kernel.source, target, &[VERBOSE.to_owned()])?;
        let time = start.elapsed();
        let cached = cached::time(&part.kernel, &multiprocessor.limits, target, nvrtc.version(), &compiled)?;
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
