//! Kernels that are rendered where a program is made.

use minijinja::{Value, context};

use super::Program;
use crate::kernel::{Geometry, Kernel};
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

/// Checks that the device has a block's threads and shared memory.
pub(super) fn check(geometry: &Geometry, limits: &Limits) -> Result<(), SpecError> {
    limits.check_threads(geometry.threads)?;
    limits.check_shared(geometry.shared_bytes.into())
}
