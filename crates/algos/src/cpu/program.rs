//! Programs on the CPU, on all cores.
//!
//! Instances are cut into tiles of at most 64, whose values fit the cache. A thread runs the nodes of a
//! region one after the other, each for all active instances of the tile: `if`, `while` and loops of
//! different counts narrow them, and an instance that fails leaves them for good. What is one for all
//! instances is computed once for a tile.
//!
//! | file | contents |
//! | --- | --- |
//! | `plan.rs`, `plan/slots.rs` | where values lie; buffers by the use of values |
//! | `tile.rs`, `mask.rs` | a tile, its values; sets of its instances |
//! | `region.rs`, `loops.rs`, `rounds.rs` | nodes in order; loops and branches |
//! | `integers.rs`, `arrays.rs` | operations of integers and arrays |
//! | `residues.rs`, `powers.rs`, `rings.rs` | operations of residues, and their moduli |
//! | `inputs.rs`, `results.rs`, `states.rs` | batches from and to tiles |
//! | `lists.rs` | rows of lists |
//! | `progress.rs` | where a run stands |

mod arrays;
mod error;
mod inputs;
mod integers;
mod lists;
mod loops;
mod mask;
mod plan;
mod powers;
mod progress;
mod region;
mod residues;
mod results;
mod rings;
mod rounds;
mod states;
mod tile;

use limbforge_limb::Batch;
use rayon::prelude::*;

pub use self::error::RunError;
pub use self::inputs::check_inputs;
use self::lists::Emitted;
use self::mask::Mask;
use self::plan::Plan;
pub use self::progress::Progress;
pub use self::results::Completed;
pub use self::states::check_state;
use self::tile::{Machine, Room, Tile};
use crate::program::{ProgramFailure, Rows, State, TypedProgram};

/// Bytes of a tile's values: they lie in the second-level cache.
const TILE_BYTES: usize = 256 << 10;

/// A run of a program on the CPU: at once, or in slices.
///
/// A run can be cut between any two rounds of a loop of the top region. Its [state](Runner::state) there
/// consists of plain integers; a run [from](Runner::from_state) it gives the results of one that was never
/// cut.
///
/// ```
/// use limbforge_algos::cpu::program::Runner;
/// use limbforge_algos::program::Program;
/// use limbforge_limb::{Batch, Layout};
///
/// let text = "in N: u64, x: u64, t: u32\nvar y = x mod N\nrepeat t { y = sqr(y) }\nout y";
/// let program = Program::parse(text)?.typed(&[])?;
/// let batch = |ty: &str, values: &[u64]| {
///     Batch::<u64>::from_u64s(ty.parse().unwrap(), Layout::InstanceMajor, values).unwrap()
/// };
/// // N is one for all three instances.
/// let inputs = || vec![batch("u64", &[101]), batch("u64", &[2, 3, 5]), batch("u32", &[4, 1, 0])];
/// let mut run = Runner::new(&program, inputs(), 3)?;
/// run.advance(2);
/// let state = run.state();
/// assert_eq!((state.stage, state.round), (0, 2));
///
/// let again = Runner::from_state(&program, inputs(), 3, &state)?;
/// let (results, failures) = again.finish();
/// assert_eq!(results[0].to_u64s()?, [65536 % 101, 9, 5]);
/// assert!(failures.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Runner {
    plan: Plan,
    inputs: Vec<Batch<u64>>,
    instances: usize,
    per_tile: usize,
    /// None before the start.
    tiles: Option<Vec<Tile>>,
    /// The rows of the state that the run began with, and how many have been taken.
    before: Vec<Rows>,
    stage: usize,
    round: u64,
}

