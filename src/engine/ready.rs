//! An expression that is ready to be evaluated on its device.

use core::fmt;
use std::sync::Arc;

use limbforge_algos::cpu::{Checked, EvalError, Evaluator, Failure};
use limbforge_limb::{Base, Batch};

use super::Backend;
use super::error::EngineError;
use super::fallback::Refused;
use super::gpu::Loaded;
use super::placement::Placed;

/// An expression, where its operands lie, and where it is evaluated.
#[derive(Debug)]
pub(super) struct Ready<B> {
    pub(super) evaluator: Evaluator<B>,
    pub(super) placed: Placed,
    pub(super) place: Place,
}

#[derive(Debug)]
pub(super) enum Place {
    /// The CPU, and why no GPU if one was looked for.
    Cpu(Option<Arc<EngineError>>),
    Gpu(Loaded),
    /// A GPU, and the CPU for what it cannot do.
    Auto(Loaded, Refused),
}

impl<B: Base> Ready<B> {
    /// Loads the kernels if there is a GPU. What a GPU refuses goes to the CPU if the engine may choose.
    pub(super) fn new(
        backend: &Backend,
        evaluator: Evaluator<B>,
        placed: Placed,
    ) -> Result<Self, EngineError> {
        let place = match backend {
            Backend::Cpu(why) => Place::Cpu(why.clone()),
            Backend::Gpu(gpu) => Place::Gpu(Loaded::new(gpu, &evaluator, &placed)?),
            Backend::Auto(gpu, refused) => match Loaded::new(gpu, &evaluator, &placed) {
                Ok(loaded) => Place::Auto(loaded, refused.of_prepared()),
                Err(error) if error.is_of_device() => {
                    let why = Arc::new(error);
                    refused.note(&why);
                    Place::Cpu(Some(why))
                }
                Err(error) => return Err(error),
            },
        };
        Ok(Self { evaluator, placed, place })
    }

    /// The batches in the order of the operands, and their number of instances; `result` if none sets it.
    pub(super) fn bind<'b>(
        &self,
        inputs: &[(&str, &'b Batch<B>)],
        result: Option<usize>,
    ) -> Result<(Vec<&'b Batch<B>>, usize), EngineError> {
        self.placed.bind(self.evaluator.dag(), self.evaluator.ty(), inputs, result)
    }

    /// The results of operands that fit, in the layout of the placement, and the instances that failed.
    pub(super) fn eval(&self, operands: &[&Batch<B>], instances: usize) -> Result<Checked<B>, EngineError> {
        let (ty, layout) = (self.evaluator.result_type(), self.placed.result);
        let mut values = Batch::zeros(ty, layout, instances).map_err(EvalError::from)?;
        let failures = self.run(operands, &mut values)?;
        Ok(Checked { values, failures })
    }

    /// The same into a batch that fits, in its own layout, with 0 for the instances that failed.
    pub(super) fn run(
        &self,
        operands: &[&Batch<B>],
        result: &mut Batch<B>,
    ) -> Result<Vec<Failure>, EngineError> {
        let on_cpu = |result: &mut Batch<B>| Ok(self.evaluator.run(operands, result.instances(), result)?);
        match &self.place {
            Place::Cpu(_) => on_cpu(result),
            _ if result.instances() == 0 => on_cpu(result),
            Place::Gpu(loaded) => self.run_loaded(loaded, operands, result),
            Place::Auto(loaded, refused) => {
                refused.or_cpu(self.run_loaded(loaded, operands, result), || on_cpu(result))
            }
        }
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

/// An error if an instance failed.
pub(super) fn complete(failures: Vec<Failure>) -> Result<(), EvalError> {
    let count = failures.len();
    failures.into_iter().next().map_or(Ok(()), |first| Err(EvalError::Failed { first, count }))
}

/// The kernels, or the operations in the order in which the CPU computes them.
impl<B: Base> fmt::Display for Ready<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match &self.place {
            Place::Gpu(loaded) | Place::Auto(loaded, _) => return loaded.fmt(f),
            Place::Cpu(why) => why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default(),
        };
        let (steps, ty) = (&self.evaluator.schedule().steps, self.evaluator.ty());
        writeln!(f, "CPU{why}: {} operations on {ty} in limbs {}", steps.len(), B::NAME)?;
        for (number, step) in (1..).zip(steps) {
            let node = step.node.index();
            writeln!(f, "  {number}. %{node} = {}", self.evaluator.dag().nodes()[node])?;
        }
        Ok(())
    }
}
