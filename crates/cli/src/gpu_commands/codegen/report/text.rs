//! A report for a person to read.

use std::fmt;

use limbforge_kernels_gen::{ProgramKernel, SpecError};

use super::{PartReport, Report, Taken};

const HEADER: &str = "arch     registers  static B  dynamic B  spill st/ld B  stack B  blocks/SM  occupancy  limited by      compiled in   cached in";

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for kernel in &self.kernels {
            kernel.head(f)?;
        }
        let several = self.kernels.iter().any(|kernel| !kernel.part.is_alone());
        let columns = if several { "kernel  role          " } else { "" };
        writeln!(f, "nvrtc: {}\n\n{columns}{HEADER}", self.nvrtc)?;
        for PartReport { part, rows, .. } in &self.kernels {
            for (arch, taken) in rows {
                if several {
                    write!(f, "{:>6}  {:<12}  ", part.number, part.role)?;
                }
                line(f, &arch.to_string(), taken)?;
            }
        }
        Ok(())
    }
}

impl PartReport<'_> {
    /// The lines that hold for all architectures.
    fn head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (part, geometry) = (self.part, &self.kernel.geometry);
        if !part.is_alone() {
            writeln!(f, "{part}")?;
        }
        writeln!(f, "spec: {}", part.kernel)?;
        if let ProgramKernel::Expression(spec) = &part.kernel {
            let mapping = &spec.mapping;
            writeln!(
                f,
                "mapping: {} words per run, {} runs per thread, {} lanes and {} warps per integer",
                mapping.run_words, mapping.runs, mapping.lanes, mapping.warps
            )?;
        }
        if let ProgramKernel::MulTensor(spec) = &part.kernel {
            let plan = &spec.plan;
            writeln!(
                f,
                "tensor: {} tiles of 32 words, {} together, {} warps per integer, {} bytes of shared memory per integer",
                plan.tiling.tiles,
                plan.schedule.tiles_per_pass,
                plan.schedule.warps_per_instance,
                4 * plan.slot_words()
            )?;
        }
        if let Some(transforms) = &part.transforms {
            writeln!(f, "{transforms}")?;
        }
        let planes = match geometry.planes {
            1 => String::new(),
            planes => format!(", {planes} blocks for the same integers"),
        };
        writeln!(
            f,
            "geometry: {} threads and {} integers per block, {} bytes of dynamic shared memory{planes}",
            geometry.threads, geometry.instances, geometry.shared_bytes
        )?;
        if part.is_alone() { Ok(()) } else { writeln!(f) }
    }
}

fn line(f: &mut fmt::Formatter<'_>, arch: &str, taken: &Result<Taken, SpecError>) -> fmt::Result {
    let taken = match taken {
        Ok(taken) => taken,
        Err(error) => return writeln!(f, "{arch:<7}  does not run: {error}"),
    };
    writeln!(
        f,
        "{arch:<7}  {:>9}  {:>8}  {:>9}  {:>13}  {:>7}  {:>9}  {:>7.1} %  {:<13}  {:>8} ms  {:>9}",
        taken.usage.registers,
        taken.usage.static_shared_bytes,
        taken.dynamic_shared_bytes,
        format!("{}/{}", taken.usage.spill_store_bytes, taken.usage.spill_load_bytes),
        taken.usage.stack_bytes,
        taken.blocks_per_multiprocessor,
        taken.occupancy_percent,
        taken.limited_by,
        taken.compile_ms.floor(),
        taken.cached_ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2} ms"))
    )
}
