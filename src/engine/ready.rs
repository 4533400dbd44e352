//! An expression that is ready to be evaluated on its device.

use core::fmt;
use std::sync::Arc;

use limbforge_algos::cpu::{Checked, EvalError, Evaluator, Failure, Output};
use limbforge_limb::{Base, Batch, Layout};

use super::backend::Backend;
use super::error::EngineError;
use super::gpu::{Gpus, Loaded};
use super::pinned;
use super::placement::{Integers, Placed};

/// An expression, or several, where their operands lie, and their kernels on a GPU.
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

    /// The results of operands that fit, in the layout of the placement, and the instances that failed: of an
    /// expression for each.
    pub(super) fn eval_all(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
    ) -> Result<Vec<Checked<B>>, EngineError> {
        let (layout, loaded) = (self.placed.result, self.backend.gpu());
        let batch = |ty| pinned::for_results(loaded, operands, ty, layout, instances);
        let mut values = self.evaluator.result_types().map(batch).collect::<Result<Vec<_>, _>>()?;
        let failures = self.run(operands, &mut values.iter_mut().collect::<Vec<_>>())?;
        let checked = |(values, failures)| Checked { values, failures };
        Ok(values.into_iter().zip(failures).map(checked).collect())
    }

    /// The same of the only expression.
    pub(super) fn eval(&self, operands: &[&Batch<B>], instances: usize) -> Result<Checked<B>, EngineError> {
        let first = self.eval_all(operands, instances)?.into_iter().next();
        first.ok_or_else(|| EngineError::Internal { what: "an expression has no result".to_owned() })
    }

    /// The same into batches of this many instances, each in its own layout; returns the instances that
    /// failed. Their results are 0.
    pub(super) fn eval_all_into(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        results: &mut [&mut Batch<B>],
    ) -> Result<Vec<Vec<Failure>>, EngineError> {
        self.evaluator.check_results(instances, results)?;
        self.run(operands, results)
    }

    /// The same of the only expression.
    pub(super) fn eval_into(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        result: &mut Batch<B>,
    ) -> Result<(), EngineError> {
        none_failed(self.eval_all_into(operands, instances, &mut [result])?)
    }

    /// The same; the instances that failed are returned, and have results 0.
    pub(super) fn eval_into_checked(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        result: &mut Batch<B>,
    ) -> Result<Vec<Failure>, EngineError> {
        Ok(self.eval_all_into(operands, instances, &mut [result])?.into_iter().next().unwrap_or_default())
    }

    /// Writes results, 0 for the instances that failed, and returns these.
    fn run(
        &self,
        operands: &[&Batch<B>],
        results: &mut [&mut Batch<B>],
    ) -> Result<Vec<Vec<Failure>>, EngineError> {
        let instances = results.first().map_or(0, |result| result.instances());
        let on_cpu =
            |results: &mut [&mut Batch<B>]| Ok(self.evaluator.run_all(operands, instances, results)?);
        if instances == 0 {
            return on_cpu(results);
        }
        self.backend.run(results, |loaded, results| self.run_loaded(loaded, operands, results), on_cpu)
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
        results: &mut [&mut Batch<B>],
    ) -> Result<Vec<Vec<Failure>>, EngineError> {
        let layout = self.placed.result;
        let other = |result: &&mut Batch<B>| -> Result<Option<Batch<B>>, EngineError> {
            if result.layout() == layout {
                return Ok(None);
            }
            Ok(Some(Batch::zeros(result.ty(), layout, result.instances()).map_err(EvalError::from)?))
        };
        let mut others = results.iter().map(other).collect::<Result<Vec<_>, _>>()?;
        let pairs = results.iter_mut().zip(&mut others);
        let mut written: Vec<&mut Batch<B>> =
            pairs.map(|(result, other)| other.as_mut().unwrap_or(result)).collect();
        let failures = loaded.run(&self.evaluator, operands, &mut written)?;
        for (result, other) in results.iter_mut().zip(others) {
            if let Some(other) = other {
                let layout = result.layout();
                **result = other.into_layout(layout);
            }
        }
        Ok(failures)
    }
}

/// An error for the first failure of the first expression that has some.
pub(super) fn none_failed(failures: Vec<Vec<Failure>>) -> Result<(), EngineError> {
    let count = failures.iter().map(Vec::len).sum();
    let first = failures.into_iter().flatten().next();
    first.map_or(Ok(()), |first| Err(EvalError::Failed { first, count }.into()))
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
            let outputs = [Some(&step.output), step.remainder.as_ref()].into_iter().flatten();
            let assign = |output: &Output| {
                let node = output.node.index();
                format!("%{node} = {}", self.evaluator.dag().nodes()[node])
            };
            writeln!(f, "  {number}. {}", outputs.map(assign).collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }
}
