//! Integers that are too wide for a device.

use limbforge_limb::IntType;

use super::planner::Planner;
use crate::kernel::Kernel;
use crate::pipeline::{Program, ProgramSpec};
use crate::spec::{Limits, Product, SpecError};

impl ProgramSpec {
    /// The error for a user who chose an expression and a type, but neither mapping nor product:
    /// [`SpecError::TooWide`] if narrower integers have kernels on a device with these limits, else `error`.
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
            ty.is_ok_and(|ty| Self { ty, ..self.clone() }.kernels(limits, planner).is_ok())
        })
    }

    fn kernels(&self, limits: &Limits, planner: &Planner) -> Result<(Program, Vec<Kernel>), SpecError> {
        let program = Program::planned(self, limits, planner)?;
        let kernels = program.render(limits)?;
        Ok((program, kernels))
    }
}

impl Program {
    /// The [`planned`](Self::planned) program with its kernels, for a chosen expression and type.
    ///
    /// # Errors
    /// As [`new`](Self::new), with [`SpecError::TooWide`] where narrower integers have kernels.
    pub fn with_kernels(
        spec: &ProgramSpec,
        limits: &Limits,
        planner: &Planner,
    ) -> Result<(Self, Vec<Kernel>), SpecError> {
        spec.kernels(limits, planner).map_err(|error| spec.blame_width(error, limits, planner))
    }
}

/// Whether narrower integers may have kernels. [`SpecError::Warp`] names those itself.
const fn is_of_width(error: &SpecError) -> bool {
    use SpecError::{Digits, Mapping, Registers, ResidueRange, SharedMemory, Threads, Transform, Width};
    matches!(error, Threads { .. } | SharedMemory { .. } | Registers { .. } | Mapping { .. } | Width { .. })
        || matches!(error, ResidueRange { .. } | Transform { .. } | Digits(_))
}
