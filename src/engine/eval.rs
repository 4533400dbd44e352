//! Expressions: prepared once, or evaluated at once.

use limbforge_algos::cpu::{Checked, Evaluator, Shape, bind};
use limbforge_algos::expr::Expr;
use limbforge_limb::{Base, Batch, IntType};

use super::backend::Backend;
use super::placement::{Placed, Placement};
use super::prepared::Prepared;
use super::ready::Ready;
use super::several::{PreparedAll, complete};
use super::{Engine, EngineError};

/// The batches of an expression's operands, in its order.
type Operands<'b, B> = Vec<&'b Batch<B>>;

impl Engine {
    /// Types, plans, compiles and loads `expr` over integers of type `ty` in limbs B, so that evaluating it
    /// again and again costs the evaluation alone. `placement` says where operands and result lie, and which
    /// operands are one integer for all instances.
    ///
    /// Equal expressions of one engine and its clones share their kernels on the GPU.
    ///
    /// ```
    /// use limbforge::prelude::*;
    ///
    /// let ty: IntType = "u1024".parse()?;
    /// let placement = Placement::default().with_broadcast("m");
    /// let power = Engine::auto().prepare::<u64>(&Expr::parse("powmod(a, e, m)")?, ty, &placement)?;
    /// let batch = |values: &[u32]| {
    ///     let values: Vec<_> = values.iter().map(|&value| value.into()).collect();
    ///     Batch::from_biguints(ty, Layout::InstanceMajor, &values)
    /// };
    /// let (e, m) = (batch(&[96, 96])?, batch(&[97])?);
    /// for a in [batch(&[2, 3])?, batch(&[5, 7])?] {
    ///     let powers = power.eval(&[("a", &a), ("e", &e), ("m", &m)])?;
    ///     assert_eq!(powers.to_biguints(), [1_u32.into(), 1_u32.into()]); // Fermat
    /// }
    /// println!("{power}"); // the kernels, and the time they should take
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Eval`] for a constant that does not fit the type or a wide product where none may
    /// stand, [`EngineError::Placement`] for a name that the expression does not use; of [`Engine::gpu`]
    /// alone, [`EngineError::Spec`] if there is no kernel and [`EngineError::Gpu`] if it does not load. An
    /// engine of [`auto`](Engine::auto) then prepares for the CPU: [`Prepared::fallback`] says why.
    pub fn prepare<B: Base>(
        &self,
        expr: &Expr,
        ty: IntType,
        placement: &Placement,
    ) -> Result<Prepared<B>, EngineError> {
        let evaluator = Evaluator::new(&expr.to_dag(), ty)?;
        let placed = placement.resolve(evaluator.dag())?;
        Ok(Prepared::new(Ready::new(&self.backend, evaluator, placed)?))
    }

    /// The values of `expr` over the named batches, instance by instance, exact modulo `2^bits` of their
    /// type.
    ///
    /// The expression is [prepared](Engine::prepare) for the batches as they lie, with kernels of an earlier
    /// call where there are some. All batches have one type; all have N instances, or 1, which is broadcast.
    /// The result has the layout of the first batch and its type, or for a wide product that of twice the
    /// bits.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let a: Batch<u64> = [3_u8, 4].into_iter().map(U256::from).collect();
    /// let five: Batch<u64> = [U256::from(5_u8)].into_iter().collect();
    /// let sums = Engine::auto().eval(&Expr::parse("a*a + b")?, &[("a", &a), ("b", &five)])?;
    /// assert_eq!(sums.to_biguints(), [14_u32.into(), 21_u32.into()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError`] if the expression and the batches do not go together, the device fails, or an instance
    /// has no result, as in a division by zero: [`eval_checked`](Engine::eval_checked) then has the others.
    pub fn eval<B: Base>(&self, expr: &Expr, inputs: &[(&str, &Batch<B>)]) -> Result<Batch<B>, EngineError> {
        Ok(self.eval_checked(expr, inputs)?.complete()?)
    }

    /// As [`eval`](Engine::eval), with the instances that failed beside the results of all others.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let ty = IntType::unsigned(128)?;
    /// let a = Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, &[7u32.into(), 8u32.into()])?;
    /// let b = Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, &[2u32.into(), 0u32.into()])?;
    /// let quotients = Engine::auto().eval_checked(&Expr::parse("a / b")?, &[("a", &a), ("b", &b)])?;
    /// assert_eq!(quotients.values.to_biguints()[0], 3u32.into());
    /// assert_eq!(quotients.failures[0].to_string(), "instance 1: division by zero: `b` is 0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError`] if the expression and the batches do not go together or the device fails.
    pub fn eval_checked<B: Base>(
        &self,
        expr: &Expr,
        inputs: &[(&str, &Batch<B>)],
    ) -> Result<Checked<B>, EngineError> {
        let (ready, operands, instances) = self.ready(expr, inputs)?;
        ready.eval(&operands, instances)
    }

    /// As [`eval`](Engine::eval), into a batch of the result's type and the inputs' number of instances, in
    /// its own layout. On the CPU this spares the allocation when one result after the other is computed.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let a: Batch<u64> = [3_u8, 4].into_iter().map(U256::from).collect();
    /// let mut squares = Batch::zeros(a.ty(), a.layout(), a.instances())?;
    /// Engine::auto().eval_into(&Expr::input("a").sqr(), &[("a", &a)], &mut squares)?;
    /// assert_eq!(squares.to_biguints(), [9_u32.into(), 16_u32.into()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`eval`](Engine::eval), and if `result` does not fit the inputs.
    pub fn eval_into<B: Base>(
        &self,
        expr: &Expr,
        inputs: &[(&str, &Batch<B>)],
        result: &mut Batch<B>,
    ) -> Result<(), EngineError> {
        let (ready, operands, instances) = self.ready(expr, inputs)?;
        ready.eval_into(&operands, instances, result)
    }

    /// Types, plans, compiles and loads several expressions over the same operands, as
    /// [`prepare`](Engine::prepare) one: evaluations then read the operands once and compute what the
    /// expressions share once. Expressions that share work, as `a / b` and `a % b` share a division, are one
    /// kernel.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let exprs = [Expr::parse("a / b")?, Expr::parse("a % b")?];
    /// let division = Engine::auto().prepare_all::<u64>(&exprs, "u256".parse()?, &Placement::default())?;
    /// let batch = |values: [u8; 2]| values.into_iter().map(U256::from).collect::<Batch<u64>>();
    /// let found = division.eval(&[("a", &batch([17, 23])), ("b", &batch([5, 7]))])?;
    /// assert_eq!(found, [batch([3, 3]), batch([2, 2])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`prepare`](Engine::prepare), for any of the expressions; [`EngineError::Placement`] for a
    /// name that none of them uses.
    pub fn prepare_all<B: Base>(
        &self,
        exprs: &[Expr],
        ty: IntType,
        placement: &Placement,
    ) -> Result<PreparedAll<B>, EngineError> {
        PreparedAll::new(&self.backend, exprs, ty, |dag| Ok(placement.resolve(dag)?))
    }

    /// The values of several expressions over the named batches in one pass, a batch for each. What they
    /// share is computed once.
    ///
    /// Batches are as in [`eval`](Engine::eval), and so are the layout and the type of each result.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let batch = |values: [u8; 2]| values.into_iter().map(U256::from).collect::<Batch<u64>>();
    /// let exprs = [Expr::parse("a / b")?, Expr::parse("a % b")?];
    /// let found = Engine::auto().eval_all(&exprs, &[("a", &batch([17, 23])), ("b", &batch([5, 7]))])?;
    /// assert_eq!(found, [batch([3, 3]), batch([2, 2])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`eval`](Engine::eval), where an instance lacks any of the results:
    /// [`eval_all_checked`](Engine::eval_all_checked) then has the others.
    pub fn eval_all<B: Base>(
        &self,
        exprs: &[Expr],
        inputs: &[(&str, &Batch<B>)],
    ) -> Result<Vec<Batch<B>>, EngineError> {
        complete(self.eval_all_checked(exprs, inputs)?)
    }

    /// As [`eval_all`](Engine::eval_all), with the instances that failed in each expression beside its results
    /// of all others: those of [`eval_checked`](Engine::eval_checked) of each expression.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let batch = |values: [u8; 2]| values.into_iter().map(U256::from).collect::<Batch<u64>>();
    /// let exprs = [Expr::parse("a / b")?, Expr::parse("a + b")?];
    /// let found = Engine::auto().eval_all_checked(&exprs, &[("a", &batch([7, 8])), ("b", &batch([2, 0]))])?;
    /// assert_eq!(found[0].failures[0].to_string(), "instance 1: division by zero: `b` is 0");
    /// assert_eq!((&found[1].values, found[1].failures.len()), (&batch([9, 8]), 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`eval_checked`](Engine::eval_checked).
    pub fn eval_all_checked<B: Base>(
        &self,
        exprs: &[Expr],
        inputs: &[(&str, &Batch<B>)],
    ) -> Result<Vec<Checked<B>>, EngineError> {
        let shape = Shape::of(inputs)?;
        let mut operands = vec![];
        let backend = if shape.instances == 0 { &Backend::Cpu(None) } else { &self.backend };
        let prepared = PreparedAll::new(backend, exprs, shape.ty, |dag| {
            operands = bind(dag, inputs)?;
            Ok(Placed::of(&operands, shape))
        })?;
        prepared.eval_bound(&operands, shape.instances)
    }

    /// An expression prepared for batches as they lie, the batches of its operands, and their instances. No
    /// kernel is loaded for 0 instances.
    fn ready<'b, B: Base>(
        &self,
        expr: &Expr,
        inputs: &[(&str, &'b Batch<B>)],
    ) -> Result<(Ready<B>, Operands<'b, B>, usize), EngineError> {
        let shape = Shape::of(inputs)?;
        let evaluator = Evaluator::new(&expr.to_dag(), shape.ty)?;
        let operands = bind(evaluator.dag(), inputs)?;
        let placed = Placed::of(&operands, shape);
        let backend = if shape.instances == 0 { &Backend::Cpu(None) } else { &self.backend };
        Ok((Ready::new(backend, evaluator, placed)?, operands, shape.instances))
    }
}
