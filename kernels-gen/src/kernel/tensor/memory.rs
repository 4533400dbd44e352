//! The shared memory of a plan, and its adjustment to the expression, the width and the device.

use limbforge_algos::block::mul_tensor::{COLUMNS, psi};

use super::plan::{Schedule, Slots, TILE, TensorPlan, Tiling};
use super::rows::{Needs, Row};
use crate::spec::{Limits, SpecError, WARP};

/// Tiles up to which half a square has one copy, and from which on other squares take half the steps.
const MOST_TILES_ONE_COPY: u32 = 2;
const FEWEST_TILES_SQUARE: u32 = 9;

/// Words of a lane that are loaded ahead, at most; one product of 13 to 15 tiles leaves registers for more.
const MAX_PREFETCH: u32 = 16;
const MAX_PREFETCH_GROUP: u32 = 32;

/// Lanes that share the slots of a row or column.
const THREADS: u32 = 4;

impl TensorPlan {
    /// The algorithm of squares: a lone one of one pass by its lower half, others in half the steps if many.
    pub(super) const fn set_squares(&mut self, words: u32, needs: &Needs) {
        let tiles = words.div_ceil(TILE);
        let (tiling, schedule) = (&mut self.tiling, &self.schedule);
        let one_group = tiles <= schedule.tiles_per_pass
            && schedule.warps_per_instance == 1
            && !tiling.wide
            && !tiling.paired;
        let halved = needs.lone_square && one_group;
        self.squaring.half = if halved { words.div_ceil(2).next_multiple_of(tiling.vector) } else { 0 };
        if halved && tiles <= MOST_TILES_ONE_COPY {
            self.slots.copies = 1;
        } else if self.slots.copies == 1 {
            self.slots.copies = 2;
        }
        // With few tiles, the top tiles save fewer steps than they add instructions.
        let many = tiles >= FEWEST_TILES_SQUARE && tiles.is_multiple_of(schedule.tiles_per_pass);
        self.squaring.squares =
            needs.squares && !halved && self.slots.prebuilt_fragments && !tiling.wide && many;
        if halved || self.squaring.squares {
            tiling.top_skip = 0;
        }
    }

    /// Warps of a block and blocks of all but a product of two numbers, which has those of the row.
    pub(super) fn set_warps(&mut self, words: u32, needs: &Needs, row: &Row) {
        let (tiles, schedule) = (words.div_ceil(TILE), &mut self.schedule);
        if self.squaring.squares && tiles == 12 {
            (schedule.warps, schedule.blocks) = (4, 3);
        }
        if tiles >= 13 && schedule.tiles_per_pass == tiles && !needs.are_more() {
            (schedule.warps, schedule.stages, schedule.blocks) = (1, 8, 8);
        }
        if self.squaring.half > 0 {
            self.set_stages_of_halves(words);
        }
        self.set_interleave();
        let (wide, schedule) = (self.tiling.wide, &mut self.schedule);
        if schedule.warps_per_instance == 1 && (wide || needs.are_more()) {
            (schedule.warps, schedule.blocks) = row.warps_and_blocks(tiles, wide, needs.intermediate);
        }
    }

    /// Stages, warps and blocks of squares by their lower half: the fastest measured on an H200. With one or
    /// two tiles all lanes have the same number of vectors, if twice the instances achieve that.
    const fn set_stages_of_halves(&mut self, words: u32) {
        let (tiling, schedule) = (&self.tiling, &mut self.schedule);
        (schedule.stage_instances, schedule.stages, schedule.warps, schedule.blocks) = match tiling.tiles {
            1 => (8, 8, 4, 10),
            2 => (4, 8, 4, 8),
            3 => (1, 16, 4, 7),
            4 => (1, 16, 4, 8),
            5..=8 => (1, 16, 2, 8),
            9..=12 => (1, 16, 1, 11),
            _ => (1, 8, 1, 10),
        };
        let vectors = schedule.stage_instances * words / tiling.vector;
        if tiling.tiles <= 2 && !vectors.is_multiple_of(WARP) && (2 * vectors).is_multiple_of(WARP) {
            (schedule.stage_instances, schedule.stages) = (2 * schedule.stage_instances, schedule.stages / 2);
        }
    }

    /// As many steps together as skip those that the product does not need; a single step only among few.
    pub(super) const fn set_interleave(&mut self) {
        let tiling = &mut self.tiling;
        self.slots.k_interleave = match tiling.top_skip {
            _ if self.slots.prebuilt_fragments || tiling.wide || self.slots.copies == 1 => 1,
            0 if tiling.paired => 2,
            0 => 4,
            1 if tiling.tiles > 1 => 4,
            skip => 2 - skip % 2,
        };
        tiling.top_skip -= tiling.top_skip % self.slots.k_interleave;
    }

    /// Fewer instances at once where each takes more shared memory.
    pub(super) fn set_stages(&mut self, limits: &Limits) {
        self.slots.copies = 2;
        let fewest = if self.tiling.paired { 2 } else { 1 };
        while self.schedule.stage_instances > fewest
            && self.shared_bytes() * u64::from(self.schedule.blocks) > limits.shared_bytes
        {
            self.schedule.stage_instances /= 2;
            self.schedule.stages *= 2;
        }
    }

    pub(super) fn set_prefetch(&mut self, words: u32, needs: &Needs) {
        let (tiles, schedule) = (words.div_ceil(TILE), self.schedule);
        // Words of an operand that a lane loads for a stage.
        let vectors = (schedule.stage_instances * words)
            .div_ceil(self.tiling.vector * WARP * schedule.warps_per_instance);
        let inputs = if self.squaring.half > 0 { 1 } else { needs.inputs };
        let one_group = schedule.tiles_per_pass == tiles && matches!(tiles, 13..=15);
        let most = if one_group { MAX_PREFETCH_GROUP } else { MAX_PREFETCH };
        self.schedule.prefetch = schedule.warps_per_instance == 1
            && schedule.stages > 1
            && inputs * vectors * self.tiling.vector <= most;
    }

    /// Fewer warps or copies for devices with less shared memory.
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

    /// Words of a thread for a square with one copy: odd, and enough for the lower half (`THREAD_WORDS`).
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
