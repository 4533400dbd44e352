//! Where a run stands.

use super::Runner;
use super::rounds::Counts;
use super::tile::Tile;
use crate::program::Kind;

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The stage, from 0.
    pub stage: usize,
    /// The stages of the program; in the last one the run is at its end.
    pub stages: usize,
    /// The rounds of the stage's loop that are done.
    pub round: u64,
    /// The most rounds that an instance makes, the limit of a `while` loop; 0 before the start and at the
    /// end.
    pub rounds: u64,
}

impl Runner {
    /// Where the run stands.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let Self { plan, stage, round, .. } = self;
        let tiles = self.tiles.iter().flatten();
        let rounds = match plan.stages[*stage].cut_loop(&plan.program) {
            None => 0,
            Some(node) => match node.kind {
                Kind::For { over, after, .. } => {
                    let most = |tile: &Tile| {
                        Counts::new(plan, &tile.slots, node, (over, after), tile.live).most(tile.live)
                    };
                    tiles.map(most).max().unwrap_or(0)
                }
                Kind::While { limit, .. } if self.tiles.is_some() => limit,
                _ => 0,
            },
        };
        Progress { stage: *stage, stages: plan.stages.len(), round: *round, rounds }
    }
}
