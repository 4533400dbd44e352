//! How a product on tensor cores is laid out over warps and shared memory. Data first: nothing here is CUDA.

use core::fmt;

use limbforge_algos::block::mul_tensor::{TILE_WORDS, steps};
use serde::Serialize;

/// Words of a tile.
pub(super) const TILE: u32 = TILE_WORDS as u32;

/// The warps, tiles and shared memory of a product on tensor cores (`templates/mul_tensor.cuh`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct TensorPlan {
    /// What the width of the operands decides, and which half of the product is kept.
    #[serde(flatten)]
    pub tiling: Tiling,
    /// What was measured to be the fastest.
    #[serde(flatten)]
    pub schedule: Schedule,
    /// What the traffic of shared memory decides.
    #[serde(flatten)]
    pub slots: Slots,
    /// What squares decide.
    #[serde(flatten)]
    pub squaring: Squaring,
    /// Whether a team's warps compute values that later phases read.
    pub intermediate: bool,
    /// Whether the team is a warpgroup that multiplies by `wgmma` (`templates/mul_tensor_wgmma.cuh`): tiles, copies and loads are
    /// then what that kernel has.
    pub warpgroup: bool,
}

/// The tiles of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Tiling {
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
}

/// How tiles and instances are shared among warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Schedule {
    /// KM: tiles that are computed together.
    pub tiles_per_pass: u32,
    /// Warps that compute an instance together.
    pub warps_per_instance: u32,
    /// Warps of a block: of one team, or with teams of one warp any number.
    pub warps: u32,
    /// Instances that a team loads at once.
    pub stage_instances: u32,
    /// Stages of a team for which the grid has room: how many one after the other.
    pub stages: u32,
    /// Whether a stage is loaded while the one before is multiplied.
    pub prefetch: bool,
    /// Blocks that a multiprocessor should hold: what the compiler is asked to save registers for.
    #[serde(skip)]
    pub blocks: u32,
}

/// The slots of digits in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Slots {
    /// Whether data fragments lie ready made in shared memory: fewer instructions, more shared memory traffic.
    pub prebuilt_fragments: bool,
    /// Steps whose slots of digits are dealt out to the lanes together, 1, 2 or 4: with more, lanes read fewer words of data. 1
    /// with quads.
    pub k_interleave: u32,
    /// Copies of the first factor in shared memory: with 4, fewer instructions and more shared memory than with 2; 1 of a square's lower
    /// half, beside data as it lies.
    pub copies: u32,
    /// Values of an instance in shared memory: as first and as second factors.
    pub areas: [u32; 2],
}

/// How squares are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Squaring {
    /// Whether the squares that phases begin with take half the steps.
    pub squares: bool,
    /// Words of the lower half of a square that is that half times the number with its upper half doubled, or 0.
    pub half: u32,
}

impl Tiling {
    /// Of operands of `words` words, of which so many tiles are computed together.
    pub(super) fn new(words: u32, wide: bool, tiles_per_pass: u32) -> Self {
        let (tiles, paired) = (words.div_ceil(TILE), words <= TILE / 2 && !wide);
        let top_steps = steps(tiles as usize - 1, (words - TILE * (tiles - 1)) as usize) as u32;
        let all_steps = if paired { 2 } else { 4 * tiles };
        Self {
            vector: [4, 2, 1].into_iter().find(|&v| words.is_multiple_of(v)).unwrap_or(1),
            wide,
            tiles: if wide { tiles.next_multiple_of(tiles_per_pass) } else { tiles },
            paired,
            top_skip: if tiles <= tiles_per_pass && !wide { all_steps - top_steps } else { 0 },
        }
    }
}

impl Slots {
    /// The areas of one product.
    pub(super) const ONE_PRODUCT: [u32; 2] = [1, 1];

    /// Whether there is more than one product.
    pub(super) fn are_more(&self) -> bool {
        self.areas != Self::ONE_PRODUCT
    }
}

impl TensorPlan {
    /// IPB: instances of a block.
    #[must_use]
    pub const fn instances(&self) -> u32 {
        let Schedule { warps_per_instance, warps, stage_instances, stages, .. } = self.schedule;
        warps / warps_per_instance * stage_instances * stages
    }

    /// As many steps together as leave out those that the top tile, or a lower half, does not need; one of them alone only where it
    /// is one of few.
    pub(super) const fn set_stretch(&mut self) {
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
}

/// Tiles, tiles together, data and Toeplitz layout, warps of a team and of a block, instances of a stage and stages.
impl fmt::Display for TensorPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tiling { vector, wide, tiles, paired, .. } = self.tiling;
        let Schedule { tiles_per_pass, warps_per_instance, warps, stage_instances, stages, prefetch, .. } =
            self.schedule;
        let Slots { prebuilt_fragments, copies, areas: [a, b], .. } = self.slots;
        let text = |is: bool, text: &'static str| if is { text } else { "" };
        let (wide, paired, prefetch) = (text(wide, "wide"), text(paired, "/2"), text(prefetch, "p"));
        let layout = if self.warpgroup { "g" } else { ["w", "q"][usize::from(prebuilt_fragments)] };
        write!(f, "{wide}{tiles}{paired}@{tiles_per_pass}{layout}{copies}v{vector}")?;
        write!(f, "/{warps_per_instance}of{warps}*{stage_instances}x{stages}{prefetch}")?;
        if self.slots.are_more() {
            write!(f, "+{a}+{b}")?;
        }
        f.write_str(text(self.squaring.squares, "s"))?;
        if self.squaring.half > 0 { write!(f, "h{}", self.squaring.half) } else { Ok(()) }
    }
}
