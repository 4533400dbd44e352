//! A product on tensor cores with other numbers than those of the table of plans.

use limbforge_algos::block::mul_tensor::{TILE_WORDS, steps};

use super::phases::Phases;
use super::plan::{Needs, TensorPlan};
use super::rows::{MOST_TOGETHER, MOST_TOGETHER_FEWER};
use crate::spec::{Limits, SpecError};

/// Registers beside what tiles that are computed together take, and of each: four sums, and eight in the ring.
const OTHER_REGISTERS: u32 = 32;
const TILE_REGISTERS: u32 = 12;

/// Warps of a block, at most.
const MOST_WARPS: u32 = 16;

impl TensorPlan {
    /// Registers of a thread that computes so many tiles together, as an estimate.
    pub(crate) const fn registers(together: u32) -> u32 {
        OTHER_REGISTERS + TILE_REGISTERS * together
    }

    /// The same product of `words` words with at most `together` tiles at a time, `team` warps for an instance and `warps` for a block.
    /// Blocks are as many as registers allow.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] for numbers that no kernel has, [`SpecError::SharedMemory`] if the instances of a block do not fit.
    pub(crate) fn mapped(
        self,
        words: u32,
        phases: &Phases,
        [together, team, warps]: [u32; 3],
        limits: &Limits,
    ) -> Result<Self, SpecError> {
        if self.warpgroup {
            // Its numbers are its own; others are those of the product without warpgroups.
            let same = [together, team, warps] == [self.together, self.team, self.warps];
            if same {
                return Ok(self);
            }
            let plan = Self::by_warps(words, limits)?;
            return plan.mapped(words, phases, [together, team, warps], limits);
        }
        let wrong = |what, found, expected| Err(SpecError::Mapping { what, found, expected });
        let (tile, needs) = (TILE_WORDS as u32, Needs::of(phases));
        let tiles = words.div_ceil(tile);
        let fewer = self.wide || needs.takes_registers(tiles) || needs.squares && team > 1;
        let most = if fewer { MOST_TOGETHER_FEWER } else { MOST_TOGETHER };
        if !(1..=most).contains(&together) {
            let expected = if fewer { "1 to 8" } else { "1 to 16" };
            return wrong("tiles that are computed together", together, expected);
        }
        if ![1, 2, 4, 8].contains(&team) || team > 1 && self.paired {
            return wrong("warps of an instance", team, "1, 2, 4 or 8; 1 with two instances in a tile");
        }
        if warps == 0 || warps > MOST_WARPS || team > 1 && warps != team {
            return wrong("warps of a block", warps, "1 to 16, or those of an instance with several");
        }
        let together = tiles.div_ceil(tiles.div_ceil(together));
        let mut plan = Self { together, team, warps, ..self };
        if plan.wide {
            plan.tiles = tiles.next_multiple_of(together);
        }
        let top_steps = steps(tiles as usize - 1, (words - tile * (tiles - 1)) as usize) as u32;
        let all_steps = if plan.paired { 2 } else { 4 * tiles };
        let skips = tiles <= together && !plan.wide;
        plan.top_skip = if skips { all_steps - top_steps } else { 0 };
        plan.set_squares(words, &needs);
        plan.set_stretch();
        if team > 1 {
            (plan.stage_instances, plan.prefetch) = (1, false);
        }
        plan.blocks = (limits.registers / (32 * warps * Self::registers(together))).max(1);
        let (needed, limit) = (plan.shared_bytes(), limits.shared_bytes);
        if needed > limit { Err(SpecError::SharedMemory { needed, limit }) } else { Ok(plan) }
    }
}
