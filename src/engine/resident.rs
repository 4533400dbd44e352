//! Batches that stay where an engine computes.

mod access;
mod run;

use std::sync::Arc;

use limbforge_limb::{Base, Batch, IntType, Layout};

use super::Engine;
use super::error::EngineError;
use super::gpu::GpuBatch;
use super::placement::Integers;

/// N integers of one type where an engine computes: in the memory of one GPU, or in the machine's for an
/// engine that computes on the CPU. Clones share them.
///
/// Evaluations of resident batches are started one after the other and not waited for, so that chains of them
/// never leave the GPU. Instances without a result, as of a division by zero, have none in all that is
/// computed from them either; [`failed`](Self::failed) lists them.
///
/// ```
/// use limbforge::prelude::*;
///
/// let engine = Engine::auto();
/// let a: Batch<u64> = [3_u8, 4].into_iter().map(U256::from).collect();
/// let square = engine.prepare::<u64>(&Expr::parse("a*a")?, a.ty(), &Placement::default())?;
/// let mut power = engine.upload(&a)?;
/// for _ in 0..4 {
///     power = square.run(&[("a", &power)])?; // nothing is copied or waited for
/// }
/// assert_eq!(power.download()?.to_biguints(), [3_u32.pow(16).into(), 4_u64.pow(16).into()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeviceBatch<B> {
    pub(super) ty: IntType,
    pub(super) layout: Layout,
    pub(super) instances: usize,
    pub(super) memory: Memory<B>,
}

#[derive(Clone, Debug)]
pub(super) enum Memory<B> {
    /// Failed instances are in order and have the value 0.
    Cpu {
        batch: Batch<B>,
        failed: Arc<[usize]>,
    },
    Gpu(GpuBatch),
}

impl Engine {
    /// Copies a batch to where this engine computes: to its first GPU, or nowhere if that is the CPU.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let a: Batch<u64> = [3_u8, 4].into_iter().map(U256::from).collect();
    /// let resident = Engine::auto().upload(&a)?;
    /// assert_eq!((resident.instances(), resident.download()?), (2, a));
    /// # Ok::<(), EngineError>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the GPU has too little memory, or fails.
    pub fn upload<B: Base>(&self, batch: &Batch<B>) -> Result<DeviceBatch<B>, EngineError> {
        self.upload_to(0, batch)
    }

    /// Copies the parts of a batch to all GPUs, as many neighbouring instances to each; a single part of an
    /// engine with one GPU, or the CPU. [`DeviceBatch::gather`] takes them back.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let engine = Engine::auto();
    /// let a: Batch<u64> = (0..1000_u32).map(U256::from).collect();
    /// let next = engine.prepare::<u64>(&Expr::parse("a + 1")?, a.ty(), &Placement::default())?;
    /// let parts = engine.scatter(&a)?;
    /// let parts: Vec<_> = parts.iter().map(|part| next.run(&[("a", part)])).collect::<Result<_, _>>()?;
    /// assert_eq!(DeviceBatch::gather(&parts)?.to_biguints()[999], 1000_u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`upload`](Self::upload).
    pub fn scatter<B: Base>(&self, batch: &Batch<B>) -> Result<Vec<DeviceBatch<B>>, EngineError> {
        let parts = self.backend.gpu().map_or(1, |gpus| gpus.present().len());
        let at = |part: usize| batch.instances() / parts * part + (batch.instances() % parts).min(part);
        (0..parts).map(|part| self.upload_to(part, &batch.slice(at(part)..at(part + 1)))).collect()
    }

    pub(super) fn upload_to<B: Base>(
        &self,
        place: usize,
        batch: &Batch<B>,
    ) -> Result<DeviceBatch<B>, EngineError> {
        let memory = match self.backend.gpu() {
            None => Memory::Cpu { batch: batch.clone(), failed: Arc::default() },
            Some(gpus) => Memory::Gpu(GpuBatch::upload(gpus, place, batch.limbs())?),
        };
        Ok(DeviceBatch { ty: batch.ty(), layout: batch.layout(), instances: batch.instances(), memory })
    }
}

impl<B: Base> Integers for DeviceBatch<B> {
    fn ty(&self) -> IntType {
        self.ty
    }

    fn layout(&self) -> Layout {
        self.layout
    }

    fn instances(&self) -> usize {
        self.instances
    }
}
