//! Integers that are too wide for a device.

use limbforge_limb::IntType;

use super::planner::Planner;
use crate::error::SpecError;
use crate::kernel::Kernel;
use crate::pipeline::{Product, Program, ProgramSpec};
use crate::resources::Limits;

impl ProgramSpec {
    /// The error of this specification's program for who has chosen an expression and a type, neither mapping nor product: if
    /// narrower integers have kernels on a device with these limits, [`SpecError::TooWide`] in place of what does not suffice.
    #[must_use]
    pub fn blame_width(&self, error: SpecError, limits: &Limits, planner: &Planner) -> SpecError {
        let narrower = self.product == Product::Auto && is_of_width(&error);
        match narrower.then(|| self.widest(limits, planner)).flatten() {
            Some(limit) => SpecError::TooWide { ty: self.ty, limit, why: Box::new(error) },
            None => error,
        }
    }

    /// Bits of the widest type below this one that has kernels, among powers of two.
    fn widest(&self, limits: &Limits, planner: &Planner) -> Option<u32> {
        let highest = self.ty.bits().checked_sub(1)?.checked_ilog2()?;
        (0..=highest).rev().map(|log2| 1 << log2).find(|&bits| {
            let ty = IntType::new(bits.into(), self.ty.is_signed());
            ty.is_ok_and(|ty| with_kernels(&Self { ty, ..self.clone() }, limits, planner).is_ok())
        })
    }
}

impl Program {
    /// The program as [`planned`](Self::planned) with its kernels, for who has chosen an expression and a type and nothing else.
    ///
    /// # Errors
    /// As [`new`](Self::new), with [`SpecError::TooWide`] where narrower integers have kernels.
    pub fn with_kernels(
        spec: &ProgramSpec,
        limits: &Limits,
        planner: &Planner,
    ) -> Result<(Self, Vec<Kernel>), SpecError> {
        with_kernels(spec, limits, planner).map_err(|error| spec.blame_width(error, limits, planner))
    }
}

fn with_kernels(
    spec: &ProgramSpec,
    limits: &Limits,
    planner: &Planner,
) -> Result<(Program, Vec<Kernel>), SpecError> {
    let program = Program::planned(spec, limits, planner)?;
    let kernels = program.render(limits)?;
    Ok((program, kernels))
}

/// Whether narrower integers may do without what this is the lack of. [`SpecError::Warp`] says itself which ones do.
const fn is_of_width(error: &SpecError) -> bool {
    use SpecError::{Digits, Mapping, Registers, ResidueRange, SharedMemory, Threads, Transform, Width};
    matches!(error, Threads { .. } | SharedMemory { .. } | Registers { .. } | Mapping { .. } | Width { .. })
        || matches!(error, ResidueRange { .. } | Transform { .. } | Digits(_))
}
