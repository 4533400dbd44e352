//! Batches that stay where an engine computes.

use std::collections::BTreeSet;
use std::sync::Arc;

use limbforge_algos::cpu::EvalError;
use limbforge_limb::{Base, Batch, IntType, Layout};

use super::Engine;
use super::error::EngineError;
use super::gpu::GpuBatch;
use super::placement::Integers;
use super::prepared::Prepared;

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

impl<B: Base> Prepared<B> {
    /// Evaluates over resident batches, as [`eval`](Self::eval) over others, and returns where they lie. On a
    /// GPU the kernels are started behind everything that was started before, and not waited for: a failure
    /// of the GPU is returned by a later call.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let engine = Engine::auto();
    /// let batch = |values: [u8; 3]| values.into_iter().map(U256::from).collect::<Batch<u64>>();
    /// let (a, b) = (engine.upload(&batch([7, 8, 9]))?, engine.upload(&batch([2, 0, 3]))?);
    /// let quotient = engine.prepare::<u64>(&Expr::parse("a / b")?, a.ty(), &Placement::default())?;
    /// let found = quotient.run(&[("a", &a), ("b", &b)])?;
    /// assert_eq!(found.failed()?, [1]);
    /// assert_eq!(found.download_checked()?.0, batch([3, 0, 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Eval`] and [`EngineError::Placement`] as from [`eval`](Self::eval),
    /// [`EngineError::OtherDevice`] for operands that lie apart, and [`EngineError::Gpu`].
    pub fn run(&self, inputs: &[(&str, &DeviceBatch<B>)]) -> Result<DeviceBatch<B>, EngineError> {
        let (operands, instances) = self.ready.bind(inputs, None)?;
        let (ty, layout) = (self.result_type(), self.ready.result_layout());
        let on_gpu: Vec<&GpuBatch> = operands.iter().filter_map(|batch| batch.gpu()).collect();
        let names = || self.operands().zip(&operands);
        let apart = |expected: String, found: &DeviceBatch<B>, name: &str| EngineError::OtherDevice {
            operand: name.to_owned(),
            expected,
            found: found.device_name(),
        };
        let Some(first) = on_gpu.first() else { return self.run_on_cpu(&operands, instances) };
        for (name, operand) in names() {
            if !operand.gpu().is_some_and(|gpu| gpu.is_beside(first)) {
                return Err(apart(first.device_name(), operand, name));
            }
        }
        let refused = self.ready.backend.fallback().is_some();
        let Some(loaded) = self.ready.backend.gpu() else {
            if !refused {
                let (name, operand) = names().next().unwrap_or(("", &operands[0]));
                return Err(apart("CPU".to_owned(), operand, name));
            }
            // What an engine's GPU has refused the CPU computes.
            let here: Vec<DeviceBatch<B>> =
                operands.iter().map(|batch| batch.to_cpu()).collect::<Result<_, _>>()?;
            let found = self.run_on_cpu(&here.iter().collect::<Vec<_>>(), instances)?;
            return found.to_gpu(first);
        };
        if !loaded.gpus().is_same(first.gpus()) {
            let (name, operand) = names().next().unwrap_or(("", &operands[0]));
            return Err(apart(self.device_name().to_owned(), operand, name));
        }
        let memory = Memory::Gpu(loaded.run_resident(&on_gpu, instances)?);
        Ok(DeviceBatch { ty, layout, instances, memory })
    }

    fn run_on_cpu(
        &self,
        operands: &[&DeviceBatch<B>],
        instances: usize,
    ) -> Result<DeviceBatch<B>, EngineError> {
        let mut failed = BTreeSet::new();
        let mut batches = vec![];
        for (operand, name) in operands.iter().zip(self.operands()) {
            let Memory::Cpu { batch, failed: earlier } = &operand.memory else { continue };
            if operand.instances != instances && !earlier.is_empty() {
                return Err(EngineError::FailedOperand { operand: name.to_owned() });
            }
            failed.extend(earlier.iter().copied());
            batches.push(batch);
        }
        let mut found = self.ready.evaluator.eval(&batches, instances, self.ready.result_layout())?;
        failed.extend(found.failures.iter().map(|failure| failure.instance));
        let zero = vec![B::ZERO; found.values.limbs_per_instance()];
        failed.iter().for_each(|&instance| found.values.set_instance(instance, &zero));
        let (ty, layout) = (found.values.ty(), found.values.layout());
        let memory = Memory::Cpu { batch: found.values, failed: failed.into_iter().collect() };
        Ok(DeviceBatch { ty, layout, instances, memory })
    }
}

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
    /// let a: Batch<u32> = [3_u8, 4].into_iter().map(U256::from).collect();
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
        let failed = self.failed()?;
        let gpu = match &self.memory {
            Memory::Cpu { batch, .. } => return Ok((batch.clone(), failed)),
            Memory::Gpu(gpu) => gpu,
        };
        let mut batch = Batch::zeros(self.ty, self.layout, self.instances).map_err(EvalError::from)?;
        gpu.download(batch.limbs_mut())?;
        let zero = vec![B::ZERO; batch.limbs_per_instance()];
        failed.iter().for_each(|&instance| batch.set_instance(instance, &zero));
        Ok((batch, failed))
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

    /// The parts of a batch, as from [`Engine::scatter`], as one.
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

    const fn gpu(&self) -> Option<&GpuBatch> {
        match &self.memory {
            Memory::Cpu { .. } => None,
            Memory::Gpu(gpu) => Some(gpu),
        }
    }

    /// A copy beside a batch on a GPU.
    fn to_gpu(&self, place: &GpuBatch) -> Result<Self, EngineError> {
        let (batch, failed) = self.download_checked()?;
        Ok(Self {
            memory: Memory::Gpu(place.upload_beside(batch.limbs(), self.instances, &failed)?),
            ..*self
        })
    }

    fn to_cpu(&self) -> Result<Self, EngineError> {
        let (batch, failed) = self.download_checked()?;
        Ok(Self { memory: Memory::Cpu { batch, failed: failed.into() }, ..*self })
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
