//! Polynomials on the GPU: one program for each shape.

use std::collections::BTreeMap;
use std::sync::Arc;

use limbforge_algos::model::machine::Figures;
use limbforge_field::DynField;
use limbforge_gpu::{GpuError, LoadedPoly};
use limbforge_kernels_gen::poly::{PolyOperation, PolyProgram, PolyShape};

use super::Gpu;
use crate::engine::error::EngineError;
use crate::engine::poly::Operation;

/// Blocks of the largest grid.
const MOST_BLOCKS: u64 = (1 << 31) - 1;

impl Gpu {
    /// The results of pairs of polynomials with these numbers of terms, residues from low to high, in their order; None where
    /// no program is needed.
    pub(in crate::engine) fn poly(
        &self,
        field: &DynField,
        operation: Operation,
        lengths: &[[usize; 2]],
        pair: impl Fn(usize) -> [Vec<u64>; 2],
    ) -> Result<Vec<Option<[Vec<u64>; 2]>>, EngineError> {
        let operation = match operation {
            Operation::Mul => PolyOperation::Mul,
            Operation::DivRem => PolyOperation::DivRem,
            Operation::Gcd => PolyOperation::Gcd,
        };
        let mut shapes: BTreeMap<PolyShape, Vec<usize>> = BTreeMap::new();
        for (i, &[a, b]) in lengths.iter().enumerate() {
            if let Some(shape) = PolyShape::of(operation, a, b)? {
                shapes.entry(shape).or_default().push(i);
            }
        }
        let mut results = vec![None; lengths.len()];
        for (shape, members) in shapes {
            let poly = self.poly_program(field, shape)?;
            let most = self.most_instances(poly.program())?;
            for members in members.chunks(most) {
                let mut operands = [vec![], vec![]];
                for &i in members {
                    let [a, b] = pair(i);
                    shape.pack(field, [&a, &b], &mut operands);
                }
                let found = self.run_poly(&poly, &operands, members.len() as u64)?;
                let words = poly.program().result_words as usize;
                for (&i, found) in members.iter().zip(found.chunks_exact(words)) {
                    results[i] = Some(shape.unpack(field, lengths[i][1], found));
                }
            }
        }
        Ok(results)
    }

    fn run_poly(
        &self,
        poly: &LoadedPoly,
        operands: &[Vec<u32>; 2],
        instances: u64,
    ) -> Result<Vec<u32>, GpuError> {
        let [a, b] = operands.each_ref().map(|operand| self.device.upload(operand));
        let (a, b) = (a?, b?);
        let words = poly.program().result_words * instances;
        let mut output = self.device.alloc(4 * words)?;
        let scratch = self.device.poly_scratch(poly, instances)?;
        self.device.run_poly(poly, &[&a, &b], &scratch, &mut output, instances)?;
        let mut found = vec![0; words as usize];
        output.copy_to(&mut found)?;
        Ok(found)
    }

    /// Instances that the memory and a grid have room for, one at least.
    fn most_instances(&self, program: &PolyProgram) -> Result<usize, GpuError> {
        let words: u64 = program.input_words.iter().chain(&program.buffers).sum();
        let by_memory = self.allowance()? / (4 * (words + program.result_words)).max(1);
        let blocks = program.launches.iter().map(|launch| {
            let planes = program.kernels[launch.kernel].geometry.planes;
            u64::from(launch.repeats) * u64::from(planes)
        });
        let by_grid = MOST_BLOCKS / blocks.max().unwrap_or(1).max(1);
        Ok(usize::try_from(by_memory.min(by_grid).max(1)).unwrap_or(usize::MAX))
    }

    fn poly_program(&self, field: &DynField, shape: PolyShape) -> Result<Arc<LoadedPoly>, EngineError> {
        Self::kept(&self.polys, &format!("{} {shape:?}", field.modulus()), || {
            let program = shape.program(field, self.figures(), &self.limits)?;
            Ok(self.device.load_poly(&self.compiler, &program)?)
        })
    }

    /// What the model knows of this GPU; the rest is that of an H200.
    fn figures(&self) -> Figures {
        let info = self.device.info();
        let clock_hz =
            if info.clock_khz == 0 { Figures::H200.clock_hz } else { 1e3 * f64::from(info.clock_khz) };
        Figures { multiprocessors: info.multiprocessors, clock_hz, ..Figures::H200 }
    }
}
