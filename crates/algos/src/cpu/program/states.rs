//! States from tiles, and tiles from states.

use limbforge_limb::{Batch, Layout};
use rayon::prelude::*;

use super::mask::Mask;
use super::plan::Plan;
use super::tile::{Machine, Room, Tile, view};
use super::{RunError, Runner, lists};
use crate::integer::Scratch;
use crate::invariant::broken_invariant;
use crate::program::{Element, Rows, State, TypedProgram, ValueId, stages};

/// The state of a run that has been started.
pub(super) fn state(run: &Runner) -> State {
    let held = run.plan.stages[run.stage].held(&run.plan.program);
    let values = held.iter().map(|&value| (value, batch(run, value))).collect();
    let tiles = run.tiles.iter().flatten();
    let mut failures: Vec<_> = tiles.flat_map(|tile| tile.failures.iter().copied()).collect();
    failures.sort_unstable();
    let parts = run.tiles.iter().flatten().map(|tile| &tile.lists[..]);
    let lists = lists::joined(&run.plan.program, &run.before, parts);
    State { stage: run.stage, round: run.round, values, failures, lists }
}

/// The plain integers of a value.
fn batch(run: &Runner, value: ValueId) -> Batch<u64> {
    let (plan, tiles) = (&run.plan, run.tiles.as_deref().unwrap_or_default());
    let (ty, one_for_all) = (plan.ty(value), plan.uniform.contains(value));
    let limbs = if one_for_all {
        let live = tiles.iter().find(|tile| !tile.live.is_empty());
        live.map_or_else(
            || vec![0; plan.words(value) * plan.program.elements(value)],
            |tile| rows(plan, tile, value, &mut Scratch::default()),
        )
    } else {
        let tiles =
            tiles.par_iter().map_init(Scratch::default, |scratch, tile| rows(plan, tile, value, scratch));
        tiles.collect::<Vec<_>>().concat()
    };
    Batch::from_limbs(ty, Layout::InstanceMajor, limbs)
        .unwrap_or_else(|_| broken_invariant("values are whole integers of their types"))
}

/// The plain integers of a value of a tile: 0 for instances that failed; just one row if it is one for all.
fn rows(plan: &Plan, tile: &Tile, value: ValueId, scratch: &mut Scratch) -> Vec<u64> {
    let (words, elements) = (plan.words(value), plan.program.elements(value));
    let one = plan.uniform.contains(value);
    let mut rows = vec![0; if one { 1 } else { tile.len } * elements * words];
    let view = view(plan, &tile.slots, value);
    for i in if one { Mask::first(1) } else { tile.live }.iter() {
        let out = &mut rows[i * elements * words..][..elements * words];
        out.copy_from_slice(view.all(i, elements));
        if let Element::Residue(modulus) = plan.program.ty(value).element {
            let ring = tile.rings[modulus.index()].get(i);
            for residue in out.chunks_exact_mut(words) {
                let residue = &mut residue[..ring.modulus.len()];
                let number = ring.leave(residue, scratch);
                residue.copy_from_slice(&number);
            }
        }
    }
    rows
}

/// The tiles of a run at a state.
pub(super) fn tiles(run: &Runner, state: &State) -> Result<Vec<Tile>, RunError> {
    check_state(&run.plan.program, run.instances, state)?;
    let Runner { plan, inputs, instances, per_tile, .. } = run;
    let starts: Vec<usize> = (0..*instances).step_by(*per_tile).collect();
    let tile = |room: &mut Room, first: usize| {
        let (mut tile, len) = (Tile::default(), (*per_tile).min(instances - first));
        tile.load(plan, inputs, first, len);
        let own = |instance: usize| (first..first + len).contains(&instance);
        tile.failures.extend(state.failures.iter().filter(|failure| own(failure.instance)));
        for failure in &tile.failures {
            tile.live = tile.live.without(Mask::only(failure.instance - first));
        }
        Machine { plan, tile: &mut tile, room }.restore(state)?;
        Ok(tile)
    };
    starts.into_par_iter().map_init(Room::default, tile).collect()
}

