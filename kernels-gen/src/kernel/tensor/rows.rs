//! The table of plans of products on tensor cores: data, nothing here is CUDA.

use limbforge_algos::block::mul_tensor::TILE_WORDS;

use super::plan::Needs;

/// Tiles that are computed together, at most: of a product, and where upper halves, squares in sums or several phases take registers, too.
pub(super) const MOST_TOGETHER: u32 = 16;
pub(super) const MOST_TOGETHER_FEWER: u32 = 8;

/// A row of the table of plans.
pub(super) struct Row {
    /// Tiles up to which it holds; 0 for two instances in one tile.
    pub(super) tiles: u32,
    /// Tiles of a group at most.
    pub(super) together: u32,
    pub(super) quads: bool,
    pub(super) copies: u32,
    pub(super) team: u32,
    pub(super) warps: u32,
    pub(super) stage_instances: u32,
    pub(super) stages: u32,
    pub(super) blocks: u32,
}

impl Row {
    /// The row for operands of `words` words.
    pub(super) fn of(words: u32, paired: bool, wide: bool, needs: &Needs) -> &'static Self {
        let tiles = words.div_ceil(TILE_WORDS as u32);
        let few = needs.takes_registers(tiles);
        let alone = !wide && !few && needs.areas == Needs::PRODUCT.areas;
        let key = match tiles {
            _ if paired => 0,
            // Groups of seven or eight tiles take 6 to 30 % longer.
            13..=15 if alone => MOST_TOGETHER,
            _ => tiles,
        };
        let at = ROWS.iter().position(|row| key <= row.tiles).unwrap_or(ROWS.len() - 1);
        // Sums with squares and several phases take registers of their own: the row before one with many tiles together has fewer.
        let many = few && ROWS[at].together > MOST_TOGETHER_FEWER;
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
            (9..=24, false) if self.warps == 1 => (1, 9),
            _ => (self.warps, self.blocks),
        }
    }
}

/// The fastest measured on an H200 at the width that the row ends with, and at three quarters of it. Up to four tiles the
/// shared memory's traffic is the limit, beyond instructions, beyond 32 tiles registers and shared memory for enough
/// warps. Blocks of few warps leave less idle when they begin and end.
#[rustfmt::skip]
const ROWS: [Row; 16] = [
    Row { tiles: 0, together: 1, quads: false, copies: 2, team: 1, warps: 4, stage_instances: 8, stages: 16, blocks: 8 },
    Row { tiles: 1, together: 1, quads: false, copies: 2, team: 1, warps: 4, stage_instances: 4, stages: 16, blocks: 10 },
    Row { tiles: 2, together: 2, quads: false, copies: 2, team: 1, warps: 4, stage_instances: 4, stages: 8, blocks: 8 },
    Row { tiles: 3, together: 3, quads: false, copies: 2, team: 1, warps: 4, stage_instances: 1, stages: 16, blocks: 6 },
    Row { tiles: 4, together: 4, quads: false, copies: 2, team: 1, warps: 4, stage_instances: 1, stages: 16, blocks: 7 },
    Row { tiles: 8, together: 8, quads: true, copies: 2, team: 1, warps: 2, stage_instances: 1, stages: 16, blocks: 8 },
    Row { tiles: 12, together: 12, quads: true, copies: 2, team: 1, warps: 1, stage_instances: 1, stages: 16, blocks: 11 },
    Row { tiles: 15, together: 8, quads: true, copies: 2, team: 1, warps: 4, stage_instances: 1, stages: 8, blocks: 3 },
    Row { tiles: 16, together: 16, quads: true, copies: 2, team: 1, warps: 4, stage_instances: 1, stages: 4, blocks: 2 },
    Row { tiles: 20, together: 8, quads: true, copies: 2, team: 1, warps: 4, stage_instances: 1, stages: 2, blocks: 3 },
    Row { tiles: 24, together: 12, quads: true, copies: 2, team: 1, warps: 1, stage_instances: 1, stages: 2, blocks: 10 },
    Row { tiles: 28, together: 8, quads: true, copies: 2, team: 1, warps: 4, stage_instances: 1, stages: 2, blocks: 3 },
    Row { tiles: 32, together: 16, quads: true, copies: 4, team: 1, warps: 4, stage_instances: 1, stages: 2, blocks: 2 },
    Row { tiles: 60, together: 8, quads: true, copies: 2, team: 4, warps: 4, stage_instances: 1, stages: 2, blocks: 3 },
    Row { tiles: 64, together: 16, quads: true, copies: 4, team: 2, warps: 2, stage_instances: 1, stages: 1, blocks: 4 },
    Row { tiles: u32::MAX, together: 8, quads: true, copies: 2, team: 4, warps: 4, stage_instances: 1, stages: 1, blocks: 2 },
];
