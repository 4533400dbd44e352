//! Transforms on GPUs: kernels are made once for each specification.

use std::sync::Arc;

use limbforge_algos::transform::ntt::{Direction, NttPlan};
use limbforge_field::{DynField, Word};
use limbforge_gpu::{Chunk, HostBatch, HostResult, LoadedProgram, Operands, Results};
use limbforge_kernels_gen::ntt::{TransformPlan, TransformSpec};

use super::{Gpu, Gpus};
use crate::engine::error::EngineError;

impl Gpus {
    /// Transforms a batch that [`NttPlan::check_residues`] has passed.
    pub(in crate::engine) fn transform<W: Word>(
        &self,
        field: &DynField,
        plan: &NttPlan,
        direction: Direction,
        values: &mut [W],
    ) -> Result<(), EngineError> {
        let spec = spec_of(field, plan, direction)?;
        let programs = self.load(|gpu: &Gpu| gpu.transform_program(&spec))?;
        let instances = (values.len() / plan.points()) as u64;
        let word_bytes = 4 * spec.point_words() as usize;
        // Results go to a place of their own: after an error the values are still there.
        let mut found = vec![0_u8; values.len() * word_bytes];
        let results = Results::Memory(vec![HostResult::new(&mut found)]);
        let words: &[W] = values;
        let batch = [HostBatch::new(bytemuck::cast_slice(words))];
        let read = |chunk: &Chunk, rooms: &mut [&mut [u8]]| {
            let words = &words[chunk.bytes(plan.points() as u64)];
            copy_words(bytemuck::cast_slice(words), W::BYTES, rooms[0], word_bytes);
            Ok(())
        };
        let operands = if word_bytes == W::BYTES { Operands::Memory(&batch) } else { Operands::Read(&read) };
        self.stream(&programs, operands, results, instances)?;
        copy_words(&found, word_bytes, bytemuck::cast_slice_mut(values), W::BYTES);
        Ok(())
    }
}

/// The kernels' specification of a transform.
pub(super) fn spec_of(
    field: &DynField,
    plan: &NttPlan,
    direction: Direction,
) -> Result<TransformSpec, EngineError> {
    // A number of points that is too large for the type is too large for a kernel, as is the largest one.
    let points = u32::try_from(plan.points()).unwrap_or(u32::MAX);
    Ok(TransformSpec::new(field, points, plan.wrap(), direction)?)
}

impl Gpu {
    pub(super) fn transform_program(&self, spec: &TransformSpec) -> Result<Arc<LoadedProgram>, EngineError> {
        self.rendered(spec, |limits| TransformPlan::for_limits(*spec, limits)?.program(limits))
    }
}

/// Copies words of one size to words of another, low bytes first as on every host of a GPU: higher ones are
/// dropped, or 0.
fn copy_words(from: &[u8], from_bytes: usize, to: &mut [u8], to_bytes: usize) {
    if from_bytes == to_bytes {
        return to.copy_from_slice(from);
    }
    let bytes = from_bytes.min(to_bytes);
    for (from, to) in from.chunks_exact(from_bytes).zip(to.chunks_exact_mut(to_bytes)) {
        to[..bytes].copy_from_slice(&from[..bytes]);
        to[bytes..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_narrower_and_wider() {
        let (wide, narrow) = ([5_u64, 0xffff_fffe], [5_u32, 0xffff_fffe]);
        let mut found = [0_u32; 2];
        copy_words(bytemuck::cast_slice(&wide), 8, bytemuck::cast_slice_mut(&mut found), 4);
        assert_eq!(found, narrow);
        let mut found = [u64::MAX; 2];
        copy_words(bytemuck::cast_slice(&narrow), 4, bytemuck::cast_slice_mut(&mut found), 8);
        assert_eq!(found, wide);
    }
}
