//! Batches in pinned memory of a GPU's pool.

use core::marker::PhantomData;

use limbforge_algos::cpu::EvalError;
use limbforge_gpu::Pinned;
use limbforge_limb::{Base, Batch, BatchError, IntType, Layout};

use super::set::Gpus;
use crate::engine::error::EngineError;

/// Pinned bytes as limbs.
struct PinnedLimbs<B> {
    bytes: Pinned<u8>,
    limb: PhantomData<B>,
}

impl<B: Base> AsRef<[B]> for PinnedLimbs<B> {
    fn as_ref(&self) -> &[B] {
        bytemuck::cast_slice(self.bytes.as_slice())
    }
}

impl<B: Base> AsMut<[B]> for PinnedLimbs<B> {
    fn as_mut(&mut self) -> &mut [B] {
        bytemuck::cast_slice_mut(self.bytes.as_mut_slice())
    }
}

/// Bytes of operands that are worth a look at where they lie: the driver copies fewer as fast from any
/// memory.
const SMALL: usize = 1 << 20;

impl Gpus {
    /// Whether these batches are large, and all of them in pinned memory.
    pub(in crate::engine) fn are_pinned<B: Base>(&self, batches: &[&Batch<B>]) -> bool {
        let bytes = |batch: &&Batch<B>| size_of_val(batch.limbs());
        let device = &self.member(self.present()[0]).device;
        let is_pinned = |batch: &&Batch<B>| device.is_pinned(bytemuck::cast_slice(batch.limbs()));
        batches.iter().map(bytes).sum::<usize>() > SMALL && batches.iter().all(is_pinned)
    }

    /// A batch of any integers in pinned memory, which all GPUs copy from and to.
    pub(in crate::engine) fn pinned<B: Base>(
        &self,
        ty: IntType,
        layout: Layout,
        instances: usize,
    ) -> Result<Batch<B>, EngineError> {
        let memory = self.pinned_limbs(ty, instances)?;
        Ok(Batch::from_memory(ty, layout, memory).map_err(EvalError::from)?)
    }

    /// The same for a caller that writes all limbs before anyone reads them.
    pub(in crate::engine) fn pinned_to_write<B: Base>(
        &self,
        ty: IntType,
        layout: Layout,
        instances: usize,
    ) -> Result<Batch<B>, EngineError> {
        let memory = self.pinned_limbs(ty, instances)?;
        Ok(Batch::in_memory_to_write(ty, layout, memory).map_err(EvalError::from)?)
    }

    fn pinned_limbs<B: Base>(&self, ty: IntType, instances: usize) -> Result<PinnedLimbs<B>, EngineError> {
        let device = &self.member(self.present()[0]).device;
        Ok(PinnedLimbs { bytes: device.pinned(bytes_of::<B>(ty, instances)?)?, limb: PhantomData })
    }
}

/// Bytes of a batch.
pub(super) fn bytes_of<B: Base>(ty: IntType, instances: usize) -> Result<usize, EngineError> {
    let limbs_per_instance = ty.limbs::<B>();
    let bytes = limbs_per_instance.checked_mul(size_of::<B>()).and_then(|m| m.checked_mul(instances));
    Ok(bytes.ok_or(BatchError::TooLarge { instances, limbs_per_instance }).map_err(EvalError::from)?)
}
