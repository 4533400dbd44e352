//! The resources that kernels take of each architecture.

mod text;

use std::time::Instant;

use limbforge_gpu::{Arch, Cache, CacheKey, Compiled, Nvrtc, Source, Target, Version};
use limbforge_kernels_gen::{BlockUsage, Kernel, Limits, SpecError};
use serde::Serialize;
use serde_json::{Value, json};

use super::{json as common, multiprocessor, parts::Part, wrong_usage};
use crate::error::CliError;

/// The architectures of a report, unless others are given.
const USUAL: [u32; 6] = [75, 80, 86, 89, 90, 100];

/// Cache lookups that are timed.
const LOOKUPS: usize = 9;

/// The option that makes ptxas report them in nvrtc's log.
const VERBOSE: &str = "--ptxas-options=-v";

/// Kernels compiled for several architectures.
pub(super) struct Report<'p> {
    kernels: Vec<PartReport<'p>>,
    nvrtc: Version,
}

struct PartReport<'p> {
    part: &'p Part,
    kernel: Kernel,
    /// By architecture; the error where a kernel does not run.
    rows: Vec<(Arch, Result<Taken, SpecError>)>,
}

#[derive(Serialize)]
struct Taken {
    #[serde(flatten)]
    usage: Usage,
    dynamic_shared_bytes: u32,
    blocks_per_multiprocessor: u32,
    occupancy_percent: f64,
    limited_by: String,
    compile_ms: f64,
    cached_ms: Option<f64>,
}

impl<'p> Report<'p> {
    /// Compiles for these architectures, or for the usual ones that nvrtc knows. It fails only if all are too
    /// small.
    pub(super) fn new(parts: &'p [Part], archs: &[Arch], nvrtc: &Nvrtc) -> Result<Self, CliError> {
        let usual = || USUAL.into_iter().filter(|number| nvrtc.architectures().contains(number));
        let archs = if archs.is_empty() { usual().map(Arch::from_number).collect() } else { archs.to_vec() };
        let kernels = parts.iter().map(|part| PartReport::new(part, &archs, nvrtc));
        Ok(Self { kernels: kernels.collect::<Result<_, _>>()?, nvrtc: nvrtc.version() })
    }

    /// Each kernel's keys, `nvrtc`, and `architectures`: objects with `arch` and `error` or the resources.
    pub(super) fn to_json(&self) -> Value {
        let objects = self.kernels.iter().map(|PartReport { part, kernel, rows }| {
            let mut object = common::kernel(part, kernel);
            object.insert("nvrtc".to_owned(), json!(self.nvrtc.to_string()));
            let rows = rows.iter().map(|(arch, taken)| {
                let mut row = taken
                    .as_ref()
                    .map_or_else(|why| json!({ "error": why.to_string() }), |taken| json!(taken));
                row["arch"] = json!(arch.to_string());
                row
            });
            object.insert("architectures".to_owned(), rows.collect());
            object.into()
        });
        common::one_or_list(objects.collect())
    }
}

impl<'p> PartReport<'p> {
    fn new(part: &'p Part, archs: &[Arch], nvrtc: &Nvrtc) -> Result<Self, CliError> {
        let (mut kernel, mut rows) = (None, vec![]);
        for &arch in archs {
            let taken = match part.kernel.render(&multiprocessor(arch)?.limits) {
                Ok(rendered) => Ok(Taken::compile(part, kernel.insert(rendered), arch, nvrtc)?),
                Err(error) => Err(error),
            };
            rows.push((arch, taken));
        }
        match (kernel, rows.pop()) {
            (Some(kernel), last) => {
                rows.extend(last);
                Ok(Self { part, kernel, rows })
            }
            (None, Some((_, Err(error)))) => Err(error.into()),
            (None, _) => {
                let version = nvrtc.version();
                let why = format!("nvrtc {version} knows none of the usual architectures: expected --arch");
                Err(wrong_usage(why))
            }
        }
    }
}

