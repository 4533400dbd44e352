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
    pub(crate) const fn registers(tiles_per_pass: u32) -> u32 {
        OTHER_REGISTERS + TILE_REGISTERS * tiles_per_pass
    }

    /// The same product of `words` words with at most `tiles_per_pass` tiles at a time, `warps_per_instance` warps for an instance and `warps` for a block.
    /// Blocks are as many as registers allow.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] for numbers that no kernel has, [`SpecError::SharedMemory`] if the instances of a block do not fit.
    pub(crate) fn mapped(
        self,
        words: u32,
        phases: &Phases,
        [tiles_per_pass, warps_per_instance, warps]: [u32; 3],
        limits: &Limits,
    ) -> Result<Self, SpecError> {
        if self.warpgroup {
            // Its numbers are its own; others are those of the product without warpgroups.
            let Schedule { tiles_per_pass: own, warps_per_instance: own_team, warps: own_warps, .. } =
                self.schedule;
            if [tiles_per_pass, warps_per_instance, warps] == [own, own_team, own_warps] {
                return Ok(self);
            }
            let plan = Self::by_warps(words, limits)?;
            return plan.mapped(words, phases, [tiles_per_pass, warps_per_instance, warps], limits);
        }
        let needs = Needs::of(phases);
        self.check_mapping(words, &needs, [tiles_per_pass, warps_per_instance, warps])?;
        let tiles_per_pass = groups(words.div_ceil(TILE), tiles_per_pass);
        let blocks = (limits.registers / (32 * warps * Self::registers(tiles_per_pass))).max(1);
        let mut plan = Self {
            tiling: Tiling::new(words, self.tiling.wide, tiles_per_pass),
            schedule: Schedule { tiles_per_pass, warps_per_instance, warps, blocks, ..self.schedule },
            ..self
        };
        plan.set_squares(words, &needs);
        plan.set_stretch();
        if warps_per_instance > 1 {
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
        [tiles_per_pass, warps_per_instance, warps]: [u32; 3],
    ) -> Result<(), SpecError> {
        let fewer = self.tiling.wide
            || needs.takes_registers(words.div_ceil(TILE))
            || needs.squares && warps_per_instance > 1;
        let most = if fewer { MOST_TOGETHER_FEWER } else { MOST_TOGETHER };
        let expected = if fewer { "1 to 8" } else { "1 to 16" };
        let is_group = (1..=most).contains(&tiles_per_pass);
        SpecError::require(is_group, "tiles that are computed together", tiles_per_pass, expected)?;
        let is_team = [1, 2, 4, 8].contains(&warps_per_instance);
        SpecError::require(
            is_team && (warps_per_instance == 1 || !self.tiling.paired),
            "warps of an instance",
            warps_per_instance,
            "1, 2, 4 or 8; 1 with two instances in a tile",
        )?;
        let is_block = (1..=MOST_WARPS).contains(&warps);
        SpecError::require(
            is_block && (warps_per_instance == 1 || warps == warps_per_instance),
            "warps of a block",
            warps,
            "1 to 16, or those of an instance with several",
        )
    }
}
