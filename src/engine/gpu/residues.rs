//! Residues that stay in a GPU's memory: transforms, operations value by value, and products of polynomials.

use core::ops::Range;
use std::sync::Arc;

use limbforge_algos::transform::elementwise::Elementwise;
use limbforge_algos::transform::ntt::{Direction, NttPlan};
use limbforge_field::DynField;
use limbforge_gpu::{DeviceBuffer, LoadedProgram};
use limbforge_kernels_gen::poly::{ElementwiseSpec, PartSpec, PolyShape};

use super::GpuBatch;
use super::transform::spec_of;
use crate::engine::error::EngineError;
use crate::engine::poly::Operation;

impl GpuBatch {
    /// So many transforms of the values.
    pub(in crate::engine) fn transformed(
        &self,
        field: &DynField,
        plan: &NttPlan,
        direction: Direction,
        transforms: usize,
    ) -> Result<Self, EngineError> {
        let program = self.gpu().transform_program(&spec_of(field, plan, direction)?)?;
        self.computed(&program, &[self], transforms)
    }

    /// An operation on `count` values and as many of another batch, or `period` of them again and again.
    pub(in crate::engine) fn elementwise(
        &self,
        field: &DynField,
        operation: Elementwise,
        other: &Self,
        (count, period): (usize, Option<usize>),
    ) -> Result<Self, EngineError> {
        let period = period.map(|period| u32::try_from(period).unwrap_or(u32::MAX));
        let spec = ElementwiseSpec::new(operation, field, period)?;
        let program = self.gpu().rendered(&spec, |limits| spec.program(limits))?;
        self.computed(&program, &[self, other], count)
    }

    /// The results of `count` pairs of polynomials of n and of m terms; of divisions all values of the state.
    pub(in crate::engine) fn poly_rows(
        &self,
        field: &DynField,
        operation: Operation,
        other: &Self,
        [n, m]: [usize; 2],
        count: usize,
    ) -> Result<Self, EngineError> {
        // The longer operands come first; a dividend is not shorter than its divisor.
        let (operands, n, m) = if n < m { ([other, self], m, n) } else { ([self, other], n, m) };
        let program = self.gpu().poly_program(field, PolyShape::of_rows(operation.into(), n, m)?)?;
        self.computed(&program, &operands, count)
    }

    /// Neighbouring values of each of `count` rows.
    pub(in crate::engine) fn part(
        &self,
        field: &DynField,
        row: usize,
        part: Range<usize>,
        count: usize,
    ) -> Result<Self, EngineError> {
        let [row, start, end] = [row, part.start, part.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        let spec = PartSpec::new(field, row, start..end)?;
        let program = self.gpu().rendered(&spec, |limits| spec.program(limits))?;
        self.computed(&program, &[self], count)
    }

    /// Starts a program that marks nothing on operands in this memory, and returns where its results will be.
    fn computed(
        &self,
        program: &LoadedProgram,
        operands: &[&Self],
        instances: usize,
    ) -> Result<Self, EngineError> {
        let (device, instances) = (&self.gpu().device, instances as u64);
        let scratch = device.scratch(program, instances)?;
        let per_instance: u64 = program.footprint().outputs.iter().sum();
        let mut limbs = device.alloc(per_instance.saturating_mul(instances))?;
        let inputs: Vec<&DeviceBuffer> = operands.iter().map(|operand| &*operand.limbs).collect();
        device.run_program(program, &inputs, &scratch, &mut limbs, instances)?;
        Ok(Self { gpus: self.gpus.clone(), member: self.member, limbs: Arc::new(limbs), marks: None })
    }
}
