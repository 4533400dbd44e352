//! Polynomials on the GPU: one program for each shape.

use std::collections::BTreeMap;
use std::sync::Arc;

use limbforge_algos::model::machine::Figures;
use limbforge_field::DynField;
use limbforge_gpu::{Chunk, LoadedProgram};
use limbforge_kernels_gen::poly::{PolyOperation, PolyShape};

use super::Gpu;
use crate::engine::error::EngineError;
use crate::engine::poly::Operation;

impl Gpu {
    /// The results of pairs of polynomials with these numbers of terms, residues from low to high, in their
    /// order; None where no program is needed.
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
            let program = self.poly_program(field, shape)?;
            let result_words = program.footprint().output as usize / 4;
            let mut operands = [vec![], vec![]];
            let read = |chunk: &Chunk, input: usize, room: &mut [u8]| -> Result<(), EngineError> {
                // Both operands of a pair are packed together, before the first is read.
                if input == 0 {
                    operands = [vec![], vec![]];
                    for &i in &members[chunk.bytes(1)] {
                        let [a, b] = pair(i);
                        shape.pack(field, [&a, &b], &mut operands);
                    }
                }
                room.copy_from_slice(bytemuck::cast_slice(&operands[input]));
                Ok(())
            };
            let write = |chunk: &Chunk, bytes: &[u8], _: &[u32]| -> Result<(), EngineError> {
                let words = bytemuck::cast_slice::<u8, u32>(bytes).chunks_exact(result_words);
                for (&i, found) in members[chunk.bytes(1)].iter().zip(words) {
                    results[i] = Some(shape.unpack(field, lengths[i][1], found));
                }
                Ok(())
            };
            self.device.stream(&program, members.len() as u64, self.allowance()?, read, write)?;
        }
        Ok(results)
    }

    fn poly_program(&self, field: &DynField, shape: PolyShape) -> Result<Arc<LoadedProgram>, EngineError> {
        self.loaded(&format!("poly p={} {shape}", field.modulus()), || {
            let program = shape.program(field, self.figures(), &self.limits)?;
            let kernels = program.render(&self.limits)?;
            Ok((program, kernels))
        })
    }

    /// The model's figures of this GPU; all others are those of an H200.
    fn figures(&self) -> Figures {
        let info = self.device.info();
        let clock_hz =
            if info.clock_khz == 0 { Figures::H200.clock_hz } else { 1e3 * f64::from(info.clock_khz) };
        Figures { multiprocessors: info.multiprocessors, clock_hz, ..Figures::H200 }
    }
}
