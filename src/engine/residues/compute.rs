//! What engines compute of resident residues.

use std::sync::Arc;

use limbforge_algos::poly::PolyRing;
use limbforge_algos::transform::elementwise::Elementwise;
use limbforge_algos::transform::ntt::{Direction, DynNtt, NttError, NttPlan};
use limbforge_field::{DynElement, DynField};
use rayon::prelude::*;

use super::{DeviceResidues, Memory, ResidueError, is_narrow};
use crate::engine::gpu::GpuBatch;
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

    /// The products of polynomials that lie one behind the other, coefficients from low to high, all of `a`
    /// with `n` terms and all of `b` with `m`: as many products of n + m - 1 terms, beside them. They are not
    /// waited for.
    ///
    /// ```
    /// use limbforge::field::DynField;
    /// use limbforge::prelude::*;
    ///
    /// let (engine, field) = (Engine::auto(), DynField::new(97)?);
    /// let a = engine.upload_residues(&field, &[1_u32, 1, 96, 1])?; // x + 1, x - 1
    /// let b = engine.upload_residues(&field, &[1_u32, 1, 1, 1])?; // x + 1, x + 1
    /// let products = engine.poly_mul_residues((&a, 2), (&b, 2))?;
    /// assert_eq!(products.download::<u32>()?, [1, 2, 1, 96, 0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Residues`] for operands of different fields, or that are not as many polynomials of
    /// these terms; [`EngineError::OtherDevice`] for operands that lie apart or elsewhere; of
    /// [`Engine::gpu`] alone, [`EngineError::Spec`] if there is no kernel for the sizes;
    /// [`EngineError::Gpu`].
    pub fn poly_mul_residues(
        &self,
        (a, n): (&DeviceResidues, usize),
        (b, m): (&DeviceResidues, usize),
    ) -> Result<DeviceResidues, EngineError> {
        same_field(a, b)?;
        let whole = n > 0 && m > 0 && a.count.is_multiple_of(n) && b.count.is_multiple_of(m);
        if !whole || a.count / n != b.count / m {
            let (a, b) = (a.count, b.count);
            return Err(ResidueError::Polynomials { a, a_terms: n, b, b_terms: m }.into());
        }
        let (field, count) = (a.field, a.count / n);
        self.compute(
            [a, b],
            count * (n + m - 1),
            |[a, b]| a.poly_products(&field, b, [n, m], count),
            |[a, b]| Ok(products(field, a.chunks(n).zip(b.chunks(m)), n + m - 1)),
        )
    }

    /// The GPU's results, or the CPU's, beside the operands.
    fn compute(
        &self,
        operands: [&DeviceResidues; 2],
        count: usize,
        on_gpu: impl FnOnce([&GpuBatch; 2]) -> Result<GpuBatch, EngineError>,
        on_cpu: impl FnOnce([&[u64]; 2]) -> Result<Vec<u64>, EngineError>,
    ) -> Result<DeviceResidues, EngineError> {
        let field = operands[0].field;
        self.check_places(operands)?;
        let memory = self.backend.run(
            &mut (),
            |_, ()| match operands.map(|operand| &operand.memory) {
                [Memory::Gpu(a), Memory::Gpu(b)] => Ok(Memory::Gpu(on_gpu([a, b])?)),
                _ => Err(operands[0].elsewhere("a", self.device_name().to_owned())),
            },
            |()| {
                let [a, b] = operands.map(DeviceResidues::on_host);
                let found = on_cpu([&a?, &b?])?;
                operands[0].beside(found)
            },
        )?;
        Ok(DeviceResidues { field, count, memory })
    }

    /// Errors unless both operands lie in one memory of this engine.
    fn check_places(&self, operands: [&DeviceResidues; 2]) -> Result<(), EngineError> {
        let mine = |operand: &DeviceResidues| match (self.backend.gpu(), &operand.memory) {
            (None, Memory::Cpu(_)) => true,
            (Some(gpus), Memory::Gpu(batch)) => gpus.is_same(batch.gpus()),
            _ => false,
        };
        for (operand, name) in operands.into_iter().zip(["a", "b"]) {
            if !mine(operand) {
                return Err(operand.elsewhere(name, self.device_name().to_owned()));
            }
        }
        match operands.map(|operand| &operand.memory) {
            [Memory::Gpu(a), Memory::Gpu(b)] if !b.is_beside(a) => {
                Err(operands[1].elsewhere("b", a.device_name()))
            }
            _ => Ok(()),
        }
    }
}

impl DeviceResidues {
    fn elsewhere(&self, operand: &str, expected: String) -> EngineError {
        EngineError::OtherDevice { operand: operand.to_owned(), expected, found: self.device_name() }
    }

    fn on_host(&self) -> Result<Arc<Vec<u64>>, EngineError> {
        match &self.memory {
            Memory::Cpu(values) => Ok(values.clone()),
            Memory::Gpu(_) => Ok(Arc::new(self.download()?)),
        }
    }

    /// Residues in the same memory.
    fn beside(&self, values: Vec<u64>) -> Result<Memory, EngineError> {
        Ok(match &self.memory {
            Memory::Cpu(_) => Memory::Cpu(Arc::new(values)),
            Memory::Gpu(batch) if is_narrow(&self.field) => {
                let values: Vec<u32> = super::words(&values);
                Memory::Gpu(batch.upload_beside(&values, 0, &[])?)
            }
            Memory::Gpu(batch) => Memory::Gpu(batch.upload_beside(&values, 0, &[])?),
        })
    }
}

fn same_field(a: &DeviceResidues, b: &DeviceResidues) -> Result<(), EngineError> {
    let (expected, found) = (a.field.modulus(), b.field.modulus());
    if expected == found { Ok(()) } else { Err(ResidueError::OtherField { expected, found }.into()) }
}

/// The products of pairs of polynomials, of so many terms each.
fn products<'v>(
    field: DynField,
    pairs: impl Iterator<Item = (&'v [u64], &'v [u64])>,
    terms: usize,
) -> Vec<u64> {
    let ring = PolyRing::new(field);
    let pairs: Vec<(&[u64], &[u64])> = pairs.collect();
    let product = |(a, b): (&[u64], &[u64])| {
        let [a, b] = [a, b].map(|values| ring.from_integers(values));
        let mut product: Vec<DynElement> = ring.mul(&a, &b);
        product.resize(terms, DynElement::ZERO);
        ring.to_integers(&product)
    };
    pairs.into_par_iter().flat_map_iter(product).collect()
}
