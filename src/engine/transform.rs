//! Transforms over prime fields.

use limbforge_algos::transform::ntt::{Direction, DynNtt, NttPlan};
use limbforge_field::{DynField, Word};

use super::{Engine, EngineError};

impl Engine {
    /// Transforms every n values over a prime field, in place and in natural order, n being the plan's
    /// points: residues in `0..p` to residues in `0..p`, one transform after the other.
    ///
    /// Forward, `X_j = sum of x_i w^(ij)`, or `sum of x_i psi^(i(2j + 1))` for a negacyclic plan, with the
    /// field's [`root_of_unity`](DynField::root_of_unity) of order n as w, or of order 2n as psi; the inverse
    /// takes this back. The CPU has all plans; kernels have those of 2^k and 3*2^k points from k = 4 up to
    /// 2^24.
    ///
    /// ```
    /// use limbforge::algos::transform::ntt::{Direction, NttPlan, Wrap};
    /// use limbforge::field::DynField;
    /// use limbforge::prelude::*;
    ///
    /// let (engine, field) = (Engine::auto(), DynField::new(998_244_353)?);
    /// let plan = NttPlan::new(16, Wrap::Cyclic)?;
    /// let mut values = [0_u32; 32]; // two transforms
    /// (values[0], values[16]) = (1, 3);
    /// engine.transform(&field, &plan, Direction::Forward, &mut values)?;
    /// assert_eq!((&values[..16], &values[16..]), (&[1; 16][..], &[3; 16][..]));
    /// engine.transform(&field, &plan, Direction::Inverse, &mut values)?;
    /// assert_eq!((values[0], values[1], values[16]), (1, 0, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Ntt`] if the field has no root for the plan, p does not fit the words, the values are
    /// no multiple of n, or one is p or more; of [`Engine::gpu`] alone, [`EngineError::Spec`] if it has no
    /// kernel for the plan and [`EngineError::Gpu`] if it fails. After an error all values are what they
    /// were.
    pub fn transform<W: Word>(
        &self,
        field: &DynField,
        plan: &NttPlan,
        direction: Direction,
        values: &mut [W],
    ) -> Result<(), EngineError> {
        plan.check_residues(field, values)?;
        self.backend.run(
            values,
            |gpu, values| gpu.transform(field, plan, direction, values),
            |values| Ok(DynNtt::new(*field, plan.clone())?.run_residues(direction, values)?),
        )
    }
}
