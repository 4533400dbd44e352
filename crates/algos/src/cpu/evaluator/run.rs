//! Evaluation tile by tile, and the failures of each expression.

use std::sync::Arc;

use limbforge_limb::{Base, Batch, Layout};
use rayon::prelude::*;

use super::Evaluator;
use super::width::{sorted_by_length, width_in_vectors};
use crate::cpu::tile::Tile;
use crate::cpu::{EvalError, Failure, Why};
use crate::expr::{Dag, NodeId, Op, Part};
use crate::op::Class;
use crate::vector::{WIDTH, path_of_powers, path_of_tests};

/// Bytes of one buffer of a tile: a few fit the first-level cache, and the choice of the operation costs
/// nothing beside so many instances.
const TILE_BYTES: usize = 8 << 10;

/// The same for operations in vectors that sort the instances of a tile by their lengths and take longer than
/// memory.
const SORTED_TILE_BYTES: usize = 64 << 10;

/// Tiles of slow operations for each thread, so that all threads end at about the same time: of tests of
/// primality, whose tiles gather numbers, and of powers. A tile has groups of eight: of 520 powers on 16
/// threads, 4 tiles for each leave 48 to one thread, 16 tiles 40.
const TILES_PER_THREAD: usize = 4;
const TILES_OF_POWERS_PER_THREAD: usize = 16;

/// An instance, the operation that failed for it, and why.
type Failed = (usize, NodeId, Why);

impl<B: Base> Evaluator<B> {
    /// As [`run`](Self::run), with a batch for each expression; returns the failures of each.
    ///
    /// # Errors
    /// As [`run`](Self::run), and [`EvalError::ResultCount`] for another number of batches.
    pub fn run_all(
        &self,
        operands: &[&Batch<B>],
        instances: usize,
        results: &mut [&mut Batch<B>],
    ) -> Result<Vec<Vec<Failure>>, EvalError> {
        self.check(operands, instances)?;
        self.check_results(instances, results)?;
        let layouts: Vec<Layout> = results.iter().map(|result| result.layout()).collect();
        // Equal expressions are computed into the first one's batch. Tiles are instance by instance.
        let mut outs: Vec<Option<&mut [B]>> = self.results.iter().map(|_| None).collect();
        for (part, result) in self.parts().iter().zip(&mut *results) {
            let out = &mut outs[part.root()];
            if out.is_none() {
                if result.layout() == Layout::Interleaved {
                    **result = Batch::zeros(result.ty(), Layout::InstanceMajor, instances)?;
                }
                *out = Some(result.limbs_mut());
            }
        }
        let outs = outs.into_iter().flatten().collect();
        let tiles = self.run_tiles(operands, instances, outs);
        for (i, part) in self.parts().iter().enumerate() {
            let first = self.parts()[..i].iter().position(|other| other.root() == part.root());
            if let Some(first) = first {
                *results[i] = results[first].clone();
            }
        }
        for (result, layout) in results.iter_mut().zip(layouts) {
            if result.layout() != layout {
                **result = result.clone().into_layout(layout);
            }
        }
        Ok(self.parts().iter().map(|part| failures(self.dag(), part, &tiles)).collect())
    }

