//! Prepared expressions.

use core::fmt;
use std::sync::Arc;

use limbforge_algos::cpu::{Checked, EvalError, Evaluator, Failure};
use limbforge_limb::{Base, Batch, IntType};

use super::Backend;
use super::error::EngineError;
use super::fallback::Refused;
use super::gpu::Loaded;
use super::placement::Placed;

/// An expression that was typed, planned, compiled and loaded once, by
/// [`Engine::prepare`](crate::Engine::prepare): evaluating it does nothing of that again. Clones share it,
/// also between threads.
///
/// As text it is its plan: for a GPU the paragraph that `limbforge plan --explain` prints of the chosen
/// kernels.
///
/// ```
/// use limbforge::prelude::*;
///
/// let fused = Engine::cpu().prepare::<u64>(&Expr::parse("a*a + 1")?, "u128".parse()?, &Placement::default())?;
/// assert_eq!(fused.to_string(), "CPU: 2 operations on u128 in limbs u64\n  1. %1 = sqr %0\n  2. %3 = add %1, %2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prepared<B> {
    inner: Arc<Inner<B>>,
}

#[derive(Debug)]
struct Inner<B> {
    evaluator: Evaluator<B>,
    placed: Placed,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// The CPU, and why no GPU if one was looked for.
    Cpu(Option<Arc<EngineError>>),
    Gpu(Loaded),
    /// A GPU, and the CPU for what it cannot do.
    Auto(Loaded, Refused),
}

