//! Evaluations over resident batches.

use std::collections::BTreeSet;

use limbforge_limb::Base;

use super::{DeviceBatch, Memory};
use crate::engine::error::EngineError;
use crate::engine::gpu::GpuBatch;
use crate::engine::prepared::Prepared;

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
    /// [`EngineError::OtherDevice`] for operands that lie apart, [`EngineError::OtherEngine`] for those of an
    /// engine that is no clone of this one's, and [`EngineError::Gpu`].
    pub fn run(&self, inputs: &[(&str, &DeviceBatch<B>)]) -> Result<DeviceBatch<B>, EngineError> {
        let (operands, instances) = self.ready.bind(inputs, None)?;
        let (ty, layout) = (self.result_type(), self.ready.result_layout());
        let on_gpu: Vec<&GpuBatch> = operands.iter().filter_map(|batch| batch.gpu()).collect();
        let names = || self.operands().zip(&operands);
        let apart = |expected: String, found: &DeviceBatch<B>, name: &str| {
            let (operand, found) = (name.to_owned(), found.device_name());
            match found == expected {
                true => EngineError::OtherEngine { operand, found },
                false => EngineError::OtherDevice { operand, expected, found },
            }
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
            let expected = loaded.gpus().named_as(first);
            return Err(apart(expected, operand, name));
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