    fn check(&self, operands: &[&Batch<B>], instances: usize) -> Result<(), EvalError> {
        for (i, name) in self.dag().inputs().enumerate() {
            let name = name.to_owned();
            let Some(operand) = operands.get(i) else {
                let given = self.dag().inputs().take(i).map(ToOwned::to_owned).collect();
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

    /// Errors unless there is a batch of the type of each result, of so many instances.
    ///
    /// # Errors
    /// [`EvalError::ResultCount`] and [`EvalError::ResultMismatch`].
    pub fn check_results(&self, instances: usize, results: &[&mut Batch<B>]) -> Result<(), EvalError> {
        let (expected, found) = (self.parts().len(), results.len());
        if expected != found {
            return Err(EvalError::ResultCount { expected, found });
        }
        for (expected, result) in self.result_types().zip(results) {
            let (found, found_instances) = (result.ty(), result.instances());
            if (found, found_instances) != (expected, instances) {
                return Err(EvalError::ResultMismatch { expected, instances, found, found_instances });
            }
        }
        Ok(())
    }

    /// As many as fit the cache. Operations in vectors run eight at a time; powers and tests take so long
    /// that each thread has a few tiles if there are as many groups of eight.
    fn instances_per_tile(&self, instances: usize) -> usize {
        let fit = (TILE_BYTES / (self.ty.limbs::<B>() * B::BYTES)).max(1);
        let bits = self.ty.bits();
        let has = |runs: fn(&Op) -> bool| self.schedule.steps.iter().any(|step| runs(&step.output.op));
        let threads = rayon::current_num_threads();
        // One thread has nothing to balance.
        let balanced = |tiles: usize| if threads == 1 { 1 } else { tiles * threads };
        let tests = has(|op| matches!(op.class(), Class::Primality(_))) && path_of_tests(bits).is_some();
        if tests || has(|op| *op == Op::PowMod) && path_of_powers(bits).is_some() {
            // Few numbers reach the last of several tests: a tile that gathers them has many. Powers are
            // sorted by their lengths.
            let (most, tiles) = if tests {
                (64 * WIDTH, TILES_PER_THREAD * threads)
            } else {
                (8 * WIDTH, balanced(TILES_OF_POWERS_PER_THREAD))
            };
            return instances.div_ceil(tiles).clamp(1, fit.max(most)).next_multiple_of(WIDTH);
        }
        let sorted = self.schedule.steps.iter().filter_map(|step| sorted_by_length(&step.output.op, bits));
        if let Some(most) = sorted.max() {
            let share = instances / balanced(TILES_PER_THREAD);
            let most = (SORTED_TILE_BYTES / (self.ty.limbs::<B>() * B::BYTES)).clamp(2 * WIDTH, most);
            if share >= 2 * WIDTH {
                return share.min(most).max(fit).next_multiple_of(2 * WIDTH);
            }
        }
        let widths = self.schedule.steps.iter().map(|step| width_in_vectors(&step.output.op, bits));
        let width = widths.max().unwrap_or(1);
        if fit >= width {
            return fit.next_multiple_of(width);
        }
        // Few long instances are better spread over the threads.
        instances.div_ceil(threads).clamp(fit, width)
    }

    /// Computes all tiles on all cores, into the limbs of each root: 0 where an operation that it is computed
    /// from fails. Returns each tile's failures in order.
    fn run_tiles(&self, operands: &[&Batch<B>], instances: usize, outs: Vec<&mut [B]>) -> Vec<Vec<Failed>> {
        let (m, roots, per_tile) = (self.ty.limbs::<B>(), outs.len(), self.instances_per_tile(instances));
        let limbs: Vec<usize> = self.results.iter().map(|ty| ty.limbs::<B>()).collect();
        let mut chunks: Vec<_> =
            outs.into_iter().zip(&limbs).map(|(out, limbs)| out.chunks_mut(per_tile * limbs)).collect();
        // Tile by tile, the part of each root.
        let mut parts: Vec<&mut [B]> = Vec::with_capacity(instances.div_ceil(per_tile) * roots);
        for _ in 0..instances.div_ceil(per_tile) {
            parts.extend(chunks.iter_mut().filter_map(Iterator::next));
        }
        let needed: Vec<Vec<bool>> =
            self.dag().roots().iter().map(|&root| self.dag().needed_for(root)).collect();
        // Boxed: calls from many threads at once would each take stack.
        let tile = || Box::new(Tile::new(&self.schedule, self.ty, operands, &self.literals));
        let run = |tile: &mut Box<Tile<'_, B>>, (index, outs): (usize, &mut [&mut [B]])| {
            let first = index * per_tile;
            tile.run(first, per_tile.min(instances - first) * m, outs);
            for ((out, &limbs), needed) in outs.iter_mut().zip(&limbs).zip(&needed) {
                for &(instance, node, _) in &tile.failed {
                    if needed[node.index()] {
                        out[(instance - first) * limbs..][..limbs].fill(B::ZERO);
                    }
                }
            }
            // They still lie in the cache and are mostly in order. The tile keeps its room for the next ones:
            // to grow it anew for each tile takes longer than the instances that fail.
            tile.failed.sort_unstable();
            tile.failed.drain(..).collect()
        };
        // The calling thread computes a single tile: waking another takes longer than many tiles.
        if (1..=per_tile).contains(&instances) {
            return vec![run(&mut tile(), (0, &mut parts))];
        }
        parts.par_chunks_mut(roots.max(1)).enumerate().map_init(tile, run).collect()
    }
}

/// The failures of one expression in order, with the names of the operands to blame.
fn failures(all: &Dag, part: &Part, tiles: &[Vec<Failed>]) -> Vec<Failure> {
    if tiles.iter().all(Vec::is_empty) {
        return vec![];
    }
    let dag = part.dag();
    let mut own: Vec<Option<NodeId>> = vec![None; all.nodes().len()];
    dag.ids().zip(part.nodes()).for_each(|(id, node)| own[node.index()] = Some(id));
    let mut names: Vec<Option<Arc<str>>> = vec![None; dag.nodes().len()];
    let mut failure = |&(instance, node, why): &Failed| {
        let operation = own[node.index()]?;
        let operands = &dag.nodes()[operation.index()].args;
        let node = operands[why.operand(operands.len())];
        let operand = Arc::clone(names[node.index()].get_or_insert_with(|| dag.describe(node).into()));
        Some(Failure { instance, operation, operand, why })
    };
    let mut failures = Vec::with_capacity(tiles.iter().map(Vec::len).sum());
    failures.extend(tiles.iter().flatten().filter_map(&mut failure));
    // Instances are in order, and their operations unless this expression computes them in another one.
    if !failures.is_sorted() {
        failures.sort();
    }
    failures
}
