//! The plan of a product on tensor cores: from the table for its width and phases, or with other numbers.

use limbforge_algos::block::mul_tensor::check;

use super::phases::Phases;
use super::plan::{Schedule, Slots, Squaring, TILE, TensorPlan, Tiling};
use super::rows::{MOST_TOGETHER, MOST_TOGETHER_FEWER, Needs, Row};
use crate::spec::{Limits, ProductForm, SpecError};

/// Warps of a multiprocessor below which several share an instance: fewer do not keep the tensor cores busy.
const FEWEST_WARPS: u64 = 8;

/// Words of the columns that a warpgroup computes together: 32 of 64 digits.
const GROUP_WORDS: u32 = 512;

/// Registers beside those of the tiles of a pass, and of each tile: four sums, and eight in the ring.
const OTHER_REGISTERS: u32 = 32;
const TILE_REGISTERS: u32 = 12;

/// Warps of a block, at most.
const MOST_WARPS: u32 = 16;

/// Whether a warpgroup to an instance is 4 to 20 % faster: widths that fill three or four groups of columns.
const fn is_faster_by_warpgroups(words: u32) -> bool {
    words.is_multiple_of(4) && matches!(words, 1488..=1536 | 1920..=2048)
}

/// The tiles of groups of about equal size, `most` at most.
const fn groups(tiles: u32, most: u32) -> u32 {
    tiles.div_ceil(tiles.div_ceil(most))
}

impl TensorPlan {
    /// The plan for operands of `words` words of 32 bits on a device with these limits. Wide products take
    /// that of low ones with two copies and at most eight tiles per pass.
    ///
    /// # Errors
    /// [`SpecError::Digits`] if coefficients could leave their 32 bits, [`SpecError::Matrices`] if the device
    /// cannot, [`SpecError::SharedMemory`] if an instance does not fit a block.
    pub fn new(words: u32, form: ProductForm, limits: &Limits) -> Result<Self, SpecError> {
        if limits.warpgroups && form == ProductForm::Low && is_faster_by_warpgroups(words) {
            return Ok(Self::of_warpgroups(words));
        }
        Self::with(words, form, &Needs::of(&Phases::product(2)), limits)?.fit(limits)
    }

    /// A warpgroup to an instance.
    fn of_warpgroups(words: u32) -> Self {
        let tiles = words.next_multiple_of(GROUP_WORDS) / TILE;
        Self {
            tiling: Tiling { vector: 4, wide: false, tiles, paired: false, top_skip: 0 },
            schedule: Schedule::new([16, 4, 4], [1, 2, 4]),
            slots: Slots { prebuilt_fragments: false, k_interleave: 1, copies: 4, areas: Slots::ONE_PRODUCT },
            squaring: Squaring::default(),
            intermediate: false,
            warpgroup: true,
        }
    }

    /// The plan for phases of low products: that of one, with as many warps as shared memory allows.
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
        let instances = limits.shared_bytes / u64::from(4 * plan.slot_words());
        if instances * u64::from(plan.schedule.warps_per_instance) < FEWEST_WARPS {
            plan.set_team(words, &needs);
        }
        plan.fit(limits)
    }

    /// Several warps to an instance, and groups small enough for all of them: measured on an H200.
    fn set_team(&mut self, words: u32, needs: &Needs) {
        let tiles = words.div_ceil(TILE);
        let (warps, most) = match tiles {
            ..=40 if needs.squares => (4, 4),
            ..=40 => (2, 8),
            _ => (4, 8),
        };
        let stage_instances = self.schedule.stage_instances;
        self.slots.copies = 2;
        self.schedule =
            Schedule::new([groups(tiles, most), warps, warps], [stage_instances, 1, 64 / (warps * most)]);
        self.set_squares(words, needs);
    }

    /// The row of the table, adjusted to the expression.
    fn with(words: u32, form: ProductForm, needs: &Needs, limits: &Limits) -> Result<Self, SpecError> {
        if !limits.matrices {
            return Err(SpecError::Matrices);
        }
        check(4 * words as usize)?;
        let (wide, tiles) = (form == ProductForm::Wide, words.div_ceil(TILE));
        let row = Row::of(words, wide, needs);
        let most = row.schedule.tiles_per_pass;
        // A wide product begins and ends in two ways, which takes registers.
        let tiles_per_pass = groups(tiles, if wide { most.min(MOST_TOGETHER_FEWER) } else { most });
        // With more than one low product, four tiles have steps enough for instructions to be the limit.
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

    /// Registers of a thread that computes so many tiles per pass, as an estimate.
    pub(crate) const fn registers(tiles_per_pass: u32) -> u32 {
        OTHER_REGISTERS + TILE_REGISTERS * tiles_per_pass
    }

    /// The same product with at most so many tiles per pass, warps of an instance and of a block.
    pub(crate) fn mapped(
        self,
        words: u32,
        phases: &Phases,
        numbers: [u32; 3],
        limits: &Limits,
    ) -> Result<Self, SpecError> {
        if self.warpgroup {
            // Its numbers are its own; others are those of the product without warpgroups.
            let Schedule { tiles_per_pass, warps_per_instance, warps, .. } = self.schedule;
            if numbers == [tiles_per_pass, warps_per_instance, warps] {
                return Ok(self);
            }
            let plan =
                Self::with(words, ProductForm::Low, &Needs::of(&Phases::product(2)), limits)?.fit(limits)?;
            return plan.mapped(words, phases, numbers, limits);
        }
        let needs = Needs::of(phases);
        self.check_mapping(words, &needs, numbers)?;
        let [most, warps_per_instance, warps] = numbers;
        let tiles_per_pass = groups(words.div_ceil(TILE), most);
        let blocks = (limits.registers / (32 * warps * Self::registers(tiles_per_pass))).max(1);
        let mut plan = Self {
            tiling: Tiling::new(words, self.tiling.wide, tiles_per_pass),
            schedule: Schedule { tiles_per_pass, warps_per_instance, warps, blocks, ..self.schedule },
            ..self
        };
        plan.set_squares(words, &needs);
        plan.set_interleave();
        if warps_per_instance > 1 {
            (plan.schedule.stage_instances, plan.schedule.prefetch) = (1, false);
        }
        limits.check_shared(plan.shared_bytes())?;
        Ok(plan)
    }

    /// Errors unless some kernel has these numbers.
    fn check_mapping(&self, words: u32, needs: &Needs, numbers: [u32; 3]) -> Result<(), SpecError> {
        let [tiles_per_pass, warps_per_instance, warps] = numbers;
        let is_team = warps_per_instance > 1;
        let fewer =
            self.tiling.wide || needs.takes_registers(words.div_ceil(TILE)) || needs.squares && is_team;
        let (most, expected) =
            if fewer { (MOST_TOGETHER_FEWER, "1 to 8") } else { (MOST_TOGETHER, "1 to 16") };
        let is_group = (1..=most).contains(&tiles_per_pass);
        SpecError::require(is_group, "tiles that are computed together", tiles_per_pass, expected)?;
        SpecError::require(
            [1, 2, 4, 8].contains(&warps_per_instance) && !(is_team && self.tiling.paired),
            "warps of an instance",
            warps_per_instance,
            "1, 2, 4 or 8; 1 with two instances in a tile",
        )?;
        SpecError::require(
            (1..=MOST_WARPS).contains(&warps) && (!is_team || warps == warps_per_instance),
            "warps of a block",
            warps,
            "1 to 16, or those of an instance with several",
        )
    }
}
