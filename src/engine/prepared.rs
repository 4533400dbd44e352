//! Prepared expressions.

use core::fmt;
use std::sync::Arc;

use limbforge_algos::cpu::{Checked, Failure};
use limbforge_limb::{Base, Batch, IntType};

use super::error::EngineError;
use super::ready::Ready;

/// An expression that was typed, planned, compiled and loaded once, by
/// [`Engine::prepare`](crate::Engine::prepare): evaluations reuse all of that. Clones share it,
/// also between threads.
///
/// As text it is its plan: for a GPU the paragraph that `limbforge plan --explain` prints of the chosen
/// kernels.
///
/// ```
/// use limbforge::prelude::*;
///
/// let expr = Expr::parse("a*a + 1")?;
/// let fused = Engine::cpu().prepare::<u64>(&expr, "u128".parse()?, &Placement::default())?;
/// let text = fused.to_string();
/// assert!(text.starts_with("CPU: 2 operations on u128 in limbs u64\n  1. %1 = sqr %0\n"), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prepared<B> {
    pub(super) ready: Arc<Ready<B>>,
}

impl<B: Base> Prepared<B> {
    pub(super) fn new(ready: Ready<B>) -> Self {
        Self { ready: Arc::new(ready) }
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
        self.ready.evaluator.dag().inputs()
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
        self.ready.evaluator.ty()
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
        self.ready.evaluator.result_type()
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
        self.ready.backend.gpu().map_or("CPU", |loaded| loaded.gpus().name())
    }

    /// The reason why this expression is evaluated on the CPU, or was last, although its engine is one of
    /// [`auto`](crate::Engine::auto); None for an engine that was asked for a device.
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
        self.ready.fallback()
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
        let (operands, instances) = self.ready.bind(inputs, None)?;
        self.ready.eval(&operands, instances)
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
    /// As [`eval`](Self::eval), and
    /// [`EvalError::ResultMismatch`](limbforge_algos::cpu::EvalError::ResultMismatch) for a result of another
    /// type.
    pub fn eval_into(&self, inputs: &[(&str, &Batch<B>)], result: &mut Batch<B>) -> Result<(), EngineError> {
        let (operands, instances) = self.ready.bind(inputs, Some(result.instances()))?;
        self.ready.eval_into(&operands, instances, result)
    }

    /// As [`eval_into`](Self::eval_into); returns the instances that failed, in order. Their results are 0.
    ///
    /// ```
    /// # use limbforge::prelude::*;
    /// let inverse = Engine::cpu().prepare::<u64>(&Expr::parse("8 / a")?, "u64".parse()?, &Placement::default())?;
    /// let a = Batch::zeros(inverse.ty(), Layout::InstanceMajor, 2)?;
    /// assert_eq!(inverse.eval_into_checked(&[("a", &a)], &mut a.clone())?.len(), 2); // 8 / 0
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`eval_into`](Self::eval_into), but for instances without a result.
    pub fn eval_into_checked(
        &self,
        inputs: &[(&str, &Batch<B>)],
        result: &mut Batch<B>,
    ) -> Result<Vec<Failure>, EngineError> {
        let (operands, instances) = self.ready.bind(inputs, Some(result.instances()))?;
        self.ready.eval_into_checked(&operands, instances, result)
    }
}

/// The plan.
impl<B: Base> fmt::Display for Prepared<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ready.fmt(f)
    }
}
