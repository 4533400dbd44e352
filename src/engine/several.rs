//! Several expressions over the same operands, evaluated together.

mod engine;
mod eval;

use core::fmt;
use std::sync::Arc;

use limbforge_algos::cpu::Evaluator;
use limbforge_algos::expr::{Dag, Dags, Expr};
use limbforge_limb::{Base, IntType};

use super::backend::Backend;
use super::error::EngineError;
use super::gpu::{Gpus, MOST_RESULTS};
use super::placement::{Integers, Placed};
use super::ready::Ready;

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
}

/// The plan.
impl<B: Base> fmt::Display for PreparedAll<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.groups().iter().try_for_each(|group| group.ready.fmt(f))
    }
}
