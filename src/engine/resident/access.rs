//! What lies in a resident batch, and where.

use limbforge_algos::cpu::EvalError;
use limbforge_limb::{Base, Batch, IntType, Layout};

use super::{DeviceBatch, Memory};
use crate::engine::error::EngineError;
use crate::engine::gpu::GpuBatch;

impl<B: Base> DeviceBatch<B> {
    /// The type of the integers.
    #[must_use]
    pub const fn ty(&self) -> IntType {
        self.ty
    }

    /// The order of the limbs in memory.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// N, the number of integers.
    #[must_use]
    pub const fn instances(&self) -> usize {
        self.instances
    }

    /// The integers, after a wait for what computes them.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let a: Batch<u64> = [3_u8, 4].into_iter().map(U256::from).collect();
    /// assert_eq!(Engine::cpu().upload(&a)?.download()?, a);
    /// # Ok::<(), EngineError>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Failed`] if an instance has no result, [`EngineError::Gpu`], also for a failure of what
    /// was started before.
    pub fn download(&self) -> Result<Batch<B>, EngineError> {
        let (batch, failed) = self.download_checked()?;
        match failed.first() {
            None => Ok(batch),
            Some(&first) => Err(EngineError::Failed { first, count: failed.len() }),
        }
    }

    /// The integers, 0 for instances that have no result, and these instances, in order.
    ///
    /// # Errors
    /// [`EngineError::Gpu`], also for a failure of what was started before.
    pub fn download_checked(&self) -> Result<(Batch<B>, Vec<usize>), EngineError> {
        if let Memory::Cpu { batch, failed } = &self.memory {
            return Ok((batch.clone(), failed.to_vec()));
        }
        let mut batch = Batch::zeros(self.ty, self.layout, self.instances).map_err(EvalError::from)?;
        let failed = self.download_into(&mut batch)?;
        Ok((batch, failed))
    }

    /// As [`download_checked`](Self::download_checked), into a batch of the same type and number of
    /// instances, in its own layout; into [pinned](crate::Engine::pinned) memory of this layout at the full
    /// rate of the link. Returns the instances that have no result.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let engine = Engine::auto();
    /// let a: Batch<u64> = [3_u8, 4].into_iter().map(U256::from).collect();
    /// let mut copy = engine.pinned(a.ty(), a.layout(), a.instances())?;
    /// assert!(engine.upload(&a)?.download_into(&mut copy)?.is_empty());
    /// assert_eq!(copy, a);
    /// # Ok::<(), EngineError>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Eval`] for a batch of another type or number of instances, and those of
    /// [`download_checked`](Self::download_checked).
    pub fn download_into(&self, batch: &mut Batch<B>) -> Result<Vec<usize>, EngineError> {
        let (expected, found, found_instances) = (self.ty, batch.ty(), batch.instances());
        if (found, found_instances) != (expected, self.instances) {
            let instances = self.instances;
            return Err(EvalError::ResultMismatch { expected, instances, found, found_instances }.into());
        }
        if batch.layout() != self.layout {
            let (values, failed) = self.download_checked()?;
            let values = values.into_layout(batch.layout());
            batch.limbs_mut().copy_from_slice(values.limbs());
            return Ok(failed);
        }
        let failed = self.failed()?;
        match &self.memory {
            Memory::Cpu { batch: found, .. } => batch.limbs_mut().copy_from_slice(found.limbs()),
            Memory::Gpu(gpu) => gpu.download(batch.limbs_mut())?,
        }
        let zero = vec![B::ZERO; batch.limbs_per_instance()];
        failed.iter().for_each(|&instance| batch.set_instance(instance, &zero));
        Ok(failed)
    }

    /// The instances that have no result, in order, after a wait for what computes them.
    ///
    /// # Errors
    /// As [`download_checked`](Self::download_checked).
    pub fn failed(&self) -> Result<Vec<usize>, EngineError> {
        match &self.memory {
            Memory::Cpu { failed, .. } => Ok(failed.to_vec()),
            Memory::Gpu(gpu) => gpu.failed(self.instances),
        }
    }

    /// Waits until the integers are computed.
    ///
    /// # Errors
    /// [`EngineError::Gpu`] for a failure of what was started before.
    pub fn wait(&self) -> Result<(), EngineError> {
        match &self.memory {
            Memory::Cpu { .. } => Ok(()),
            Memory::Gpu(gpu) => gpu.wait(),
        }
    }

    /// The parts of a batch, as from [`Engine::scatter`](crate::Engine::scatter), as one.
    ///
    /// # Errors
    /// Those of [`download`](Self::download), and [`EngineError::Eval`] for parts of different types.
    pub fn gather(parts: &[Self]) -> Result<Batch<B>, EngineError> {
        let parts: Vec<Batch<B>> = parts.iter().map(Self::download).collect::<Result<_, _>>()?;
        Ok(Batch::concat(&parts.iter().collect::<Vec<_>>()).map_err(EvalError::from)?)
    }

    /// Where it lies: `CPU`, or a GPU with its number and name.
    #[must_use]
    pub fn device_name(&self) -> String {
        self.gpu().map_or_else(|| "CPU".to_owned(), GpuBatch::device_name)
    }

    pub(in crate::engine) const fn gpu(&self) -> Option<&GpuBatch> {
        match &self.memory {
            Memory::Cpu { .. } => None,
            Memory::Gpu(gpu) => Some(gpu),
        }
    }

    /// A copy beside a batch on a GPU.
    pub(super) fn to_gpu(&self, place: &GpuBatch) -> Result<Self, EngineError> {
        let (batch, failed) = self.download_checked()?;
        Ok(Self {
            memory: Memory::Gpu(place.upload_beside(batch.limbs(), self.instances, &failed)?),
            ..*self
        })
    }

    pub(super) fn to_cpu(&self) -> Result<Self, EngineError> {
        let (batch, failed) = self.download_checked()?;
        Ok(Self { memory: Memory::Cpu { batch, failed: failed.into() }, ..*self })
    }
}
