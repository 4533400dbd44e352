//! Expressions checked for a type, with their schedule and constants.

mod run;

use limbforge_limb::{Base, Batch, IntType, Layout, convert};

use super::{Checked, EvalError, Failure, Schedule};
use crate::expr::{Dag, Dags, Part};
use crate::invariant::broken_invariant;

/// An expression, or several over the same operands, checked for a type, with its schedule and constants, which all evaluations share.
///
/// ```
/// use limbforge_algos::cpu::Evaluator;
/// use limbforge_algos::expr::Expr;
/// use limbforge_limb::{Batch, IntType, Layout};
///
/// let ty: IntType = "u96".parse()?;
/// let evaluator = Evaluator::<u32>::new(&Expr::parse("a * b + 1")?.to_dag(), ty)?;
/// let a = Batch::from_biguints(ty, Layout::InstanceMajor, &[3_u32.into(), 4_u32.into()])?;
/// let five = Batch::from_biguints(ty, Layout::InstanceMajor, &[5_u32.into()])?;
/// let found = evaluator.eval(&[&a, &five], 2, Layout::InstanceMajor)?;
/// assert_eq!(found.values.to_biguints(), [16_u32.into(), 21_u32.into()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator<B> {
    dags: Dags,
    ty: IntType,
    /// Of the roots of the graph of all.
    results: Vec<IntType>,
    schedule: Schedule,
    literals: Vec<Vec<B>>,
}

impl<B: Base> Evaluator<B> {
    /// The evaluator of `dag` over integers of type `ty`: of an expression for each of its roots.
    ///
    /// # Errors
    /// [`EvalError::Type`] for a constant that does not fit the type, or a wide product where none may stand.
    pub fn new(dag: &Dag, ty: IntType) -> Result<Self, EvalError> {
        Self::of_all(dag.into(), ty)
    }

    /// The evaluator of several expressions, which computes what they share once.
    ///
    /// ```
    /// use limbforge_algos::cpu::Evaluator;
    /// use limbforge_algos::expr::{Dags, Expr};
    /// let exprs = [Expr::parse("a / b")?, Expr::parse("a % b")?];
    /// let evaluator = Evaluator::<u64>::of_all(Dags::new(&exprs), "u256".parse()?)?;
    /// assert_eq!(evaluator.schedule().steps.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Self::new), for any of them.
    pub fn of_all(dags: Dags, ty: IntType) -> Result<Self, EvalError> {
        let (results, schedule) = (dags.all().result_types(ty)?, Schedule::new(dags.all()));
        let limbs = |value| {
            let mut limbs = vec![B::ZERO; ty.limbs::<B>()];
            if !convert::from_biguint(value, &mut limbs) {
                broken_invariant("constants were found to fit the type");
            }
            limbs
        };
        let literals = schedule.literals.iter().map(limbs).collect();
        Ok(Self { dags, ty, results, schedule, literals })
    }

    /// The graph of the expression, or of all.
    #[must_use]
    pub const fn dag(&self) -> &Dag {
        self.dags.all()
    }