/// Whether a state has the values of its stage, of their types and numbers, for so many instances.
///
/// # Errors
/// [`RunError`] if it is of another program or run.
pub fn check_state(program: &TypedProgram, instances: usize, state: &State) -> Result<(), RunError> {
    let stages = stages(program);
    let last = stages.len() - 1;
    if state.stage > last {
        return Err(RunError::StateStage { last, found: state.stage });
    }
    let held = stages[state.stage].held(program);
    if held.len() != state.values.len() {
        let (expected, found) = (held.len(), state.values.len());
        return Err(RunError::StateValues { stage: state.stage, expected, found });
    }
    for (&value, (found_value, batch)) in held.iter().zip(&state.values) {
        let (ty, elements) = (program.plain(value), program.elements(value));
        let fits = [elements, elements.saturating_mul(instances)].contains(&batch.instances());
        if value != *found_value || batch.ty() != ty || !fits {
            let (found_value, found_ty, found) = (*found_value, batch.ty(), batch.instances());
            return Err(RunError::StateValue { value, ty, elements, found_value, found_ty, found });
        }
    }
    check_lists(program, instances, state)?;
    match state.failures.iter().find(|failure| failure.instance >= instances) {
        Some(failure) => Err(RunError::StateFailure { instance: failure.instance, instances }),
        None => Ok(()),
    }
}

/// Whether a state has the lists of the program.
fn check_lists(program: &TypedProgram, instances: usize, state: &State) -> Result<(), RunError> {
    let expected = Rows::of_all(program);
    let fits = |(rows, expected): (&Rows, &Rows)| {
        rows.types().eq(expected.types()) && rows.instances().iter().all(|&i| i < instances as u64)
    };
    if expected.len() == state.lists.len() && state.lists.iter().zip(&expected).all(fits) {
        return Ok(());
    }
    Err(RunError::StateLists { expected: expected.len(), found: state.lists.len() })
}

impl Machine<'_> {
    /// Takes the values of a state: integers first, as the moduli of residues are among them.
    fn restore(&mut self, state: &State) -> Result<(), RunError> {
        let is_residue = |value: ValueId| matches!(self.plan.program.ty(value).element, Element::Residue(_));
        let (residues, integers): (Vec<_>, Vec<_>) =
            state.values.iter().partition(|(value, _)| is_residue(*value));
        for (value, batch) in integers.into_iter().chain(residues) {
            if self.tile.live.is_empty() {
                break;
            }
            self.restore_value(*value, batch)?;
        }
        Ok(())
    }

    fn restore_value(&mut self, value: ValueId, batch: &Batch<u64>) -> Result<(), RunError> {
        let (plan, words) = (self.plan, self.plan.words(value));
        let elements = plan.program.elements(value);
        let residue = match plan.program.ty(value).element {
            Element::Residue(modulus) => Some(modulus),
            _ => None,
        };
        let live = self.tile.live;
        if let Some(modulus) = residue {
            self.prepare(modulus, live);
            if let Some(instance) = live.without(self.tile.live).iter().next() {
                return Err(RunError::StateModulus { instance: self.tile.first + instance });
            }
        }
        let mut rows = self.take(value);
        let uniform = plan.uniform.contains(value);
        // Those of an instance that has not failed stand for all.
        for i in live.iter().take(if uniform { 1 } else { Mask::MOST }) {
            let first = if batch.instances() == elements { 0 } else { self.tile.first + i };
            let row = if uniform { 0 } else { i * elements * words };
            let out = &mut rows[row..][..elements * words];
            batch.read_instances(first * elements, out);
            if let Some(modulus) = residue {
                let ring = self.tile.rings[modulus.index()].get(i);
                for residue in out.chunks_exact_mut(words) {
                    let entered = ring.enter(residue, &mut self.room.memory.scratch);
                    residue.fill(0);
                    residue[..entered.len()].copy_from_slice(&entered);
                }
            }
        }
        self.put(value, rows);
        Ok(())
    }
}
