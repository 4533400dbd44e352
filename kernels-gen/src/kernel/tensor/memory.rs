//! The shared memory of a plan.

use limbforge_algos::block::mul_tensor::{COLUMNS, psi};

use super::plan::{Schedule, Slots, TensorPlan, Tiling};

/// Lanes that share the slots of a row or column.
const THREADS: u32 = 4;

impl TensorPlan {
    /// Words of the slots of a thread for a square with one copy (`THREAD_WORDS` of
    /// `templates/mul_tensor.cuh`): an odd number with which all columns reach the digits of the lower half.
    /// 0 for other products.
    pub(super) const fn thread_words(&self) -> u32 {
        let slots = 4 * self.squaring.half + psi(COLUMNS - 1) as u32;
        if self.slots.copies == 1 { slots.div_ceil(4 * THREADS) | 1 } else { 0 }
    }

    /// Words of shared memory of an instance (`SLOT` of `templates/mul_tensor.cuh`).
    #[must_use]
    pub const fn slot_words(&self) -> u32 {
        let Tiling { vector, wide, tiles, paired, .. } = self.tiling;
        let Slots { prebuilt_fragments, k_interleave, copies, areas } = self.slots;
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
        // Eight vectors of four words take the place of nine.
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
        // Several warps of an instance exchange words of each group.
        let is_team = warps_per_instance > 1;
        let partials = if is_team && !self.warpgroup { 3 * groups } else { 0 };
        let words = if is_team && self.intermediate { 32 * self.tiling.tiles } else { 0 };
        4 * (warps / warps_per_instance * stage_instances * self.slot_words() + partials + words) as u64
    }
}
