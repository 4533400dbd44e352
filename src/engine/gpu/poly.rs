//! Polynomials on GPUs: one program for each shape.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use limbforge_algos::model::machine::Figures;
use limbforge_field::DynField;
use limbforge_gpu::{Chunk, LoadedProgram, Operands, Results};
use limbforge_kernels_gen::poly::{PolyOperation, PolyShape};

use super::{Gpu, Gpus};
use crate::engine::error::EngineError;
use crate::engine::poly::Operation;

impl Gpus {
    /// The results of pairs of polynomials with these numbers of terms, residues from low to high, in their
    /// order; None where no program is needed.
    pub(in crate::engine) fn poly(
        &self,
        field: &DynField,
        operation: Operation,
        lengths: &[[usize; 2]],
        pair: impl Fn(usize) -> [Vec<u64>; 2] + Sync,
    ) -> Result<Vec<Option<[Vec<u64>; 2]>>, EngineError> {
        let operation = operation.into();
        let mut shapes: BTreeMap<PolyShape, Vec<usize>> = BTreeMap::new();
        for (i, &[a, b]) in lengths.iter().enumerate() {
            if let Some(shape) = PolyShape::of(operation, a, b)? {
                shapes.entry(shape).or_default().push(i);
            }
        }
        let results: Vec<OnceLock<[Vec<u64>; 2]>> = lengths.iter().map(|_| OnceLock::new()).collect();
        for (shape, members) in shapes {
            let programs = self.load(|gpu| gpu.poly_program(field, shape))?;
            let read = |chunk: &Chunk, rooms: &mut [&mut [u8]]| {
                let mut operands = [vec![], vec![]];
                for &i in &members[chunk.bytes(1)] {
                    let [a, b] = pair(i);
                    shape.pack(field, [&a, &b], &mut operands);
                }
                for (room, words) in rooms.iter_mut().zip(&operands) {
                    room.copy_from_slice(bytemuck::cast_slice(words));
                }
                Ok(())
            };
            let write = |chunk: &Chunk, results_of: &[&[u8]], _: &[u32]| {
                let words = bytemuck::cast_slice::<u8, u32>(results_of[0]);
                let pairs = &members[chunk.bytes(1)];
                for (&i, found) in pairs.iter().zip(words.chunks_exact(words.len() / pairs.len())) {
                    results[i].get_or_init(|| shape.unpack(field, lengths[i][1], found));
                }
                Ok(())
            };
            let (read, write) = (Operands::Read(&read), Results::Write(&write));
            self.stream(&programs, read, write, members.len() as u64)?;
        }
        Ok(results.into_iter().map(OnceLock::into_inner).collect())
    }
}

impl From<Operation> for PolyOperation {
    fn from(operation: Operation) -> Self {
        match operation {
            Operation::Mul => Self::Mul,
            Operation::DivRem => Self::DivRem,
            Operation::Gcd => Self::Gcd,
        }
    }
}

impl Gpu {
    pub(super) fn poly_program(
        &self,
        field: &DynField,
        shape: PolyShape,
    ) -> Result<Arc<LoadedProgram>, EngineError> {
        let text = format!("poly p={} {shape}", field.modulus());
        self.rendered(&text, |limits| shape.program(field, self.figures(), limits))
    }

    /// The model's figures of this GPU; all others are those of an H200.
    fn figures(&self) -> Figures {
        let info = self.device.info();
        let clock_hz =
            if info.clock_khz == 0 { Figures::H200.clock_hz } else { 1e3 * f64::from(info.clock_khz) };
        Figures { multiprocessors: info.multiprocessors, clock_hz, ..Figures::H200 }
    }
}
