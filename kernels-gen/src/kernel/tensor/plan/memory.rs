//! The shared memory of a plan.

use super::TensorPlan;
use crate::spec::{Limits, SpecError};

impl TensorPlan {
    /// Less for devices with less shared memory.
    pub(super) fn fit(self, limits: &Limits) -> Result<Self, SpecError> {
        let mut plan = self;
        while plan.shared_bytes() > limits.shared_bytes && plan.team == 1 && plan.warps > 1 {
            plan.warps /= 2;
        }
        if plan.shared_bytes() > limits.shared_bytes {
            plan.copies = 2;
        }
        if plan.shared_bytes() > limits.shared_bytes {
            let (needed, limit) = (plan.shared_bytes(), limits.shared_bytes);
            return Err(SpecError::SharedMemory { needed, limit });
        }
        Ok(plan)
    }

    /// Words of an operand that a lane loads for a stage.
    pub(super) fn lane_words(&self, words: u32) -> u32 {
        (self.stage_instances * words).div_ceil(self.vector * 32 * self.team) * self.vector
    }

    /// Words of shared memory of an instance (`SLOT` of `templates/mul_tensor.cuh`).
    #[must_use]
    pub const fn slot_words(&self) -> u32 {
        if self.warpgroup {
            // `SHARED_WORDS` of `templates/mul_tensor_wgmma.cuh`.
            return 5 * 32 * self.tiles + 736;
        }
        let words = if self.paired { 16 } else { 32 * (self.tiles + self.wide as u32) };
        if self.copies == 1 {
            return 2 * words + 8 + 4 * self.thread_words();
        }
        let beside = match (self.copies, self.vector) {
            (4, 4) => 8,
            (4, _) => 40,
            _ if self.paired => 32,
            _ if self.stretch == 4 => 12,
            _ => 16,
        };
        let toeplitz = self.copies * (words + beside);
        // Eight quads of four words take the place of nine.
        let zeros = if self.paired { 4 } else { 8 };
        let plane = (words / 4 + zeros + 7) / 16 * 16 + 8;
        let data = if self.quads { 72 + words / 16 * 36 } else { 4 * plane };
        let all = self.areas[0] * toeplitz + self.areas[1] * data;
        // Lanes that store words of several instances meet different banks.
        match words {
            _ if self.quads => all,
            16 => all / 32 * 32 + 44,
            32 | 64 => (all + words / 4 - 1) / (words / 2) * (words / 2) + words / 4,
            _ => all,
        }
    }

    /// Dynamic shared memory of a block in bytes.
    #[must_use]
    pub const fn shared_bytes(&self) -> u64 {
        let groups = self.tiles.div_ceil(self.together) * (1 + self.wide as u32);
        // What a team's warps tell each other of each group.
        let partials = if self.team > 1 && !self.warpgroup { 3 * groups } else { 0 };
        let words = if self.team > 1 && self.intermediate { 32 * self.tiles } else { 0 };
        4 * (self.warps / self.team * self.stage_instances * self.slot_words() + partials + words) as u64
    }
}
