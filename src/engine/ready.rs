//! An expression that is ready to be evaluated on its device.

use core::fmt;
use std::sync::Arc;

use limbforge_algos::cpu::{Checked, EvalError, Evaluator, Failure};
use limbforge_limb::{Base, Batch, Layout};

use super::backend::Backend;
use super::error::EngineError;
use super::gpu::{Gpus, Loaded};
use super::pinned;
use super::placement::{Integers, Placed};

/// An expression, where its operands lie, and its kernels on a GPU.
#[derive(Debug)]
pub(super) struct Ready<B> {
    pub(super) evaluator: Evaluator<B>,
    placed: Placed,
    pub(super) backend: Backend<Loaded>,
}

impl<B: Base> Ready<B> {
    /// Loads the kernels if there is a GPU. The CPU computes what a GPU refuses if the engine may choose.
    pub(super) fn new(
        backend: &Backend<Arc<Gpus>>,
        evaluator: Evaluator<B>,
        placed: Placed,
    ) -> Result<Self, EngineError> {
        let backend = backend.load(|gpu| Loaded::new(gpu, &evaluator, &placed))?;
        Ok(Self { evaluator, placed, backend })
    }

    /// The batches in the order of the operands, and their number of instances; `result` if none sets it.
    pub(super) fn bind<'b, T: Integers>(
        &self,
        inputs: &[(&str, &'b T)],
        result: Option<usize>,
    ) -> Result<(Vec<&'b T>, usize), EngineError> {
        self.placed.bind(self.evaluator.dag(), self.evaluator.ty(), inputs, result)
    }

    /// The results of operands that fit, in the layout of the placement, and the instances that failed.
    pub(super) fn eval(&self, operands: &[&Batch<B>], instances: usize) -> Result<Checked<B>, EngineError> {
        let (ty, layout) = (self.evaluator.result_type(), self.placed.result);
        let mut values = pinned::for_results(self.backend.gpu(), operands, ty, layout, instances)?;
        let failures = self.run(operands, &mut values)?;
        Ok(Checked { values, failures })
    }

    /// The same into a batch of this many instances, in its own layout.
    pub(super) fn eval_into(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        result: &mut Batch<B>,
    ) -> Result<(), EngineError> {
        let failures = self.eval_into_checked(operands, instances, result)?;
        let count = failures.len();
        failures.into_iter().next().map_or(Ok(()), |first| Err(EvalError::Failed { first, count }.into()))
    }

    /// The same; the instances that failed are returned, and have results 0.
    pub(super) fn eval_into_checked(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        result: &mut Batch<B>,
    ) -> Result<Vec<Failure>, EngineError> {
        let (expected, found, found_instances) =
            (self.evaluator.result_type(), result.ty(), result.instances());
        if (found, found_instances) != (expected, instances) {
            return Err(EvalError::ResultMismatch { expected, instances, found, found_instances }.into());
        }
        self.run(operands, result)
    }

    /// Writes results, 0 for the instances that failed, and returns these.
    fn run(&self, operands: &[&Batch<B>], result: &mut Batch<B>) -> Result<Vec<Failure>, EngineError> {
        let on_cpu = |result: &mut Batch<B>| Ok(self.evaluator.run(operands, result.instances(), result)?);
        if result.instances() == 0 {
            return on_cpu(result);
        }
        self.backend.run(result, |loaded, result| self.run_loaded(loaded, operands, result), on_cpu)
    }

    pub(super) const fn result_layout(&self) -> Layout {
        self.placed.result
    }

    /// Why the CPU computes, or why a GPU has left.
    pub(super) fn fallback(&self) -> Option<Arc<EngineError>> {
        self.backend.fallback().or_else(|| self.backend.gpu()?.gpus().left())
    }

    fn run_loaded(
        &self,
        loaded: &Loaded,
        operands: &[&Batch<B>],
        result: &mut Batch<B>,
    ) -> Result<Vec<Failure>, EngineError> {
        let layout = result.layout();
        if layout == self.placed.result {
            return loaded.run(&self.evaluator, operands, result);
        }
        let values = Batch::zeros(result.ty(), self.placed.result, result.instances());
        let mut values = values.map_err(EvalError::from)?;
        let failures = loaded.run(&self.evaluator, operands, &mut values)?;
        *result = values.into_layout(layout);
        Ok(failures)
    }
}

/// The kernels, or the operations in the order in which the CPU computes them.
impl<B: Base> fmt::Display for Ready<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(loaded) = self.backend.gpu() {
            return loaded.fmt(f);
        }
        let why = self.backend.fallback().map(|why| format!(" ({why})")).unwrap_or_default();
        let (steps, ty) = (&self.evaluator.schedule().steps, self.evaluator.ty());
        writeln!(f, "CPU{why}: {} operations on {ty} in limbs {}", steps.len(), B::NAME)?;
        for (number, step) in (1..).zip(steps) {
            let node = step.node.index();
            writeln!(f, "  {number}. %{node} = {}", self.evaluator.dag().nodes()[node])?;
        }
        Ok(())
    }
}
