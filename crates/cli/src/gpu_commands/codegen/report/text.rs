//! A report for a person to read.

use std::fmt;

use limbforge_kernels_gen::{Geometry, ProgramKernel};

use super::{Compiled, Report, Row, Taken, milliseconds};

const HEADER: &str = "arch     registers  static B  dynamic B  spill st/ld B  stack B  blocks/SM  occupancy  limited by      compiled in   cached in";

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for kernel in &self.kernels {
            kernel.head(f)?;
        }
        let several = self.kernels.iter().any(|kernel| !kernel.part.is_alone());
        let columns = if several { "kernel  role          " } else { "" };
        writeln!(f, "nvrtc: {}\n\n{columns}{HEADER}", self.nvrtc)?;
        for Compiled { part, kernel, rows } in &self.kernels {
            for row in rows {
                if several {
                    write!(f, "{:>6}  {:<12}  ", part.number, part.role)?;
                }
                row.line(f, &kernel.geometry)?;
            }
        }
        Ok(())
    }
}

impl Compiled<'_> {
    /// What it is, the same on all architectures.
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
        write!(
            f,
            "geometry: {} threads and {} integers per block, {} bytes of dynamic shared memory",
            geometry.threads, geometry.instances, geometry.shared_bytes
        )?;
        match geometry.planes {
            1 => writeln!(f)?,
            planes => writeln!(f, ", {planes} blocks for the same integers")?,
        }
        if part.is_alone() { Ok(()) } else { writeln!(f) }
    }
}

impl Row {
    fn line(&self, f: &mut fmt::Formatter<'_>, geometry: &Geometry) -> fmt::Result {
        let arch = self.arch.to_string();
        let Taken { usage, occupancy, time, cached } = match &self.taken {
            Ok(taken) => taken,
            Err(error) => return writeln!(f, "{arch:<7}  does not run: {error}"),
        };
        writeln!(
            f,
            "{arch:<7}  {:>9}  {:>8}  {:>9}  {:>13}  {:>7}  {:>9}  {:>7.1} %  {:<13}  {:>8} ms  {:>9}",
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
        )
    }
}