impl<B: Base> Prepared<B> {
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
        Ok(Self { inner: Arc::new(Inner { evaluator, placed, place }) })
    }

    /// The names of the operands, in the order in which the expression uses them first.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let expr = Expr::parse("b*b - a")?;
    /// let prepared = Engine::cpu().prepare::<u64>(&expr, "i256".parse()?, &Placement::default())?;
    /// assert_eq!(prepared.operands().collect::<Vec<_>>(), ["b", "a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn operands(&self) -> impl Iterator<Item = &str> {
        self.inner.evaluator.dag().inputs()
    }

    /// The type of all operands.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let ty: IntType = "u256".parse()?;
    /// let wide = Engine::cpu().prepare::<u64>(&Expr::parse("mul_wide(a, b)")?, ty, &Placement::default())?;
    /// assert_eq!((wide.ty(), wide.result_type()), (ty, "u512".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ty(&self) -> IntType {
        self.inner.evaluator.ty()
    }

    /// The type of the result: twice the bits for a wide product, else that of the operands.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let expr = Expr::parse("a + 1")?;
    /// let next = Engine::cpu().prepare::<u64>(&expr, "u256".parse()?, &Placement::default())?;
    /// assert_eq!(next.result_type(), next.ty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn result_type(&self) -> IntType {
        self.inner.evaluator.result_type()
    }

    /// The device's name: `CPU`, or as the driver calls the GPU.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let expr = Expr::parse("a + 1")?;
    /// let prepared = Engine::cpu().prepare::<u64>(&expr, "u256".parse()?, &Placement::default())?;
    /// assert_eq!(prepared.device_name(), "CPU");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn device_name(&self) -> &str {
        match &self.inner.place {
            Place::Cpu(_) => "CPU",
            Place::Gpu(loaded) | Place::Auto(loaded, _) => loaded.device_name(),
        }
    }

    /// Why this expression is evaluated on the CPU, or was last, although its engine is one of
    /// [`auto`](crate::Engine::auto); None of one that was asked for a device.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let expr = Expr::parse("a + 1")?;
    /// let prepared = Engine::auto().prepare::<u64>(&expr, "u256".parse()?, &Placement::default())?;
    /// if let Some(why) = prepared.fallback() {
    ///     eprintln!("on the CPU: {why}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fallback(&self) -> Option<Arc<EngineError>> {
        match &self.inner.place {
            Place::Cpu(why) => why.clone(),
            Place::Gpu(_) => None,
            Place::Auto(_, refused) => refused.last(),
        }
    }

    /// The values over the named batches, instance by instance, in the layout that the expression was
    /// prepared for.
    ///
    /// Operands that are one integer for all have one instance, all others have equally many.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let expr = Expr::parse("a * b")?;
    /// let product = Engine::cpu().prepare::<u32>(&expr, "u64".parse()?, &Placement::default())?;
    /// let batch = |values: &[u64]| values.iter().map(|&x| UintM::<u32, 2>::from(x)).collect::<Batch<u32>>();
    /// assert_eq!(product.eval(&[("a", &batch(&[2, 3])), ("b", &batch(&[5, 7]))])?, batch(&[10, 21]));
    /// let error = product.eval(&[("a", &batch(&[2])), ("c", &batch(&[5]))]).unwrap_err();
    /// assert_eq!(error.to_string(), "the expression has no operand `c`; expected one of: a, b");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Eval`] for a missing operand, another type, or an instance without a result;
    /// [`EngineError::Placement`] for another name, layout or number of instances; [`EngineError::Gpu`].
    pub fn eval(&self, inputs: &[(&str, &Batch<B>)]) -> Result<Batch<B>, EngineError> {
        Ok(self.eval_checked(inputs)?.complete()?)
    }

    /// As [`eval`](Self::eval), with the instances that failed beside the results of all others.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let expr = Expr::parse("a / b")?;
    /// let quotient = Engine::cpu().prepare::<u32>(&expr, "u64".parse()?, &Placement::default())?;
    /// let batch = |values: &[u64]| values.iter().map(|&x| UintM::<u32, 2>::from(x)).collect::<Batch<u32>>();
    /// let found = quotient.eval_checked(&[("a", &batch(&[7, 8])), ("b", &batch(&[2, 0]))])?;
    /// assert_eq!((found.values, found.failures[0].instance), (batch(&[3, 0]), 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`eval`](Self::eval), but for instances without a result.
    pub fn eval_checked(&self, inputs: &[(&str, &Batch<B>)]) -> Result<Checked<B>, EngineError> {
        let (operands, instances) = self.bind(inputs, None)?;
        self.eval_operands(&operands, instances)
    }

    /// As [`eval`](Self::eval), into a batch of the result's type, in its own layout. If all operands are one
    /// integer for all, the batch sets the number of instances. After an error for an instance without a
    /// result, the others are there.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let expr = Expr::parse("a * b")?;
    /// let product = Engine::cpu().prepare::<u32>(&expr, "u64".parse()?, &Placement::default())?;
    /// let batch = |values: &[u64]| values.iter().map(|&x| UintM::<u32, 2>::from(x)).collect::<Batch<u32>>();
    /// let mut result = Batch::zeros(product.result_type(), Layout::InstanceMajor, 2)?;
    /// product.eval_into(&[("a", &batch(&[2, 3])), ("b", &batch(&[5, 7]))], &mut result)?;
    /// assert_eq!(result, batch(&[10, 21]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`eval`](Self::eval), and [`EvalError::ResultMismatch`] for a result of another type.
    pub fn eval_into(&self, inputs: &[(&str, &Batch<B>)], result: &mut Batch<B>) -> Result<(), EngineError> {
        let (operands, instances) = self.bind(inputs, Some(result.instances()))?;
        let (expected, found) = (self.result_type(), result.ty());
        if found != expected {
            let found_instances = result.instances();
            return Err(EvalError::ResultMismatch { expected, instances, found, found_instances }.into());
        }
        Ok(complete(self.run(&operands, result)?)?)
    }

    /// The batches in the order of the operands, and their number of instances.
    fn bind<'b>(
        &self,
        inputs: &[(&str, &'b Batch<B>)],
        result: Option<usize>,
    ) -> Result<(Vec<&'b Batch<B>>, usize), EngineError> {
        let Inner { evaluator, placed, .. } = &*self.inner;
        placed.bind(evaluator.dag(), evaluator.ty(), inputs, result)
    }

    /// The results in the layout of the placement. The operands are known to fit.
    pub(super) fn eval_operands(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
    ) -> Result<Checked<B>, EngineError> {
        let layout = self.inner.placed.result;
        let mut values = Batch::zeros(self.result_type(), layout, instances).map_err(EvalError::from)?;
        let failures = self.run(operands, &mut values)?;
        Ok(Checked { values, failures })
    }

    /// The results, 0 for instances that failed, into a batch that fits, and these instances.
    pub(super) fn run(
        &self,
        operands: &[&Batch<B>],
        result: &mut Batch<B>,
    ) -> Result<Vec<Failure>, EngineError> {
        let Inner { evaluator, placed, place } = &*self.inner;
        let on_cpu = |result: &mut Batch<B>| Ok(evaluator.run(operands, result.instances(), result)?);
        let loaded = match place {
            Place::Gpu(loaded) | Place::Auto(loaded, _) if result.instances() > 0 => loaded,
            _ => return on_cpu(result),
        };
        let found = if result.layout() == placed.result {
            loaded.run(evaluator, operands, result)
        } else {
            let mut values =
                Batch::zeros(result.ty(), placed.result, result.instances()).map_err(EvalError::from)?;
            let failures = loaded.run(evaluator, operands, &mut values);
            *result = values.into_layout(result.layout());
            failures
        };
        match place {
            Place::Auto(_, refused) => refused.or_cpu(found, || on_cpu(result)),
            _ => found,
        }
    }
}

/// An error if an instance failed.
pub(super) fn complete(failures: Vec<Failure>) -> Result<(), EvalError> {
    let count = failures.len();
    failures.into_iter().next().map_or(Ok(()), |first| Err(EvalError::Failed { first, count }))
}

impl<B: Base> fmt::Display for Prepared<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { evaluator, place, .. } = &*self.inner;
        let why = match place {
            Place::Gpu(loaded) | Place::Auto(loaded, _) => return loaded.fmt(f),
            Place::Cpu(why) => why,
        };
        let (steps, ty) = (evaluator.schedule().steps(), evaluator.ty());
        let why = why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
        writeln!(f, "CPU{why}: {} operations on {ty} in limbs {}", steps.len(), B::NAME)?;
        for (number, step) in (1..).zip(steps) {
            let node = &evaluator.dag().nodes()[step.node.index()];
            writeln!(f, "  {number}. %{} = {node}", step.node.index())?;
        }
        Ok(())
    }
}
