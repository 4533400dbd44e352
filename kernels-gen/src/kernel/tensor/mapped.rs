//! A product on tensor cores with other numbers than those of the table of plans.

use super::choice::groups;
use super::needs::{MOST_TOGETHER, MOST_TOGETHER_FEWER, Needs};
use super::phases::Phases;
use super::plan::{Schedule, TILE, TensorPlan, Tiling};
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
            let Schedule { together: own, team: own_team, warps: own_warps, .. } = self.schedule;
            if [together, team, warps] == [own, own_team, own_warps] {
                return Ok(self);
            }
            let plan = Self::by_warps(words, limits)?;
            return plan.mapped(words, phases, [together, team, warps], limits);
        }
        let needs = Needs::of(phases);
        self.check_mapping(words, &needs, [together, team, warps])?;
        let together = groups(words.div_ceil(TILE), together);
        let blocks = (limits.registers / (32 * warps * Self::registers(together))).max(1);
        let mut plan = Self {
            tiling: Tiling::new(words, self.tiling.wide, together),
            schedule: Schedule { together, team, warps, blocks, ..self.schedule },
            ..self
        };
        plan.set_squares(words, &needs);
        plan.set_stretch();
        if team > 1 {
            (plan.schedule.stage_instances, plan.schedule.prefetch) = (1, false);
        }
        limits.check_shared(plan.shared_bytes())?;
        Ok(plan)
    }

    /// Whether some kernel has these numbers.
    fn check_mapping(
        &self,
        words: u32,
        needs: &Needs,
        [together, team, warps]: [u32; 3],
    ) -> Result<(), SpecError> {
        let fewer =
            self.tiling.wide || needs.takes_registers(words.div_ceil(TILE)) || needs.squares && team > 1;
        let most = if fewer { MOST_TOGETHER_FEWER } else { MOST_TOGETHER };
        if !(1..=most).contains(&together) {
            let expected = if fewer { "1 to 8" } else { "1 to 16" };
            return SpecError::mapping("tiles that are computed together", together, expected);
        }
        if ![1, 2, 4, 8].contains(&team) || team > 1 && self.tiling.paired {
            let expected = "1, 2, 4 or 8; 1 with two instances in a tile";
            return SpecError::mapping("warps of an instance", team, expected);
        }
        if warps == 0 || warps > MOST_WARPS || team > 1 && warps != team {
            let expected = "1 to 16, or those of an instance with several";
            return SpecError::mapping("warps of a block", warps, expected);
        }
        Ok(())
    }
}
