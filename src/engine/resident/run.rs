//! Evaluations over resident batches.

use std::collections::BTreeSet;

use limbforge_algos::cpu::Checked;
use limbforge_algos::expr::Part;
use limbforge_limb::{Base, IntType};

use super::{DeviceBatch, Memory};
use crate::engine::error::EngineError;
use crate::engine::gpu::GpuBatch;
use crate::engine::prepared::Prepared;
use crate::engine::ready::Ready;

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
        let first = self.ready.run_resident(&operands, instances)?.into_iter().next();
        first.ok_or_else(|| EngineError::Internal { what: "an expression has no result".to_owned() })
    }
}

impl<B: Base> Ready<B> {
    /// Evaluates all expressions over operands that fit; where their results lie.
    pub(in crate::engine) fn run_resident(
        &self,
        operands: &[&DeviceBatch<B>],
        instances: usize,
    ) -> Result<Vec<DeviceBatch<B>>, EngineError> {
        let on_gpu: Vec<&GpuBatch> = operands.iter().filter_map(|batch| batch.gpu()).collect();
        let names = || self.evaluator.dag().inputs().zip(operands);
        let apart = |expected: String, found: &DeviceBatch<B>, name: &str| {
            let (operand, found) = (name.to_owned(), found.device_name());
            match found == expected {
                true => EngineError::OtherEngine { operand, found },
                false => EngineError::OtherDevice { operand, expected, found },
            }
        };
        let Some(first) = on_gpu.first() else { return self.run_on_cpu(operands, instances) };
        for (name, operand) in names() {
            if !operand.gpu().is_some_and(|gpu| gpu.is_beside(first)) {
                return Err(apart(first.device_name(), operand, name));
            }
        }
        let refused = self.backend.fallback().is_some();
        let Some(loaded) = self.backend.gpu() else {
            if !refused {
                let (name, operand) = names().next().unwrap_or(("", &operands[0]));
                return Err(apart("CPU".to_owned(), operand, name));
            }
            // What an engine's GPU has refused the CPU computes.
            let here: Vec<DeviceBatch<B>> =
                operands.iter().map(|batch| batch.to_cpu()).collect::<Result<_, _>>()?;
            let found = self.run_on_cpu(&here.iter().collect::<Vec<_>>(), instances)?;
            return found.iter().map(|found| found.to_gpu(first)).collect();
        };
        if !loaded.gpus().is_same(first.gpus()) {
            let (name, operand) = names().next().unwrap_or(("", &operands[0]));
            let expected = loaded.gpus().named_as(first);
            return Err(apart(expected, operand, name));
        }
        let (of_roots, layout) = (loaded.run_resident(&on_gpu, instances)?, self.result_layout());
        let batch = |(part, ty): (&Part, IntType)| {
            let memory = Memory::Gpu(of_roots[part.root()].clone());
            DeviceBatch { ty, layout, instances, memory }
        };
        Ok(self.evaluator.parts().iter().zip(self.evaluator.result_types()).map(batch).collect())
    }

    fn run_on_cpu(
        &self,
        operands: &[&DeviceBatch<B>],
        instances: usize,
    ) -> Result<Vec<DeviceBatch<B>>, EngineError> {
        let mut earlier = BTreeSet::new();
        let mut batches = vec![];
        for (operand, name) in operands.iter().zip(self.evaluator.dag().inputs()) {
            let Memory::Cpu { batch, failed } = &operand.memory else { continue };
            if operand.instances != instances && !failed.is_empty() {
                return Err(EngineError::FailedOperand { operand: name.to_owned() });
            }
            earlier.extend(failed.iter().copied());
            batches.push(batch);
        }
        let batch = |mut found: Checked<B>| {
            let mut failed = earlier.clone();
            failed.extend(found.failures.iter().map(|failure| failure.instance));
            let zero = vec![B::ZERO; found.values.limbs_per_instance()];
            failed.iter().for_each(|&instance| found.values.set_instance(instance, &zero));
            let (ty, layout) = (found.values.ty(), found.values.layout());
            let memory = Memory::Cpu { batch: found.values, failed: failed.into_iter().collect() };
            DeviceBatch { ty, layout, instances, memory }
        };
        let found = self.evaluator.eval_all(&batches, instances, self.result_layout())?;
        Ok(found.into_iter().map(batch).collect())
    }
}
