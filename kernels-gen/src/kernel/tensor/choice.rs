//! The plan of a product on tensor cores for its width and what it computes.

use limbforge_algos::block::mul_tensor::check;

use super::needs::{MOST_TOGETHER_FEWER, Needs};
use super::phases::Phases;
use super::plan::{Schedule, Slots, Squaring, TILE, TensorPlan, Tiling};
use super::rows::Row;
use crate::spec::{Limits, ProductForm, SpecError};

/// Words of a lane that are loaded ahead at most: registers. One product of 13 to 15 tiles takes no more than there are.
const MAX_PREFETCH: u32 = 16;
const MAX_PREFETCH_GROUP: u32 = 32;

/// Warps of a multiprocessor below which more of them share an instance: fewer do not keep the tensor cores busy.
const FEWEST_WARPS: u64 = 8;

/// Words of the columns that a warpgroup computes together: 32 of 64 digits.
const GROUP_WORDS: u32 = 512;

/// Whether a warpgroup to an instance was measured faster, by 4 to 20 %: widths that fill three or four groups of columns.
const fn is_faster_by_warpgroups(words: u32) -> bool {
    words.is_multiple_of(4) && matches!(words, 1488..=1536 | 1920..=2048)
}

/// Groups of about as many tiles, at most so many.
pub(super) const fn groups(tiles: u32, most: u32) -> u32 {
    tiles.div_ceil(tiles.div_ceil(most))
}

impl TensorPlan {
    /// The plan for operands of `words` words of 32 bits on a device with these limits. Wide products take that of low ones
    /// with two copies and at most eight tiles together.
    ///
    /// # Errors
    /// [`SpecError::Digits`] if coefficients could leave their 32 bits, [`SpecError::Matrices`] if the device cannot,
    /// [`SpecError::SharedMemory`] if an instance does not fit a block.
    pub fn new(words: u32, form: ProductForm, limits: &Limits) -> Result<Self, SpecError> {
        if limits.warpgroups && form == ProductForm::Low && is_faster_by_warpgroups(words) {
            return Ok(Self::of_warpgroups(words));
        }
        Self::with(words, form, &Needs::PRODUCT, limits)?.fit(limits)
    }

    /// That of a low product without warpgroups.
    ///
    /// # Errors
    /// Those of [`TensorPlan::new`].
    pub(super) fn by_warps(words: u32, limits: &Limits) -> Result<Self, SpecError> {
        Self::with(words, ProductForm::Low, &Needs::PRODUCT, limits)?.fit(limits)
    }

    /// A warpgroup to an instance.
    fn of_warpgroups(words: u32) -> Self {
        let tiles = words.next_multiple_of(GROUP_WORDS) / TILE;
        let tiling = Tiling { vector: 4, wide: false, tiles, paired: false, top_skip: 0 };
        let schedule = Schedule {
            tiles_per_pass: 16,
            warps_per_instance: 4,
            warps: 4,
            stage_instances: 1,
            stages: 2,
            prefetch: false,
            blocks: 4,
        };
        let slots =
            Slots { prebuilt_fragments: false, k_interleave: 1, copies: 4, areas: Slots::ONE_PRODUCT };
        let squaring = Squaring::default();
        Self { tiling, schedule, slots, squaring, intermediate: false, warpgroup: true }
    }

    /// The plan for an expression's phases, whose products are low ones: that of one product, with as many warps as the shared
    /// memory of all values leaves room for.
    ///
    /// # Errors
    /// Those of [`TensorPlan::new`].
    pub fn for_phases(words: u32, phases: &Phases, limits: &Limits) -> Result<Self, SpecError> {
        let needs = Needs::of(phases);
        if phases.is_product() && !needs.squares {
            return Self::new(words, ProductForm::Low, limits);
        }
        let mut plan = Self::with(words, ProductForm::Low, &needs, limits)?;
        if !needs.are_more() {
            plan = plan.fit(limits)?;
        }
        if phases.is_product() {
            return Ok(plan);
        }
        let warps = limits.shared_bytes / u64::from(4 * plan.slot_words())
            * u64::from(plan.schedule.warps_per_instance);
        if warps < FEWEST_WARPS {
            plan = plan.with_team(words, &needs);
        }
        plan.fit(limits)
    }

