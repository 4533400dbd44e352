//! Several expressions over the same operands, evaluated together.

use core::fmt;
use std::sync::Arc;

use limbforge_algos::cpu::{Checked, EvalError, Evaluator, Failure};
use limbforge_algos::expr::{Dag, Dags, Expr};
use limbforge_limb::{Base, Batch, IntType};

use super::backend::Backend;
use super::error::EngineError;
use super::gpu::{Gpus, MOST_RESULTS};
use super::placement::{Integers, Placed};
use super::ready::{Ready, none_failed};
use super::resident::DeviceBatch;

/// Several expressions that were typed, planned, compiled and loaded once, by
/// [`Engine::prepare_all`](crate::Engine::prepare_all). An evaluation reads the operands once and computes
/// what the expressions share once; each result has failures of its own. Clones share it, also between
/// threads.
///
/// ```
/// use limbforge::prelude::*;
///
/// let exprs = [Expr::parse("a / b")?, Expr::parse("a % b")?];
/// let division = Engine::cpu().prepare_all::<u64>(&exprs, "u128".parse()?, &Placement::default())?;
/// let text = division.to_string();
/// assert!(text.contains("1. %2 = div %0, %1, %3 = rem %0, %1\n"), "{text}"); // one step for both
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PreparedAll<B> {
    several: Arc<Several<B>>,
}

#[derive(Debug)]
struct Several<B> {
    dag: Dag,
    ty: IntType,
    placed: Placed,
    groups: Vec<Group<B>>,
}

/// Expressions that are one program.
#[derive(Debug)]
struct Group<B> {
    ready: Ready<B>,
    /// The places of its operands among those of all expressions.
    operands: Vec<usize>,
}

impl<B: Base> Group<B> {
    fn operands<'b, T>(&self, all: &[&'b T]) -> Vec<&'b T> {
        self.operands.iter().map(|&i| all[i]).collect()
    }
}

impl<B: Base> PreparedAll<B> {
    /// Loads the kernels if there is a GPU. `place` is asked for the graph of all expressions.
    pub(super) fn new(
        backend: &Backend<Arc<Gpus>>,
        exprs: &[Expr],
        ty: IntType,
        place: impl FnOnce(&Dag) -> Result<Placed, EngineError>,
    ) -> Result<Self, EngineError> {
        let dag = Dag::of_all(exprs);
        let placed = place(&dag)?;
        let group = |exprs: &[Expr]| {
            let evaluator = Evaluator::of_all(Dags::new(exprs), ty)?;
            let place_of = |name| dag.inputs().position(|other| other == name);
            let operands: Vec<usize> = evaluator.dag().inputs().filter_map(place_of).collect();
            let own = operands.iter().map(|&i| placed.operands[i]).collect();
            let own = Placed { operands: own, result: placed.result };
            Ok(Group { ready: Ready::new(backend, evaluator, own)?, operands })
        };
        let groups = exprs.chunks(MOST_RESULTS).map(group).collect::<Result<_, EngineError>>()?;
        Ok(Self { several: Arc::new(Several { dag, ty, placed, groups }) })
    }

    fn groups(&self) -> &[Group<B>] {
        &self.several.groups
    }

    /// The batches in the order of the operands, and their number of instances; `result` if none sets it.
    fn bind<'b, T: Integers>(
        &self,
        inputs: &[(&str, &'b T)],
        result: Option<usize>,
    ) -> Result<(Vec<&'b T>, usize), EngineError> {
        self.several.placed.bind(&self.several.dag, self.several.ty, inputs, result)
    }

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

    /// The names of the operands, in the order in which the expressions use them first.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let exprs = [Expr::parse("b*b")?, Expr::parse("a - b")?];
    /// let prepared = Engine::cpu().prepare_all::<u64>(&exprs, "i256".parse()?, &Placement::default())?;
    /// assert_eq!(prepared.operands().collect::<Vec<_>>(), ["b", "a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn operands(&self) -> impl Iterator<Item = &str> {
        self.several.dag.inputs()
    }

    /// The type of all operands.
    #[must_use]
    pub fn ty(&self) -> IntType {
        self.several.ty
    }

    /// The types of the results: twice the bits for a wide product, else that of the operands.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let exprs = [Expr::parse("a < b")?, Expr::parse("mul_wide(a, b)")?];
    /// let ty: IntType = "u256".parse()?;
    /// let prepared = Engine::cpu().prepare_all::<u64>(&exprs, ty, &Placement::default())?;
    /// assert_eq!(prepared.result_types().collect::<Vec<_>>(), [ty, "u512".parse()?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn result_types(&self) -> impl Iterator<Item = IntType> {
        self.groups().iter().flat_map(|group| group.ready.evaluator.result_types())
    }

    /// The device's name: `CPU`, or as the driver calls the GPU.
    #[must_use]
    pub fn device_name(&self) -> &str {
        let loaded = self.groups().iter().find_map(|group| group.ready.backend.gpu());
        loaded.map_or("CPU", |loaded| loaded.gpus().name())
    }

    /// The reason why the CPU computes, or did last, as [`Prepared::fallback`](crate::Prepared::fallback).
    #[must_use]
    pub fn fallback(&self) -> Option<Arc<EngineError>> {
        self.groups().iter().find_map(|group| group.ready.fallback())
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
pub(super) fn complete<B: Base>(all: Vec<Checked<B>>) -> Result<Vec<Batch<B>>, EngineError> {
    let (values, failures): (Vec<_>, Vec<_>) = all.into_iter().map(|one| (one.values, one.failures)).unzip();
    none_failed(failures).map(|()| values)
}

/// The plan.
impl<B: Base> fmt::Display for PreparedAll<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.groups().iter().try_for_each(|group| group.ready.fmt(f))
    }
}
