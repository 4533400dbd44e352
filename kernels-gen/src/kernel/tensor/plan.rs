//! The layout of a product on tensor cores over warps and shared memory: data, no CUDA.

use core::fmt;

use limbforge_algos::block::mul_tensor::{TILE_WORDS, steps};
use serde::Serialize;

/// Words of a tile.
pub(super) const TILE: u32 = TILE_WORDS as u32;

/// The warps, tiles and shared memory of a product on tensor cores (`templates/mul_tensor.cuh`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct TensorPlan {
    /// The tiles of the operands and of the product.
    #[serde(flatten)]
    pub tiling: Tiling,
    /// The work of warps: the fastest one measured.
    #[serde(flatten)]
    pub schedule: Schedule,
    /// The digits in shared memory.
    #[serde(flatten)]
    pub slots: Slots,
    /// The algorithm of squares.
    #[serde(flatten)]
    pub squaring: Squaring,
    /// Whether the warps of an instance compute values that later phases read.
    pub intermediate: bool,
    /// Whether these warps are a warpgroup that multiplies by `wgmma` (`templates/mul_tensor_wgmma.cuh`).
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

/// The distribution of tiles and instances over warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Schedule {
    /// KM: tiles that are computed together.
    pub tiles_per_pass: u32,
    /// Warps that compute an instance together.
    pub warps_per_instance: u32,
    /// Warps of a block: those of one instance, or any number if each computes its own.
    pub warps: u32,
    /// Instances that are loaded at once.
    pub stage_instances: u32,
    /// Stages, one after the other, for which the grid has room.
    pub stages: u32,
    /// Whether a stage is loaded while the one before is multiplied.
    pub prefetch: bool,
    /// Blocks of a multiprocessor for which the compiler is asked to save registers.
    #[serde(skip)]
    pub blocks: u32,
}

/// The slots of digits in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Slots {
    /// Whether shared memory holds whole data fragments: fewer instructions, more shared memory traffic.
    pub prebuilt_fragments: bool,
    /// Steps whose slots share lanes, 1, 2 or 4: with more, lanes read fewer words; 1 if prebuilt.
    pub k_interleave: u32,
    /// Copies of the first factor: 4 take fewer instructions and more memory than 2; 1 for some squares.
    pub copies: u32,
    /// Values of an instance in shared memory: as first and as second factors.
    pub areas: [u32; 2],
}

/// The algorithm of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Squaring {
    /// Whether the squares that phases begin with take half the steps.
    pub squares: bool,
    /// Words of the lower half that a square multiplies by the number with a doubled upper half, or 0.
    pub half: u32,
}

impl Tiling {
    /// The tiles of operands of `words` words.
    pub(super) fn new(words: u32, wide: bool, tiles_per_pass: u32) -> Self {
        let (tiles, paired) = (words.div_ceil(TILE), words <= TILE / 2 && !wide);
        let top_steps = steps(tiles as usize - 1, (words - TILE * (tiles - 1)) as usize) as u32;
        let all_steps = if paired { 2 } else { 4 * tiles };
        Self {
            vector: 1 << words.trailing_zeros().min(2),
            wide,
            tiles: if wide { tiles.next_multiple_of(tiles_per_pass) } else { tiles },
            paired,
            top_skip: if tiles <= tiles_per_pass && !wide { all_steps - top_steps } else { 0 },
        }
    }
}

impl Schedule {
    pub(super) const fn new(
        [tiles_per_pass, warps_per_instance, warps]: [u32; 3],
        [stage_instances, stages, blocks]: [u32; 3],
    ) -> Self {
        let prefetch = false;
        Self { tiles_per_pass, warps_per_instance, warps, stage_instances, stages, prefetch, blocks }
    }
}

impl Slots {
    /// The areas of one product.
    pub(super) const ONE_PRODUCT: [u32; 2] = [1, 1];
}

impl TensorPlan {
    /// IPB: instances of a block.
    #[must_use]
    pub const fn instances(&self) -> u32 {
        let Schedule { warps_per_instance, warps, stage_instances, stages, .. } = self.schedule;
        warps / warps_per_instance * stage_instances * stages
    }
}

/// Tiles, tiles per pass, layouts, warps of an instance and of a block, instances of a stage, stages.
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
        if self.slots.areas != Slots::ONE_PRODUCT {
            write!(f, "+{a}+{b}")?;
        }
        f.write_str(text(self.squaring.squares, "s"))?;
        if self.squaring.half > 0 { write!(f, "h{}", self.squaring.half) } else { Ok(()) }
    }
}
