//! How a product on tensor cores is laid out over warps and shared memory. Data first: nothing here is CUDA.

mod memory;
mod needs;
mod square;

use core::fmt;

use limbforge_algos::block::mul_tensor::{TILE_WORDS, check, steps};

pub(super) use self::needs::Needs;
use super::phases::Phases;
use super::rows::Row;
use crate::spec::{Form, Limits, SpecError};

/// The warps, tiles and shared memory of a product on tensor cores (`templates/mul_tensor.cuh`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TensorPlan {
    /// V: words of a load, 1, 2 or 4; divides the words of an instance.
    pub vector: u32,
    /// Whether all digits of the product are computed, not the lower half alone.
    pub wide: bool,
    /// Tiles of 32 words of an operand, and of the lower half of the product.
    pub tiles: u32,
    /// Whether two instances share a tile.
    pub paired: bool,
    /// Steps that the top tile does not need, where all tiles are computed together.
    pub top_skip: u32,
    /// KM: tiles that are computed together.
    pub together: u32,
    /// Whether data fragments lie ready made in shared memory: fewer instructions, more shared memory traffic.
    pub quads: bool,
    /// Steps whose slots of digits are dealt out to the lanes together, 1, 2 or 4: with more, lanes read fewer words of data. 1
    /// with quads.
    pub stretch: u32,
    /// Copies of the first factor in shared memory: with 4, fewer instructions and more shared memory than with 2; 1 of a square's lower
    /// half, beside data as it lies.
    pub copies: u32,
    /// Warps that compute an instance together.
    pub team: u32,
    /// Warps of a block: of one team, or with teams of one warp any number.
    pub warps: u32,
    /// Instances that a team loads at once.
    pub stage_instances: u32,
    /// Stages of a team for which the grid has room: how many one after the other.
    pub stages: u32,
    /// Whether a stage is loaded while the one before is multiplied.
    pub prefetch: bool,
    /// Blocks that a multiprocessor should hold: what the compiler is asked to save registers for.
    pub blocks: u32,
    /// Values of an instance in shared memory: as first and as second factors.
    pub areas: [u32; 2],
    /// Whether a team's warps compute values that later phases read.
    pub intermediate: bool,
    /// Whether the squares that phases begin with take half the steps.
    pub squares: bool,
    /// Words of the lower half of a square that is that half times the number with its upper half doubled, or 0.
    pub half: u32,
    /// Whether the team is a warpgroup that multiplies by `wgmma` (`templates/mul_tensor_wgmma.cuh`): tiles, copies and loads are
    /// then what that kernel has.
    pub warpgroup: bool,
}

/// Tiles of a wide product that are computed together, at most: its steps begin and end in two ways, which takes registers.
/// For the same reason blocks are smaller.
const MAX_TOGETHER_WIDE: u32 = 8;

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

impl TensorPlan {
    /// The plan for operands of `words` words of 32 bits on a device with these limits. Wide products take that of low ones
    /// with two copies and at most eight tiles together.
    ///
    /// # Errors
    /// [`SpecError::Digits`] if digit sums could leave their 32 bits, [`SpecError::Matrices`] if the device cannot,
    /// [`SpecError::SharedMemory`] if an instance does not fit a block.
    pub fn new(words: u32, form: Form, limits: &Limits) -> Result<Self, SpecError> {
        if limits.warpgroups && form == Form::Low && is_faster_by_warpgroups(words) {
            return Ok(Self::of_warpgroups(words));
        }
        Self::with(words, form, Needs::PRODUCT, limits)
    }

    /// That of a low product without warpgroups.
    ///
    /// # Errors
    /// Those of [`TensorPlan::new`].
    pub(super) fn by_warps(words: u32, limits: &Limits) -> Result<Self, SpecError> {
        Self::with(words, Form::Low, Needs::PRODUCT, limits)
    }

    /// A warpgroup to an instance.
    fn of_warpgroups(words: u32) -> Self {
        Self {
            vector: 4,
            wide: false,
            tiles: words.next_multiple_of(GROUP_WORDS) / TILE_WORDS as u32,
            paired: false,
            top_skip: 0,
            together: 16,
            quads: false,
            copies: 4,
            stretch: 1,
            team: 4,
            warps: 4,
            stage_instances: 1,
            stages: 2,
            prefetch: false,
            blocks: 4,
            areas: Needs::PRODUCT.areas,
            intermediate: false,
            squares: false,
            half: 0,
            warpgroup: true,
        }
    }

    /// The plan for an expression's phases, whose products are low ones: that of one product, with as many warps as the shared
    /// memory of all values leaves room for.
    ///
    /// # Errors
    /// Those of [`TensorPlan::new`].
    pub fn for_phases(words: u32, phases: &Phases, limits: &Limits) -> Result<Self, SpecError> {
        let needs = Needs::of(phases);
        if phases.is_product() && !needs.squares {
            return Self::new(words, Form::Low, limits);
        }
        if phases.is_product() {
            return Self::with(words, Form::Low, needs, limits);
        }
        let mut plan = Self::with(words, Form::Low, needs, limits)?;
        let warps = limits.shared_bytes / u64::from(4 * plan.slot_words()) * u64::from(plan.team);
        if warps < FEWEST_WARPS {
            plan = plan.with_team(words, &needs);
        }
        plan.fit(limits)
    }

