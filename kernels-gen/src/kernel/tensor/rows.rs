//! The table of plans of products on tensor cores, and the needs of expressions: data, no CUDA.

use super::areas::Areas;
use super::phases::Phases;
use super::plan::{Schedule, Slots, TILE};

/// Tiles per pass at most, and where wide products, squares in sums or several phases take registers.
pub(super) const MOST_TOGETHER: u32 = 16;
pub(super) const MOST_TOGETHER_FEWER: u32 = 8;

/// The values that a kernel holds in shared memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    pub(super) areas: [u32; 2],
    /// Operands that are loaded into it.
    pub(super) inputs: u32,
    /// Whether it has more than one phase.
    pub(super) intermediate: bool,
    /// Whether a phase begins with a square.
    pub(super) squares: bool,
    /// Whether its only product is a square whose factor is nothing else.
    pub(super) lone_square: bool,
}

impl Needs {
    pub(super) fn of(phases: &Phases) -> Self {
        let areas = Areas::of(phases);
        let placed = areas.inputs.iter().filter(|forms| **forms != [None, None]).count();
        Self {
            areas: areas.counts,
            inputs: placed.max(2) as u32,
            intermediate: phases.phases.len() > 1,
            squares: phases.has_squares(),
            lone_square: phases.is_lone_square(),
        }
    }

    /// Whether there is more than one low product.
    pub(super) fn are_more(&self) -> bool {
        self.areas != Slots::ONE_PRODUCT
    }

    /// Whether squares or phases take more registers than a product, unlike a lone square by its half.
    pub(super) const fn takes_registers(&self, tiles: u32) -> bool {
        self.intermediate || self.squares && !(self.lone_square && tiles <= MOST_TOGETHER)
    }
}

/// A row of the table of plans.
pub(super) struct Row {
    /// Tiles up to which it holds; 0 for two instances in one tile.
    tiles: u32,
    pub(super) prebuilt_fragments: bool,
    pub(super) copies: u32,
    /// With the tiles of a pass at most.
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
        // These take registers: the row before one with many tiles per pass has fewer.
        let many = few && ROWS[at].schedule.tiles_per_pass > MOST_TOGETHER_FEWER;
        // Two groups of twelve: 2.9 times as long with 21 tiles, 4 % longer with loads of two words.
        let unequal = ROWS[at].tiles == 24 && (tiles < 24 || !words.is_multiple_of(4));
        &ROWS[if many || unequal { at - 1 } else { at }]
    }

    /// Warps and blocks for more than one low product: phases, whose warps wait, are faster in small blocks.
    pub(super) const fn warps_and_blocks(&self, tiles: u32, wide: bool, intermediate: bool) -> (u32, u32) {
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

const fn row(tiles: u32, prebuilt_fragments: bool, copies: u32, schedule: Schedule) -> Row {
    Row { tiles, prebuilt_fragments, copies, schedule }
}

/// The fastest measured on an H200 at the width that the row ends with, and at three quarters of it. Up to
/// four tiles the shared memory's traffic is the limit, beyond instructions, beyond 32 tiles registers and
/// shared memory for enough warps. Blocks of few warps have a shorter ramp-up and tail. A schedule lists
/// tiles per pass, warps of an instance and of a block; instances of a stage, stages, blocks.
const ROWS: [Row; 16] = [
    row(0, false, 2, Schedule::new([1, 1, 4], [8, 16, 8])),
    row(1, false, 2, Schedule::new([1, 1, 4], [4, 16, 10])),
    row(2, false, 2, Schedule::new([2, 1, 4], [4, 8, 8])),
    row(3, false, 2, Schedule::new([3, 1, 4], [1, 16, 6])),
    row(4, false, 2, Schedule::new([4, 1, 4], [1, 16, 7])),
    row(8, true, 2, Schedule::new([8, 1, 2], [1, 16, 8])),
    row(12, true, 2, Schedule::new([12, 1, 1], [1, 16, 11])),
    row(15, true, 2, Schedule::new([8, 1, 4], [1, 8, 3])),
    row(16, true, 2, Schedule::new([16, 1, 4], [1, 4, 2])),
    row(20, true, 2, Schedule::new([8, 1, 4], [1, 2, 3])),
    row(24, true, 2, Schedule::new([12, 1, 1], [1, 2, 10])),
    row(28, true, 2, Schedule::new([8, 1, 4], [1, 2, 3])),
    row(32, true, 4, Schedule::new([16, 1, 4], [1, 2, 2])),
    row(60, true, 2, Schedule::new([8, 4, 4], [1, 2, 3])),
    row(64, true, 4, Schedule::new([16, 2, 2], [1, 1, 4])),
    row(u32::MAX, true, 2, Schedule::new([8, 4, 4], [1, 1, 2])),
];
