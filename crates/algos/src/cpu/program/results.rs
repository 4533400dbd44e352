//! The results of a run.

use limbforge_limb::{Batch, BatchError, Layout};
use rayon::prelude::*;

use super::plan::Plan;
use super::tile::{Machine, Room, Tile};
use super::{RunError, Runner, lists};
use crate::invariant::broken_invariant;
use crate::program::{ProgramFailure, Rows, TypedProgram};

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completed {
    /// The results in the order of [`TypedProgram::results`], instance by instance; those of instances that
    /// failed are 0.
    pub results: Vec<Batch<u64>>,
    /// The instances that failed, in order.
    pub failures: Vec<ProgramFailure>,
    /// The rows of each list: those of each instance in the order in which it appended them, before it failed if
    /// it did.
    pub lists: Vec<Rows>,
}

/// Whether the results can be addressed.
pub(super) fn check(program: &TypedProgram, instances: usize) -> Result<(), BatchError> {
    for result in program.results() {
        let words = result.ty.limbs::<u64>() * result.elements as usize;
        let bytes = words.checked_mul(size_of::<u64>()).and_then(|bytes| bytes.checked_mul(instances));
        if bytes.is_none_or(|bytes| isize::try_from(bytes).is_err()) {
            return Err(BatchError::TooLarge { instances, limbs_per_instance: words });
        }
    }
    Ok(())
}

impl Runner {
    /// Runs what is left. Returns the results, the failures and the lists.
    ///
    /// ```
    /// use limbforge_algos::cpu::program::Runner;
    /// use limbforge_algos::program::Program;
    /// use limbforge_limb::{Batch, Layout};
    ///
    /// let text = "in a: u64\nlist odd: (u64, u32) at most 100\nvar x = a\n\
    ///             for i in 0 .. 5 {\n emit odd(x, u32(i)) where x % 2 == 1\n x = x / 2 }";
    /// let program = Program::parse(text)?.typed(&[])?;
    /// let a = Batch::<u64>::from_u64s("u64".parse()?, Layout::InstanceMajor, &[8, 11])?;
    /// let completed = Runner::new(&program, vec![a], 2)?.complete()?;
    /// let odd = &completed.lists[0];
    /// assert_eq!(odd.instances(), [0, 1, 1, 1]);
    /// assert_eq!(odd.columns()?[0].to_u64s()?, [1, 11, 5, 1]);
    /// assert_eq!(odd.columns()?[1].to_u64s()?, [3, 0, 1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RunError::ListFull`] if a list has more rows than the program says.
    pub fn complete(self) -> Result<Completed, RunError> {
        let (completed, plan) = finish(self);
        lists::check(&plan)?;
        Ok(completed)
    }
}

/// Runs what is left.
///
/// Returns the plan, too, which counts rows.
pub(super) fn finish(run: Runner) -> (Completed, Plan) {
    let Runner { plan, inputs, instances, per_tile, tiles, before, stage, round } = run;
    let outputs = plan.program.results();
    let words: Vec<usize> =
        outputs.iter().map(|output| output.ty.limbs::<u64>() * output.elements as usize).collect();
    let mut limbs: Vec<Vec<u64>> = words.iter().map(|words| vec![0; words * instances]).collect();
    let mut chunks: Vec<_> = limbs
        .iter_mut()
        .zip(&words)
        .map(|(limbs, words)| limbs.chunks_mut((words * per_tile).max(1)))
        .collect();
    // The part of each tile: of each result.
    let parts: Vec<Vec<&mut [u64]>> = (0..instances.div_ceil(per_tile))
        .map(|_| chunks.iter_mut().map(|chunks| chunks.next().unwrap_or_default()).collect())
        .collect();
    let complete = |tile: &mut Tile, room: &mut Room, outs: Vec<&mut [u64]>| {
        Machine { plan: &plan, tile: &mut *tile, room }.complete(stage, round);
        write(&plan, tile, outs);
        tile.failures.sort_unstable();
        (tile.failures.clone(), core::mem::take(&mut tile.lists))
    };
    let ends: Vec<(Vec<ProgramFailure>, Vec<Rows>)> = match tiles {
        Some(tiles) => {
            let all = tiles.into_par_iter().zip(parts);
            all.map_init(Room::default, |room, (mut tile, outs)| complete(&mut tile, room, outs)).collect()
        }
        // Each thread runs tile after tile in the same memory.
        None => {
            let run = |(tile, room): &mut (Tile, Room), (index, outs): (usize, _)| {
                let first = index * per_tile;
                tile.load(&plan, &inputs, first, per_tile.min(instances - first));
                Machine { plan: &plan, tile: &mut *tile, room: &mut *room }.begin_stage(0);
                complete(tile, room, outs)
            };
            let memory = || (Tile::default(), Room::default());
            parts.into_par_iter().enumerate().map_init(memory, run).collect()
        }
    };
    let batch = |(limbs, output): (Vec<u64>, &crate::program::Output)| {
        Batch::from_limbs(output.ty, Layout::InstanceMajor, limbs)
            .unwrap_or_else(|_| broken_invariant("results are whole integers of their types"))
    };
    let results = limbs.into_iter().zip(outputs).map(batch).collect();
    let lists = lists::joined(&plan.program, &before, ends.iter().map(|(_, lists)| &lists[..]));
    let failures = ends.into_iter().flat_map(|(failures, _)| failures).collect();
    (Completed { results, failures, lists }, plan)
}

impl Machine<'_> {
    /// Runs all from a round of a stage on.
    fn complete(&mut self, stage: usize, mut round: u64) {
        let plan = self.plan;
        for (number, stage) in plan.stages.iter().enumerate().skip(stage) {
            let Some(node) = stage.cut_loop(&plan.program) else { return };
            if !self.tile.is_through {
                self.run_loop(node, round..u64::MAX);
            }
            (self.tile.is_through, round) = (false, 0);
            self.begin_stage(number + 1);
        }
    }
}

/// Writes the results of the instances that have not failed.
fn write(plan: &Plan, tile: &Tile, outs: Vec<&mut [u64]>) {
    for (output, out) in plan.program.results().iter().zip(outs) {
        let (words, integers) = (output.ty.limbs::<u64>(), output.elements as usize);
        for part in &output.parts {
            if tile.live.is_empty() {
                return;
            }
            let (view, elements) =
                (super::tile::view(plan, &tile.slots, part.value), plan.program.elements(part.value));
            for i in tile.live.iter() {
                for e in 0..elements {
                    let integer = i * integers + part.first as usize + e * part.stride as usize;
                    out[integer * words..][..words].copy_from_slice(view.get(i, e));
                }
            }
        }
    }
}