impl Taken {
    fn compile(part: &Part, kernel: &Kernel, arch: Arch, nvrtc: &Nvrtc) -> Result<Self, CliError> {
        let (multiprocessor, version) = (multiprocessor(arch)?, nvrtc.version());
        let target = Target::Cubin(arch);
        let start = Instant::now();
        let compiled = nvrtc.compile(&kernel.source, target, &[VERBOSE.to_owned()])?;
        let compile_ms = milliseconds(start);
        let cached_ms = cached_ms(part, &multiprocessor.limits, target, version, &compiled)?;
        let usage = Usage::parse(&compiled.log).ok_or(CliError::Usageless { version, arch })?;
        let (threads, dynamic_shared_bytes) = (kernel.geometry.threads, kernel.geometry.shared_bytes);
        let shared_bytes = u64::from(dynamic_shared_bytes) + u64::from(usage.static_shared_bytes);
        let block = BlockUsage { threads, registers: usage.registers, shared_bytes };
        let occupancy = multiprocessor.occupancy(&block);
        Ok(Self {
            usage,
            dynamic_shared_bytes,
            blocks_per_multiprocessor: occupancy.blocks,
            occupancy_percent: occupancy.percent(),
            limited_by: occupancy.scarce.to_string(),
            compile_ms,
            cached_ms,
        })
    }
}

/// The median time from a specification to its kernel in a cache on disk. None without a temporary folder.
fn cached_ms(
    part: &Part,
    limits: &Limits,
    target: Target,
    nvrtc: Version,
    compiled: &Compiled,
) -> Result<Option<f64>, SpecError> {
    let Ok(folder) = tempfile::tempdir() else { return Ok(None) };
    let lookup = || {
        let kernel = part.kernel.render(limits)?;
        let key = CacheKey::new(&kernel.source, target, &[], nvrtc);
        let Ok(found) = Cache::new(Some(folder.path().to_owned()))
            .get_or_compile(&key, || Ok::<_, core::convert::Infallible>(compiled.clone()));
        Ok::<_, SpecError>(found.source)
    };
    lookup()?;
    let mut times = vec![];
    for _ in 0..LOOKUPS {
        let start = Instant::now();
        if lookup()? != Source::Disk {
            return Ok(None);
        }
        times.push(milliseconds(start));
    }
    times.sort_unstable_by(f64::total_cmp);
    Ok(times.get(LOOKUPS / 2).copied())
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// The resources of a thread, and the shared memory that the source declares for a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Usage {
    registers: u32,
    stack_bytes: u32,
    spill_store_bytes: u32,
    spill_load_bytes: u32,
    static_shared_bytes: u32,
}

impl Usage {
    /// From nvrtc's log of a source with one kernel; None if the log lacks a number.
    fn parse(log: &str) -> Option<Self> {
        let frame = log.lines().find(|line| line.contains("bytes stack frame"))?;
        let used = log.lines().find(|line| line.contains("Used ") && line.contains(" registers"))?;
        Some(Self {
            registers: before(used, "registers")?,
            stack_bytes: before(frame, "bytes stack frame")?,
            spill_store_bytes: before(frame, "bytes spill stores")?,
            spill_load_bytes: before(frame, "bytes spill loads")?,
            static_shared_bytes: before(used, "bytes smem").unwrap_or(0),
        })
    }
}

/// The number before a unit: 20 in `Used 20 registers, 384 bytes smem`.
fn before(line: &str, unit: &str) -> Option<u32> {
    line[..line.find(unit)?].split_whitespace().next_back()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_of_ptxas() {
        let log = "kernel.cu(335): warning #128-D: loop is not reachable\n\
             ptxas info    : 64 bytes gmem, 128 bytes cmem[4]\n\
             ptxas info    : Compiling entry function 'limbforge_kernel' for 'sm_75'\n\
             ptxas info    : Function properties for limbforge_kernel\n\
             ptxas         .     16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n\
             ptxas info    : Used 86 registers, used 0 barriers, 1024 bytes smem, 384 bytes cmem[0]\n";
        let usage = Usage {
            registers: 86,
            stack_bytes: 16,
            spill_store_bytes: 8,
            spill_load_bytes: 12,
            static_shared_bytes: 1024,
        };
        assert_eq!(Usage::parse(log), Some(usage));
        let without = log.replace(" 1024 bytes smem,", "");
        assert_eq!(Usage::parse(&without), Some(Usage { static_shared_bytes: 0, ..usage }));
        for log in ["", "ptxas info : Used many registers\n0 bytes stack frame", "Used 3 registers"] {
            assert_eq!(Usage::parse(log), None, "{log}");
        }
    }
}
