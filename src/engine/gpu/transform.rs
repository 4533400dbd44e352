//! Transforms on the GPU: kernels are made once for each specification.

use std::sync::Arc;

use limbforge_algos::transform::ntt::{Direction, NttPlan};
use limbforge_field::{DynField, Word};
use limbforge_gpu::{Chunk, LoadedProgram};
use limbforge_kernels_gen::ntt::{TransformPlan, TransformSpec};

use super::Gpu;
use crate::engine::error::EngineError;

impl Gpu {
    /// Transforms a batch that [`NttPlan::check_residues`] has passed, in chunks.
    pub(in crate::engine) fn transform<W: Word>(
        &self,
        field: &DynField,
        plan: &NttPlan,
        direction: Direction,
        values: &mut [W],
    ) -> Result<(), EngineError> {
        // A number of points that is too large for the type is too large for a kernel, as is the largest one.
        let points = u32::try_from(plan.points()).unwrap_or(u32::MAX);
        let spec = TransformSpec::new(field, points, plan.wrap(), direction)?;
        let program = self.transform_program(spec)?;
        let per_instance = plan.points();
        let instances = (values.len() / per_instance) as u64;
        // Results go to a place of their own: after an error the values are still there.
        let mut results = vec![W::ZERO; values.len()];
        let word_bytes = 4 * spec.point_words() as usize;
        let read = |chunk: &Chunk, _, room: &mut [u8]| -> Result<(), EngineError> {
            let words = &values[chunk.bytes(per_instance as u64)];
            copy_words(bytemuck::cast_slice(words), W::BYTES, room, word_bytes);
            Ok(())
        };
        let write = |chunk: &Chunk, words: &[u8], _: &[u32]| -> Result<(), EngineError> {
            let results = &mut results[chunk.bytes(per_instance as u64)];
            copy_words(words, word_bytes, bytemuck::cast_slice_mut(results), W::BYTES);
            Ok(())
        };
        self.device.stream(&program, instances, self.allowance()?, read, write)?;
        values.copy_from_slice(&results);
        Ok(())
    }

    fn transform_program(&self, spec: TransformSpec) -> Result<Arc<LoadedProgram>, EngineError> {
        self.loaded(&spec.to_string(), || {
            let program = TransformPlan::for_limits(spec, &self.limits)?.program(&self.limits)?;
            let kernels = program.render(&self.limits)?;
            Ok((program, kernels))
        })
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
