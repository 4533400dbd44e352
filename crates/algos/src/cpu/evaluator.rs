//! An expression checked for a type, with its schedule and constants.

use core::mem;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use limbforge_limb::{Base, Batch, IntType, Layout, convert};
use rayon::prelude::*;

use super::tile::Tile;
use super::{Checked, EvalError, Failure, Schedule, Why};
use crate::expr::{Dag, NodeId};
use crate::invariant::broken_invariant;

/// Bytes of one buffer of a tile. A few of them fit the first-level cache, and a tile is long enough that the
/// choice of the operation costs nothing beside it.
const TILE_BYTES: usize = 8 << 10;

/// An expression that was checked for a type, with its schedule and constants: evaluated as often as wanted,
/// none of this is done again.
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
    dag: Dag,
    ty: IntType,
    result: IntType,
    schedule: Schedule,
    literals: Vec<Vec<B>>,
}

impl<B: Base> Evaluator<B> {
    /// The evaluator of `dag` over integers of type `ty`.
    ///
    /// # Errors
    /// [`EvalError::Type`] for a constant that does not fit the type, or a wide product where none may stand.
    pub fn new(dag: &Dag, ty: IntType) -> Result<Self, EvalError> {
        let (result, schedule) = (dag.result_type(ty)?, Schedule::new(dag));
        let literals = literals(&schedule, ty);
        Ok(Self { dag: dag.clone(), ty, result, schedule, literals })
    }

    /// The expression.
    #[must_use]
    pub const fn dag(&self) -> &Dag {
        &self.dag
    }

    /// The type of all operands.
    #[must_use]
    pub const fn ty(&self) -> IntType {
        self.ty
    }

    /// The type of the result: twice as wide for a wide product.
    #[must_use]
    pub const fn result_type(&self) -> IntType {
        self.result
    }

    /// The order of the operations and their buffers.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The results in a layout, and the instances that failed. `operands` are those of [`Dag::inputs`], in
    /// that order, of so many instances or one, which is broadcast.
    ///
    /// # Errors
    /// [`EvalError`] if an operand is missing, of another type or of another number of instances.
    pub fn eval(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        layout: Layout,
    ) -> Result<Checked<B>, EvalError> {
        let mut result = Batch::zeros(self.result, Layout::InstanceMajor, instances)?;
        let failures = self.run(operands, instances, &mut result)?;
        Ok(Checked { values: result.into_layout(layout), failures })
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

    /// All operands are there, of the type, and of so many instances or one.
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

    /// Computes all tiles on all cores; the results of what failed become 0.
    fn run_tiles(&self, operands: &[&Batch<B>], out: &mut [B]) -> Vec<FailedTile> {
        let (m, result_m) = (self.ty.limbs::<B>(), self.result.limbs::<B>());
        let instances_per_tile = (TILE_BYTES / (m * B::BYTES)).max(1);
        let failed = Mutex::new(vec![]);
        out.par_chunks_mut(instances_per_tile * result_m).enumerate().for_each_init(
            // Not on the stack, of which calls from many threads at once take a part for each.
            || Box::new(Tile::new(&self.schedule, self.ty)),
            |tile, (index, out)| {
                let (first, len) = (index * instances_per_tile, out.len() / result_m * m);
                tile.values.load(operands, first, len);
                tile.run(operands, &self.literals, first, len, out);
                if !tile.failed.is_empty() {
                    for &(instance, ..) in &tile.failed {
                        let start = (instance - first) * result_m;
                        out[start..start + result_m].fill(B::ZERO);
                    }
                    // Of a tile they lie in the cache, and are mostly in order.
                    tile.failed.sort_unstable();
                    let of_tile = (first, mem::take(&mut tile.failed));
                    failed.lock().unwrap_or_else(PoisonError::into_inner).push(of_tile);
                }
            },
        );
        failed.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What failed in a tile, in order, and the tile's first instance.
type FailedTile = (usize, Vec<(usize, NodeId, Why)>);

/// What failed in tiles, in order, with names.
fn failures(dag: &Dag, mut tiles: Vec<FailedTile>) -> Vec<Failure> {
    tiles.sort_unstable_by_key(|&(first, _)| first);
    let mut names: HashMap<NodeId, Arc<str>> = HashMap::new();
    let mut failures = Vec::with_capacity(tiles.iter().map(|(_, failed)| failed.len()).sum());
    // Mostly one operand is to blame for one failure after the other.
    let mut last: Option<(NodeId, Arc<str>)> = None;
    for (instance, operation, why) in tiles.into_iter().flat_map(|(_, failed)| failed) {
        let operands = &dag.nodes()[operation.index()].args;
        let node = operands[why.operand(operands.len())];
        let operand = match last {
            Some((named, ref operand)) if named == node => Arc::clone(operand),
            _ => {
                let name = names.entry(node).or_insert_with(|| Arc::from(dag.describe(node)));
                last = Some((node, Arc::clone(name)));
                Arc::clone(name)
            }
        };
        failures.push(Failure { instance, operation, operand, why });
    }
    failures
}

/// The limbs of the constants, which are known to fit the type.
fn literals<B: Base>(schedule: &Schedule, ty: IntType) -> Vec<Vec<B>> {
    let limbs = |value| {
        let mut limbs = vec![B::ZERO; ty.limbs::<B>()];
        if !convert::from_biguint(value, &mut limbs) {
            broken_invariant("constants were found to fit the type");
        }
        limbs
    };
    schedule.literals().iter().map(limbs).collect()
}