    /// Teams of two or four warps, and groups small enough for all of them: measured on an H200.
    fn with_team(mut self, words: u32, needs: &Needs) -> Self {
        let tiles = words.div_ceil(TILE_WORDS as u32);
        let (team, together) = match tiles {
            ..=40 if needs.squares => (4, 4),
            ..=40 => (2, 8),
            _ => (4, 8),
        };
        (self.team, self.warps) = (team, team);
        (self.copies, self.prefetch, self.stages) = (2, false, 1);
        self.blocks = 64 / (team * together);
        self.together = tiles.div_ceil(tiles.div_ceil(together));
        self.set_squares(words, needs);
        self
    }

    fn with(words: u32, form: Form, needs: Needs, limits: &Limits) -> Result<Self, SpecError> {
        if !limits.matrices {
            return Err(SpecError::Matrices);
        }
        check(4 * words as usize)?;
        let tile = TILE_WORDS as u32;
        let wide = form == Form::Wide;
        let paired = words <= tile / 2 && !wide;
        let tiles = words.div_ceil(tile);
        let row = Row::of(words, paired, wide, &needs);
        // Groups of about as many tiles.
        let most = if wide { row.together.min(MAX_TOGETHER_WIDE) } else { row.together };
        let together = tiles.div_ceil(tiles.div_ceil(most));
        let top = (words - tile * (tiles - 1)) as usize;
        let top_steps = steps(tiles as usize - 1, top) as u32;
        let all_steps = if paired { 2 } else { 4 * tiles };
        let skips = tiles <= together && !wide;
        let vector = [4, 2, 1].into_iter().find(|&v| words.is_multiple_of(v)).unwrap_or(1);
        // Four tiles have steps enough for instructions to be the limit where there is more to do than one low product.
        let quads = row.quads || tiles == 4 && (wide || needs.areas != Needs::PRODUCT.areas);
        let mut plan = Self {
            vector,
            wide,
            tiles: if wide { tiles.next_multiple_of(together) } else { tiles },
            paired,
            top_skip: if skips { all_steps - top_steps } else { 0 },
            together,
            quads,
            stretch: 1,
            copies: if wide { 2 } else { row.copies },
            team: row.team,
            warps: row.warps,
            stage_instances: row.stage_instances,
            stages: row.stages,
            prefetch: false,
            blocks: row.blocks,
            areas: needs.areas,
            intermediate: needs.intermediate,
            squares: false,
            half: 0,
            warpgroup: false,
        };
        plan.set_squares(words, &needs);
        if plan.squares && tiles == 12 {
            (plan.warps, plan.blocks) = (4, 3);
        }
        if tiles >= 13 && together == tiles && needs.areas == Needs::PRODUCT.areas {
            (plan.warps, plan.stages, plan.blocks) = (1, 8, 8);
        }
        if plan.half > 0 {
            plan.set_stages_of_halves(words);
        }
        plan.set_stretch();
        if plan.team == 1 && (wide || needs.areas != Needs::PRODUCT.areas) {
            (plan.warps, plan.blocks) = row.warps_with_registers(tiles, wide, needs.intermediate);
        }
        if needs.areas != Needs::PRODUCT.areas {
            plan.copies = 2;
            // What instances take more of shared memory, fewer of them at once leave to others.
            let fewest = if paired { 2 } else { 1 };
            while plan.stage_instances > fewest
                && plan.shared_bytes() * u64::from(plan.blocks) > limits.shared_bytes
            {
                plan.stage_instances /= 2;
                plan.stages *= 2;
            }
        }
        let ahead = if plan.half > 0 { 1 } else { needs.inputs } * plan.lane_words(words);
        let most =
            if together == tiles && matches!(tiles, 13..=15) { MAX_PREFETCH_GROUP } else { MAX_PREFETCH };
        plan.prefetch = plan.team == 1 && plan.stages > 1 && ahead <= most;
        if needs.areas == Needs::PRODUCT.areas { plan.fit(limits) } else { Ok(plan) }
    }

    /// As many steps together as leave out those that the top tile, or a lower half, does not need; one of them alone only where it
    /// is one of few.
    pub(super) const fn set_stretch(&mut self) {
        self.stretch = match self.top_skip {
            _ if self.quads || self.wide || self.copies == 1 => 1,
            0 if self.paired => 2,
            0 => 4,
            1 if self.tiles > 1 => 4,
            skip => 2 - skip % 2,
        };
        self.top_skip -= self.top_skip % self.stretch;
    }

    /// IPB: instances of a block.
    #[must_use]
    pub const fn instances(&self) -> u32 {
        self.warps / self.team * self.stage_instances * self.stages
    }
}

/// Tiles, tiles together, data and Toeplitz layout, warps of a team and of a block, instances of a stage and stages.
impl fmt::Display for TensorPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            vector, tiles, together, copies, team, warps, stage_instances, stages, areas: [a, b], ..
        } = self;
        let paired = if self.paired { "/2" } else { "" };
        let quads = match (self.warpgroup, self.quads) {
            (true, _) => "g",
            (_, true) => "q",
            _ => "w",
        };
        let prefetch = if self.prefetch { "p" } else { "" };
        let wide = if self.wide { "wide" } else { "" };
        let squares = if self.squares { "s" } else { "" };
        let half = if self.half > 0 { format!("h{}", self.half) } else { String::new() };
        let areas = if self.areas == Needs::PRODUCT.areas { String::new() } else { format!("+{a}+{b}") };
        write!(
            f,
            "{wide}{tiles}{paired}@{together}{quads}{copies}v{vector}/{team}of{warps}*{stage_instances}x{stages}{prefetch}{areas}{squares}{half}"
        )
    }
}
