//! Several expressions, prepared once or evaluated at once.

use limbforge_algos::cpu::{Checked, Shape, bind};
use limbforge_algos::expr::Expr;
use limbforge_limb::{Base, Batch, IntType};

use super::PreparedAll;
use super::eval::complete;
use crate::engine::backend::Backend;
use crate::engine::placement::{Placed, Placement};
use crate::engine::{Engine, EngineError};

impl Engine {
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

    /// As [`eval_all`](Engine::eval_all), with the instances that failed in each expression beside its
    /// results of all others: those of [`eval_checked`](Engine::eval_checked) of each expression.
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
}
