//! Evaluations of several expressions.

use limbforge_algos::cpu::{Checked, EvalError, Failure};
use limbforge_limb::{Base, Batch};

use super::PreparedAll;
use crate::engine::error::EngineError;
use crate::engine::ready::none_failed;
use crate::engine::resident::DeviceBatch;

impl<B: Base> PreparedAll<B> {
    /// The results of operands that fit, and the instances that failed in each.
    pub(super) fn eval_bound(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
    ) -> Result<Vec<Checked<B>>, EngineError> {
        let mut all = vec![];
        for group in self.groups() {
            all.extend(group.ready.eval_all(&group.operands(operands), instances)?);
        }
        Ok(all)
    }

    /// The values of each expression over the named batches, instance by instance, in the layout that they
    /// were prepared for.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let exprs = [Expr::parse("a / b")?, Expr::parse("a % b")?];
    /// let division = Engine::auto().prepare_all::<u32>(&exprs, "u64".parse()?, &Placement::default())?;
    /// let batch = |values: &[u64]| values.iter().map(|&x| UintM::<u32, 2>::from(x)).collect::<Batch<u32>>();
    /// let found = division.eval(&[("a", &batch(&[17, 23])), ("b", &batch(&[5, 7]))])?;
    /// assert_eq!(found, [batch(&[3, 3]), batch(&[2, 2])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Prepared::eval`](crate::Prepared::eval), where an instance lacks any of the results.
    pub fn eval(&self, inputs: &[(&str, &Batch<B>)]) -> Result<Vec<Batch<B>>, EngineError> {
        complete(self.eval_checked(inputs)?)
    }

    /// As [`eval`](Self::eval), with the instances that failed in each expression beside its results of all
    /// others. An instance that lacks one result has the others.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let exprs = [Expr::parse("a / b")?, Expr::parse("a + b")?];
    /// let prepared = Engine::auto().prepare_all::<u32>(&exprs, "u64".parse()?, &Placement::default())?;
    /// let batch = |values: &[u64]| values.iter().map(|&x| UintM::<u32, 2>::from(x)).collect::<Batch<u32>>();
    /// let found = prepared.eval_checked(&[("a", &batch(&[7, 8])), ("b", &batch(&[2, 0]))])?;
    /// assert_eq!((&found[0].values, found[0].failures[0].instance), (&batch(&[3, 0]), 1));
    /// assert_eq!((&found[1].values, found[1].failures.len()), (&batch(&[9, 8]), 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`eval`](Self::eval), but for instances without a result.
    pub fn eval_checked(&self, inputs: &[(&str, &Batch<B>)]) -> Result<Vec<Checked<B>>, EngineError> {
        let (operands, instances) = self.bind(inputs, None)?;
        self.eval_bound(&operands, instances)
    }

    /// As [`eval_checked`](Self::eval_checked), into a batch of the type of each result, in its own layout;
    /// returns the instances that failed in each. Their results are 0.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let exprs = [Expr::parse("a / b")?, Expr::parse("a % b")?];
    /// let division = Engine::auto().prepare_all::<u32>(&exprs, "u64".parse()?, &Placement::default())?;
    /// let batch = |values: &[u64]| values.iter().map(|&x| UintM::<u32, 2>::from(x)).collect::<Batch<u32>>();
    /// let (mut quotient, mut remainder) = (batch(&[0, 0]), batch(&[0, 0]));
    /// let inputs = [("a", &batch(&[17, 23])), ("b", &batch(&[5, 7]))];
    /// let failures = division.eval_into(&inputs, &mut [&mut quotient, &mut remainder])?;
    /// assert!(failures.iter().all(Vec::is_empty));
    /// assert_eq!((quotient, remainder), (batch(&[3, 3]), batch(&[2, 2])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`eval_checked`](Self::eval_checked), and [`EngineError::Eval`] for another number of batches than
    /// of expressions, or a batch of another type or number of instances.
    pub fn eval_into(
        &self,
        inputs: &[(&str, &Batch<B>)],
        results: &mut [&mut Batch<B>],
    ) -> Result<Vec<Vec<Failure>>, EngineError> {
        let (expected, found) = (self.result_types().count(), results.len());
        if expected != found {
            return Err(EvalError::ResultCount { expected, found }.into());
        }
        let first = results.first().map(|result| result.instances());
        let (operands, instances) = self.bind(inputs, first)?;
        let (mut all, mut rest) = (vec![], results);
        for group in self.groups() {
            let (own, others) = rest.split_at_mut(group.ready.evaluator.parts().len());
            all.extend(group.ready.eval_all_into(&group.operands(&operands), instances, own)?);
            rest = others;
        }
        Ok(all)
    }

    /// Evaluates over resident batches, as [`Prepared::run`](crate::Prepared::run), and returns a batch for
    /// each expression.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let engine = Engine::auto();
    /// let exprs = [Expr::parse("a / b")?, Expr::parse("a % b")?, Expr::parse("a + b")?];
    /// let prepared = engine.prepare_all::<u64>(&exprs, "u256".parse()?, &Placement::default())?;
    /// let batch = |values: [u8; 2]| values.into_iter().map(U256::from).collect::<Batch<u64>>();
    /// let (a, b) = (engine.upload(&batch([17, 8]))?, engine.upload(&batch([5, 0]))?);
    /// let found = prepared.run(&[("a", &a), ("b", &b)])?;
    /// assert_eq!((found[1].failed()?, found[2].failed()?), (vec![1], vec![]));
    /// assert_eq!(found[1].download_checked()?.0, batch([2, 0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Prepared::run`](crate::Prepared::run).
    pub fn run(&self, inputs: &[(&str, &DeviceBatch<B>)]) -> Result<Vec<DeviceBatch<B>>, EngineError> {
        let (operands, instances) = self.bind(inputs, None)?;
        let mut all = vec![];
        for group in self.groups() {
            all.extend(group.ready.run_resident(&group.operands(&operands), instances)?);
        }
        Ok(all)
    }
}

/// The results, if no instance failed.
pub(in crate::engine) fn complete<B: Base>(all: Vec<Checked<B>>) -> Result<Vec<Batch<B>>, EngineError> {
    let (values, failures): (Vec<_>, Vec<_>) = all.into_iter().map(|one| (one.values, one.failures)).unzip();
    none_failed(failures).map(|()| values)
}
