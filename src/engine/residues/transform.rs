//! Transforms of resident residues, and operations value by value.

use limbforge_algos::transform::elementwise::Elementwise;
use limbforge_algos::transform::ntt::{Direction, DynNtt, NttError, NttPlan};

use super::DeviceResidues;
use super::compute::same_field;
use crate::engine::error::ResidueError;
use crate::engine::{Engine, EngineError};

impl Engine {
    /// Transforms every n residues, as [`transform`](Self::transform) does, to others that stay beside them.
    /// They are not waited for.
    ///
    /// ```
    /// use limbforge::algos::transform::ntt::{Direction, NttPlan, Wrap};
    /// use limbforge::field::DynField;
    /// use limbforge::prelude::*;
    ///
    /// let (engine, field) = (Engine::auto(), DynField::new(998_244_353)?);
    /// let mut values = [0_u32; 32]; // two transforms
    /// (values[0], values[16]) = (1, 3);
    /// let values = engine.upload_residues(&field, &values)?;
    /// let plan = NttPlan::new(16, Wrap::Cyclic)?;
    /// let found = engine.transform_residues(&plan, Direction::Forward, &values)?.download::<u32>()?;
    /// assert_eq!((&found[..16], &found[16..]), (&[1; 16][..], &[3; 16][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Ntt`] if the field has no root for the plan or the residues are no multiple of n,
    /// [`EngineError::OtherDevice`] if they lie elsewhere; of [`Engine::gpu`] alone, [`EngineError::Spec`] if
    /// it has no kernel for the plan; [`EngineError::Gpu`].
    pub fn transform_residues(
        &self,
        plan: &NttPlan,
        direction: Direction,
        values: &DeviceResidues,
    ) -> Result<DeviceResidues, EngineError> {
        let (field, points, found) = (values.field, plan.points(), values.count);
        plan.check_residues::<u64>(&field, &[])?;
        if !found.is_multiple_of(points) {
            return Err(NttError::Values { points, found }.into());
        }
        self.compute(
            [values; 2],
            found,
            |[values, _]| values.transformed(&field, plan, direction, found / points),
            |[values, _]| {
                let mut values = values.to_vec();
                DynNtt::new(field, plan.clone())?.run_residues(direction, &mut values)?;
                Ok(values)
            },
        )
    }

    /// The products of residues value by value, beside them: of transforms, the transforms of the products.
    /// Fewer values of `b` are repeated, for one factor of many.
    ///
    /// ```
    /// use limbforge::field::DynField;
    /// use limbforge::prelude::*;
    ///
    /// let (engine, field) = (Engine::auto(), DynField::new(97)?);
    /// let a = engine.upload_residues(&field, &[1_u32, 2, 50, 60])?;
    /// let b = engine.upload_residues(&field, &[2_u32, 96])?;
    /// assert_eq!(engine.mul_residues(&a, &b)?.download::<u32>()?, [2, 95, 3, 37]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Residues`] for operands of different fields, or of numbers of which the second does not
    /// divide the first; [`EngineError::OtherDevice`] for operands that lie apart or elsewhere, and
    /// [`EngineError::Gpu`].
    pub fn mul_residues(
        &self,
        a: &DeviceResidues,
        b: &DeviceResidues,
    ) -> Result<DeviceResidues, EngineError> {
        self.elementwise(Elementwise::Mul, a, b)
    }

    /// The sums of residues, as [`mul_residues`](Self::mul_residues) has the products.
    ///
    /// # Errors
    /// Those of [`mul_residues`](Self::mul_residues).
    pub fn add_residues(
        &self,
        a: &DeviceResidues,
        b: &DeviceResidues,
    ) -> Result<DeviceResidues, EngineError> {
        self.elementwise(Elementwise::Add, a, b)
    }

    /// The differences of residues, as [`mul_residues`](Self::mul_residues) has the products.
    ///
    /// # Errors
    /// Those of [`mul_residues`](Self::mul_residues).
    pub fn sub_residues(
        &self,
        a: &DeviceResidues,
        b: &DeviceResidues,
    ) -> Result<DeviceResidues, EngineError> {
        self.elementwise(Elementwise::Sub, a, b)
    }

    fn elementwise(
        &self,
        operation: Elementwise,
        a: &DeviceResidues,
        b: &DeviceResidues,
    ) -> Result<DeviceResidues, EngineError> {
        same_field(a, b)?;
        let (field, count, period) = (a.field, a.count, b.count);
        if count != period && (period == 0 || !count.is_multiple_of(period)) {
            return Err(ResidueError::Counts { a: count, b: period }.into());
        }
        let repeated = (count != period).then_some(period);
        self.compute(
            [a, b],
            count,
            |[a, b]| a.elementwise(&field, operation, b, (count, repeated)),
            |[a, b]| Ok(operation.of(&field, a, b)),
        )
    }
}
