//! The shared memory of a plan.

use super::plan::{Schedule, Slots, TensorPlan, Tiling};
use crate::spec::{Limits, SpecError};

impl TensorPlan {
    /// Less for devices with less shared memory.
    pub(super) fn fit(mut self, limits: &Limits) -> Result<Self, SpecError> {
        while self.shared_bytes() > limits.shared_bytes
            && self.schedule.warps_per_instance == 1
            && self.schedule.warps > 1
        {
            self.schedule.warps /= 2;
        }
        if self.shared_bytes() > limits.shared_bytes {
            self.slots.copies = 2;
        }
        limits.check_shared(self.shared_bytes())?;
        Ok(self)
    }

    /// Words of an operand that a lane loads for a stage.
    pub(super) const fn lane_words(&self, words: u32) -> u32 {
        let (Tiling { vector, .. }, Schedule { stage_instances, warps_per_instance, .. }) =
            (self.tiling, self.schedule);
        (stage_instances * words).div_ceil(vector * 32 * warps_per_instance) * vector
    }

    /// Words of shared memory of an instance (`SLOT` of `templates/mul_tensor.cuh`).
    #[must_use]
    pub const fn slot_words(&self) -> u32 {
        let (
            Tiling { vector, wide, tiles, paired, .. },
            Slots { prebuilt_fragments, k_interleave, copies, areas },
        ) = (self.tiling, self.slots);
        if self.warpgroup {
            // `SHARED_WORDS` of `templates/mul_tensor_wgmma.cuh`.
            return 5 * 32 * tiles + 736;
        }
        let words = if paired { 16 } else { 32 * (tiles + wide as u32) };
        if copies == 1 {
            return 2 * words + 8 + 4 * self.thread_words();
        }
        let beside = match (copies, vector) {
            (4, 4) => 8,
            (4, _) => 40,
            _ if paired => 32,
            _ if k_interleave == 4 => 12,
            _ => 16,
        };
        let toeplitz = copies * (words + beside);
        // Eight quads of four words take the place of nine.
        let zeros = if paired { 4 } else { 8 };
        let plane = (words / 4 + zeros + 7) / 16 * 16 + 8;
        let data = if prebuilt_fragments { 72 + words / 16 * 36 } else { 4 * plane };
        let all = areas[0] * toeplitz + areas[1] * data;
        // Lanes that store words of several instances meet different banks.
        match words {
            _ if prebuilt_fragments => all,
            16 => all / 32 * 32 + 44,
            32 | 64 => (all + words / 4 - 1) / (words / 2) * (words / 2) + words / 4,
            _ => all,
        }
    }

    /// Dynamic shared memory of a block in bytes.
    #[must_use]
    pub const fn shared_bytes(&self) -> u64 {
        let Schedule { tiles_per_pass, warps_per_instance, warps, stage_instances, .. } = self.schedule;
        let groups = self.tiling.tiles.div_ceil(tiles_per_pass) * (1 + self.tiling.wide as u32);
        // What a team's warps exchange of each group.
        let partials = if warps_per_instance > 1 && !self.warpgroup { 3 * groups } else { 0 };
        let words = if warps_per_instance > 1 && self.intermediate { 32 * self.tiling.tiles } else { 0 };
        4 * (warps / warps_per_instance * stage_instances * self.slot_words() + partials + words) as u64
    }
}