impl Runner {
    /// A run of so many instances. The inputs are in the order of [`TypedProgram::inputs`]: k integers for
    /// each instance, as many as [`elements`](crate::program::Input::elements) says, or just k, which are one
    /// for all instances. They may have any layout.
    ///
    /// # Errors
    /// [`RunError`] for inputs of other types or numbers, and for results that cannot be addressed.
    pub fn new(program: &TypedProgram, inputs: Vec<Batch<u64>>, instances: usize) -> Result<Self, RunError> {
        let one_for_all = check_inputs(program, &inputs, instances)?;
        results::check(program, instances)?;
        let plan = Plan::new(program, &inputs, &one_for_all);
        let fitting = TILE_BYTES / plan.bytes_per_instance().max(1);
        let spread = instances.div_ceil(rayon::current_num_threads());
        let per_tile = fitting.min(spread).clamp(1, Mask::MOST);
        let before = vec![];
        Ok(Self { plan, inputs, instances, per_tile, tiles: None, before, stage: 0, round: 0 })
    }

    /// The run where instance i has the number `numbers[i]` for the program, as some instances of a larger batch
    /// have. Before the start.
    #[must_use]
    pub fn numbered(mut self, numbers: Vec<u64>) -> Self {
        self.plan.numbers = Some(numbers);
        self
    }

    /// A run that goes on from a state of this program with these inputs.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), and [`RunError`] for a state that does not fit the program.
    pub fn from_state(
        program: &TypedProgram,
        inputs: Vec<Batch<u64>>,
        instances: usize,
        state: &State,
    ) -> Result<Self, RunError> {
        let mut run = Self::new(program, inputs, instances)?;
        run.tiles = Some(states::tiles(&run, state)?);
        (run.stage, run.round) = (state.stage, state.round);
        run.before.clone_from(&state.lists);
        run.plan.emitted = state.lists.iter().map(|rows| Emitted::new(rows.appended())).collect();
        Ok(run)
    }

    /// Runs all before the first loop of the top region, unless that is done.
    pub fn start(&mut self) {
        if self.tiles.is_none() {
            let starts: Vec<usize> = (0..self.instances).step_by(self.per_tile).collect();
            let tile = |room: &mut Room, first: usize| {
                let mut tile = Tile::default();
                tile.load(&self.plan, &self.inputs, first, self.per_tile.min(self.instances - first));
                Machine { plan: &self.plan, tile: &mut tile, room }.begin_stage(0);
                tile
            };
            self.tiles = Some(starts.into_par_iter().map_init(Room::default, tile).collect());
        }
    }

    /// Runs up to so many rounds of the loop of the stage, and if it ends, all before the next loop.
    pub fn advance(&mut self, rounds: u64) {
        self.start();
        let Self { plan, tiles: Some(tiles), stage, round, .. } = self else { return };
        let Some(node) = plan.stages[*stage].cut_loop(&plan.program) else { return };
        let slice = *round..round.saturating_add(rounds);
        tiles.par_iter_mut().for_each_init(Room::default, |room, tile| {
            if !tile.is_through {
                tile.is_through = Machine { plan, tile: &mut *tile, room }.run_loop(node, slice.clone());
            }
        });
        *round = slice.end;
        if tiles.iter().all(|tile| tile.is_through) {
            (*stage, *round) = (*stage + 1, 0);
            tiles.par_iter_mut().for_each_init(Room::default, |room, tile| {
                tile.is_through = false;
                Machine { plan, tile, room }.begin_stage(*stage);
            });
        }
    }

    /// Whether all is done but the results.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.tiles.is_some() && self.plan.stages[self.stage].cut.is_none()
    }

    /// The state of the run, a copy.
    pub fn state(&mut self) -> State {
        self.start();
        states::state(self)
    }

    /// Runs what is left. Returns the results in the order of [`TypedProgram::results`], instance by
    /// instance, and the instances that failed, in order; their results are 0. Of a program with lists,
    /// [`complete`](Self::complete) returns these, too.
    #[must_use]
    pub fn finish(self) -> (Vec<Batch<u64>>, Vec<ProgramFailure>) {
        let Completed { results, failures, .. } = results::finish(self).0;
        (results, failures)
    }
}

impl Machine<'_> {
    /// Runs the straight nodes of a stage and enters its loop.
    fn begin_stage(&mut self, stage: usize) {
        let (program, stage) = (&self.plan.program, &self.plan.stages[stage]);
        let active = self.nodes(&program.body().nodes[stage.nodes.clone()], self.tile.live);
        if let Some(node) = stage.cut_loop(program) {
            self.enter(node, active);
        }
    }
}