    /// The expressions, one for each result.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        self.dags.parts()
    }

    /// The type of all operands.
    #[must_use]
    pub const fn ty(&self) -> IntType {
        self.ty
    }

    /// The type of the result, the first one of several: twice as wide for a wide product.
    #[must_use]
    pub fn result_type(&self) -> IntType {
        self.result_types().next().unwrap_or(self.ty)
    }

    /// The types of all results.
    pub fn result_types(&self) -> impl ExactSizeIterator<Item = IntType> {
        self.parts().iter().map(|part| self.results[part.root()])
    }

    /// The order of the operations and their buffers.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The results in a layout, and the instances that failed. `operands` are in the order of
    /// [`Dag::inputs`], of so many instances or one, which is broadcast. Of several expressions the first.
    ///
    /// # Errors
    /// [`EvalError`] if an operand is missing, of another type or of another number of instances.
    pub fn eval(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        layout: Layout,
    ) -> Result<Checked<B>, EvalError> {
        let first = self.eval_all(operands, instances, layout)?.into_iter().next();
        Ok(first.unwrap_or_else(|| broken_invariant("an expression has a result")))
    }

    /// The results of all expressions, each with the instances that failed in it alone.
    ///
    /// # Errors
    /// Those of [`eval`](Self::eval).
    pub fn eval_all(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        layout: Layout,
    ) -> Result<Vec<Checked<B>>, EvalError> {
        let zeros = |ty| Batch::zeros(ty, Layout::InstanceMajor, instances);
        let mut results = self.result_types().map(zeros).collect::<Result<Vec<_>, _>>()?;
        let failures = self.run_all(operands, instances, &mut results.iter_mut().collect::<Vec<_>>())?;
        let checked =
            |(values, failures): (Batch<B>, _)| Checked { values: values.into_layout(layout), failures };
        Ok(results.into_iter().zip(failures).map(checked).collect())
    }

    /// As [`eval`](Self::eval), into a batch of the result's type and this number of instances, in its own
    /// layout. The results of the instances that failed, which are returned, are 0.
    ///
    /// # Errors
    /// As [`eval`](Self::eval), and [`EvalError::ResultMismatch`] for a batch that does not fit.
    pub fn run(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        result: &mut Batch<B>,
    ) -> Result<Vec<Failure>, EvalError> {
<<<<<<< HEAD
        self.check(operands, instances)?;
        let expected = self.result;
        if (result.ty(), result.instances()) != (expected, instances) {
            let (found, found_instances) = (result.ty(), result.instances());
            return Err(EvalError::ResultMismatch { expected, instances, found, found_instances });
        }
        if result.layout() == Layout::Interleaved {
            let Checked { values, failures } = self.eval(operands, instances, Layout::Interleaved)?;
            *result = values;
            return Ok(failures);
        }
        Ok(failures(&self.dag, self.run_tiles(operands, result.limbs_mut())))
    }

    fn check(&self, operands: &[&Batch<B>], instances: usize) -> Result<(), EvalError> {
        for (i, name) in self.dag.inputs().enumerate() {
            let name = name.to_owned();
            let Some(operand) = operands.get(i) else {
                let given = self.dag.inputs().take(i).map(ToOwned::to_owned).collect();
                return Err(EvalError::UnknownVariable { name, given });
            };
            if operand.ty() != self.ty {
                return Err(EvalError::OperandType { name, expected: self.ty, found: operand.ty() });
            }
            if ![1, instances].contains(&operand.instances()) {
                let (first, found) = ("the result".to_owned(), operand.instances());
                return Err(EvalError::CountMismatch { first, expected: instances, name, found });
            }
        }
        Ok(())
    }

    /// Computes all tiles on all cores, 0 where an operation fails; returns each tile's failures in order. One
    /// tile is computed by the calling thread, as waking another takes longer than many tiles.
    fn run_tiles(&self, operands: &[&Batch<B>], out: &mut [B]) -> Vec<Vec<(usize, NodeId, Why)>> {
        let result_m = self.result.limbs::<B>();
        let instances_per_tile = (TILE_BYTES / (self.ty.limbs::<B>() * B::BYTES)).max(1);
        // Boxed: calls from many threads at once would each take stack.
        let tile = || Box::new(Tile::new(&self.schedule, self.ty, operands, &self.literals));
        if out.len() <= instances_per_tile * result_m {
            return vec![self.run_tile(&mut tile(), 0, out)];
        }
        let tiles = out.par_chunks_mut(instances_per_tile * result_m).enumerate();
        tiles
            .map_init(tile, |tile, (index, out)| self.run_tile(tile, index * instances_per_tile, out))
            .collect()
    }

    /// Computes the results of the instances from `first` on; returns their failures in order.
    fn run_tile(&self, tile: &mut Tile<'_, B>, first: usize, out: &mut [B]) -> Vec<(usize, NodeId, Why)> {
        let (m, result_m) = (self.ty.limbs::<B>(), self.result.limbs::<B>());
        tile.run(first, out.len() / result_m * m, out);
        for &(instance, ..) in &tile.failed {
            let start = (instance - first) * result_m;
            out[start..start + result_m].fill(B::ZERO);
        }
        // They still lie in the cache and are mostly in order. The tile keeps its room for the next ones: to
        // grow it anew for each tile takes longer than the instances that fail.
        tile.failed.sort_unstable();
        tile.failed.drain(..).collect()
=======
        Ok(self.run_all(operands, instances, &mut [result])?.swap_remove(0))
>>>>>>> main
    }
}
