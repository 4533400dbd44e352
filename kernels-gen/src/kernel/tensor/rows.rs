//! The table of plans of products on tensor cores: data, nothing here is CUDA.

use super::needs::{MOST_TOGETHER, MOST_TOGETHER_FEWER, Needs};
use super::plan::{Schedule, TILE};

/// A row of the table of plans.
pub(super) struct Row {
    /// Tiles up to which it holds; 0 for two instances in one tile.
    tiles: u32,
    pub(super) prebuilt_fragments: bool,
    pub(super) copies: u32,
    /// With the tiles of a group at most.
    pub(super) schedule: Schedule,
}

impl Row {
    /// The row for operands of `words` words.
    pub(super) fn of(words: u32, wide: bool, needs: &Needs) -> &'static Self {
        let tiles = words.div_ceil(TILE);
        let few = needs.takes_registers(tiles);
        let key = match tiles {
            _ if words <= TILE / 2 && !wide => 0,
            // Groups of seven or eight tiles take 6 to 30 % longer.
            13..=15 if !wide && !few && !needs.are_more() => MOST_TOGETHER,
            _ => tiles,
        };
        let at = ROWS.iter().position(|row| key <= row.tiles).unwrap_or(ROWS.len() - 1);
        // Sums with squares and several phases take registers of their own: the row before one with many tiles together has fewer.
        let many = few && ROWS[at].schedule.tiles_per_pass > MOST_TOGETHER_FEWER;
        // Two groups of twelve, in loads of four words; 2.9 times as long with 21 tiles, 4 % longer with loads of two words.
        let unequal = ROWS[at].tiles == 24 && (tiles < 24 || !words.is_multiple_of(4));
        &ROWS[if many || unequal { at - 1 } else { at }]
    }

    /// Warps of a block and blocks for more than one low product, which takes more registers; several phases, whose warps wait for
    /// one another, are the faster the smaller blocks are.
    pub(super) const fn warps_with_registers(
        &self,
        tiles: u32,
        wide: bool,
        intermediate: bool,
    ) -> (u32, u32) {
        match (tiles, intermediate) {
            _ if self.tiles == 0 => (4, 8),
            (1, true) => (2, 14),
            (2, true) => (2, 10),
            (3..=4, true) => (2, 8),
            (5..=8, true) => (2, 6),
            (9.., true) => (4, 3),
            (..=2, false) => (4, 8),
            (3..=4, false) => (4, 6),
            (5.., false) if wide => (4, 3),
            // Sums of products, in blocks of one warp: registers enough that nothing is spilled.
            (9..=24, false) if self.schedule.warps == 1 => (1, 9),
            _ => (self.schedule.warps, self.schedule.blocks),
        }
    }
}

/// Tiles; tiles together, quads, copies; warps of a team and of a block; instances of a stage, stages, and blocks.
const fn row(
    tiles: u32,
    (tiles_per_pass, prebuilt_fragments, copies): (u32, bool, u32),
    [warps_per_instance, warps]: [u32; 2],
    [stage_instances, stages, blocks]: [u32; 3],
) -> Row {
    let schedule = Schedule {
        tiles_per_pass,
        warps_per_instance,
        warps,
        stage_instances,
        stages,
        prefetch: false,
        blocks,
    };
    Row { tiles, prebuilt_fragments, copies, schedule }
}

/// The fastest measured on an H200 at the width that the row ends with, and at three quarters of it. Up to four tiles the
/// shared memory's traffic is the limit, beyond instructions, beyond 32 tiles registers and shared memory for enough
/// warps. Blocks of few warps have a shorter ramp-up and tail.
const ROWS: [Row; 16] = [
    row(0, (1, false, 2), [1, 4], [8, 16, 8]),
    row(1, (1, false, 2), [1, 4], [4, 16, 10]),
    row(2, (2, false, 2), [1, 4], [4, 8, 8]),
    row(3, (3, false, 2), [1, 4], [1, 16, 6]),
    row(4, (4, false, 2), [1, 4], [1, 16, 7]),
    row(8, (8, true, 2), [1, 2], [1, 16, 8]),
    row(12, (12, true, 2), [1, 1], [1, 16, 11]),
    row(15, (8, true, 2), [1, 4], [1, 8, 3]),
    row(16, (16, true, 2), [1, 4], [1, 4, 2]),
    row(20, (8, true, 2), [1, 4], [1, 2, 3]),
    row(24, (12, true, 2), [1, 1], [1, 2, 10]),
    row(28, (8, true, 2), [1, 4], [1, 2, 3]),
    row(32, (16, true, 4), [1, 4], [1, 2, 2]),
    row(60, (8, true, 2), [4, 4], [1, 2, 3]),
    row(64, (16, true, 4), [2, 2], [1, 1, 4]),
    row(u32::MAX, (8, true, 2), [4, 4], [1, 1, 2]),
];
