//! Kernels that are rendered where a program is made.

use core::fmt;

use minijinja::{Value, context};

use super::Program;
use crate::kernel::{Block, Geometry, Kernel};
use crate::spec::{Limits, SpecError};
use crate::template::{ENTRY, render_source};

impl Program {
    /// Adds a kernel of a template, which reads these values beside `entry`, `threads` and `tiles`. Each
    /// block works on one instance, `tiles` blocks on the same one.
    pub(crate) fn add_rendered(
        &mut self,
        limits: &Limits,
        (template, values): (&str, Value),
        inputs: &[&str],
        [threads, tiles, shared_bytes]: [u32; 3],
    ) -> Result<usize, SpecError> {
        let source =
            render_source(template, context! { ..values, ..context! { entry => ENTRY, threads, tiles } })?;
        let geometry = Geometry { threads, instances: 1, planes: tiles, shared_bytes };
        Ok(self.add_kernel(kernel(source, inputs, geometry, limits)?))
    }
}

/// A kernel that marks no instances, for a device with these limits.
pub(crate) fn kernel(
    source: String,
    inputs: &[&str],
    geometry: Geometry,
    limits: &Limits,
) -> Result<Kernel, SpecError> {
    check(&geometry, limits)?;
    Ok(Kernel::new(source, inputs.iter().map(|&input| input.to_owned()).collect(), geometry, false))
}

/// The resources of a block, without an estimate of its registers.
pub(super) fn block(kernel: &Kernel, limits: &Limits) -> Result<Block, SpecError> {
    let geometry = kernel.geometry;
    check(&geometry, limits)?;
    Ok(Block { geometry, wanted: 1, registers: limits.thread_registers, barriers: 0 })
}

pub(super) fn render(kernel: &Kernel, limits: &Limits) -> Result<Kernel, SpecError> {
    check(&kernel.geometry, limits).map(|()| kernel.clone())
}

/// Checks that the device has a block's threads and shared memory.
fn check(geometry: &Geometry, limits: &Limits) -> Result<(), SpecError> {
    limits.check_threads(geometry.threads)?;
    limits.check_shared(geometry.shared_bytes.into())
}

/// The canonical text of the specification, from the head of the source.
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = self.source.lines().next().unwrap_or_default();
        f.write_str(head.strip_prefix("// limbforge kernel: ").unwrap_or(&self.entry))
    }
}
