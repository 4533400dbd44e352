//! What a device does for the run of a program.

use limbforge_algos::program::{ProgramFailure, Rows, State};
use limbforge_limb::Batch;

use crate::engine::EngineError;

/// The results in the order of the program, the instances that failed, and the lists.
pub(super) type Results = (Vec<Batch<u64>>, Vec<ProgramFailure>, Vec<Rows>);

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The stage.
    pub(super) stage: usize,
    /// The rounds of its loop that are done.
    pub(super) round: u64,
    /// The most that an instance makes, or may make.
    pub(super) rounds: u64,
}

/// A run on a device, between two rounds of a loop of the top level. Any device goes on from the state of
/// another one.
pub(super) trait Slices: Send {
    /// Where the run stands.
    fn position(&self) -> Position;

    /// Whether nothing is left to compute but results.
    fn is_done(&self) -> bool;

    /// The instances that the GPUs compute at once; None on CPUs.
    fn instances_at_once(&self) -> Option<u64> {
        None
    }

    /// Whether instances that have finished leave their places on GPUs.
    fn set_compaction(&mut self, _compacts: bool) {}

    /// Computes up to so many rounds of the loop of this stage; if it ends, all before the next loop.
    fn advance(&mut self, rounds: u64) -> Result<(), EngineError>;

    /// Takes the rows of a list so far, by their instances. None if the program has no such list.
    fn take_rows(&mut self, list: usize) -> Option<Rows>;

    /// The state in plain integers.
    fn state(&mut self) -> Result<State, EngineError>;

    /// The results. Of a run that is not done, all that is left is computed at once.
    fn finish(self: Box<Self>) -> Result<Results, EngineError>;
}