    /// Teams of two or four warps, and groups small enough for all of them: measured on an H200.
    fn with_team(mut self, words: u32, needs: &Needs) -> Self {
        let tiles = words.div_ceil(TILE);
        let (warps_per_instance, tiles_per_pass) = match tiles {
            ..=40 if needs.squares => (4, 4),
            ..=40 => (2, 8),
            _ => (4, 8),
        };
        self.slots.copies = 2;
        self.schedule = Schedule {
            tiles_per_pass: groups(tiles, tiles_per_pass),
            warps_per_instance,
            warps: warps_per_instance,
            stages: 1,
            prefetch: false,
            blocks: 64 / (warps_per_instance * tiles_per_pass),
            ..self.schedule
        };
        self.set_squares(words, needs);
        self
    }

    fn with(words: u32, form: ProductForm, needs: &Needs, limits: &Limits) -> Result<Self, SpecError> {
        if !limits.matrices {
            return Err(SpecError::Matrices);
        }
        check(4 * words as usize)?;
        let (wide, tiles) = (form == ProductForm::Wide, words.div_ceil(TILE));
        let row = Row::of(words, wide, needs);
        let most = row.schedule.tiles_per_pass;
        // The steps of a wide product begin and end in two ways, which takes registers. For the same reason blocks are smaller.
        let tiles_per_pass = groups(tiles, if wide { most.min(MOST_TOGETHER_FEWER) } else { most });
        // Four tiles have steps enough for instructions to be the limit where there is more to do than one low product.
        let prebuilt_fragments = row.prebuilt_fragments || tiles == 4 && (wide || needs.are_more());
        let copies = if wide { 2 } else { row.copies };
        let mut plan = Self {
            tiling: Tiling::new(words, wide, tiles_per_pass),
            schedule: Schedule { tiles_per_pass, ..row.schedule },
            slots: Slots { prebuilt_fragments, k_interleave: 1, copies, areas: needs.areas },
            squaring: Squaring::default(),
            intermediate: needs.intermediate,
            warpgroup: false,
        };
        plan.set_squares(words, needs);
        plan.set_warps(words, needs, row);
        if needs.are_more() {
            plan.set_stages(limits);
        }
        plan.set_prefetch(words, needs);
        Ok(plan)
    }

    /// Warps of a block and blocks of what is not a product of two numbers as the row has it.
    fn set_warps(&mut self, words: u32, needs: &Needs, row: &Row) {
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
        self.set_stretch();
        let (wide, schedule) = (self.tiling.wide, &mut self.schedule);
        if schedule.warps_per_instance == 1 && (wide || needs.are_more()) {
            (schedule.warps, schedule.blocks) = row.warps_with_registers(tiles, wide, needs.intermediate);
        }
    }

    /// What instances take more of shared memory, fewer of them at once leave to others.
    fn set_stages(&mut self, limits: &Limits) {
        self.slots.copies = 2;
        let fewest = if self.tiling.paired { 2 } else { 1 };
        while self.schedule.stage_instances > fewest
            && self.shared_bytes() * u64::from(self.schedule.blocks) > limits.shared_bytes
        {
            self.schedule.stage_instances /= 2;
            self.schedule.stages *= 2;
        }
    }

    fn set_prefetch(&mut self, words: u32, needs: &Needs) {
        let (tiles, schedule) = (words.div_ceil(TILE), self.schedule);
        let ahead = if self.squaring.half > 0 { 1 } else { needs.inputs } * self.lane_words(words);
        let one_group = schedule.tiles_per_pass == tiles && matches!(tiles, 13..=15);
        let most = if one_group { MAX_PREFETCH_GROUP } else { MAX_PREFETCH };
        self.schedule.prefetch = schedule.warps_per_instance == 1 && schedule.stages > 1 && ahead <= most;
    }
}
