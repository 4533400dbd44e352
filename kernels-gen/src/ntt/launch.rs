//! One launch of a transform: which points, and how blocks and threads share them.

use core::fmt;

use super::{TransformSpec, class::ResidueClass};
use crate::{kernel::Geometry, spec::SpecError};

/// The points that a launch transforms. A long transform is a matrix in row-major order: the first launch
/// transforms its columns, which is the first stages of the whole; the second one transforms each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransformPass {
    /// All n.
    Whole,
    /// Those of a column, `stride` points apart.
    Columns {
        /// Columns of the matrix.
        stride: u32,
    },
    /// Those of a row. Results go to a column, `stride` points apart, which is the natural order.
    Rows {
        /// Rows of the matrix.
        stride: u32,
    },
}

/// One kernel of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TransformLaunch {
    /// Its points.
    pub pass: TransformPass,
    /// Points of a thread in the outer, middle and inner pass.
    pub radices: [u32; 3],
    /// Threads of a transform.
    pub threads: u32,
    /// Transforms of a block.
    pub slots: u32,
    /// Blocks that a multiprocessor should hold, for which the compiler saves registers.
    pub blocks: u32,
    /// Whether it is the last launch, which leaves residues in [0, p).
    pub is_last: bool,
}

/// Sizes that suit words of 32 or 64 bits, as measured on an H200.
pub(super) struct Suits {
    /// The largest k of whole transforms of 2^k points, and of 3 2^k points.
    pub(super) log2_whole: [u32; 2],
    /// Threads of a block of tiles.
    tile_block: u32,
    /// Most threads of a block of whole transforms: for most passes, and for those with many registers.
    whole_block: [u32; 2],
    /// Registers of a thread, likewise.
    registers: [u32; 2],
}

/// For words of 32 and of 64 bits.
const SUITS: [Suits; 2] = [
    Suits { log2_whole: [15, 13], tile_block: 256, whole_block: [256, 256], registers: [64, 96] },
    Suits { log2_whole: [13, 11], tile_block: 128, whole_block: [128, 256], registers: [96, 128] },
];

/// log2 of the points of a thread in the outer, middle and inner pass, one hexadecimal digit each: for blocks
/// of 2^k points, k from 2 on. The outer radix is the largest.
const RADICES: [u16; 14] =
    [0x200, 0x201, 0x202, 0x302, 0x303, 0x403, 0x404, 0x504, 0x505, 0x524, 0x534, 0x544, 0x554, 0x555];

/// The same for 64-bit words, fewer of which fit the registers, k from 9 on.
const RADICES_64: [u16; 4] = [0x423, 0x433, 0x434, 0x444];
/// The same for blocks of 3 2^k points, k from 3 on; the outer radix is three times as large.
const RADICES_3: [u16; 11] = [0x102, 0x202, 0x203, 0x303, 0x304, 0x404, 0x333, 0x334, 0x344, 0x444, 0x355];
/// The same for 3 2^8 64-bit words.
const RADICES_3_64: u16 = 0x233;
/// Least threads of a block, if a transform has fewer.
const MIN_BLOCK: u32 = 32;
/// Most threads of a block that is alone on its multiprocessor or has many tiles: more lack registers.
const MAX_BLOCK: u32 = 512;
/// Bytes of points from which a multiprocessor holds one block alone.
const LONE_BLOCK: u32 = 128 << 10;

impl TransformLaunch {
    pub(super) fn new(
        spec: &TransformSpec,
        class: ResidueClass,
        pass: TransformPass,
        is_last: bool,
    ) -> Result<Self, SpecError> {
        let (points, word) = (spec.points() / pass.stride(), class.word_bits() / 8);
        let radices = radices(points, word).ok_or(SpecError::Columns {
            points: spec.points(),
            log2_columns: if pass == TransformPass::Whole { 0 } else { points.ilog2() },
        })?;
        let [outer, middle, inner] = radices;
        let suits = suits(class);
        let many = usize::from(if word == 4 { inner == 32 || outer > 32 } else { outer > 16 });
        // All threads take equally many tasks in each pass: a power of two, whatever the outer radix is.
        let tasks = [middle * inner, outer * inner, outer * middle].map(u32::trailing_zeros);
        let tasks = tasks.into_iter().fold(middle * inner, |tasks, log2| tasks.min(1 << log2));
        let (threads, slots) = if pass == TransformPass::Whole {
            let alone = points * word >= LONE_BLOCK;
            let threads = tasks.min(if alone { MAX_BLOCK } else { suits.whole_block[many] });
            (threads, (MIN_BLOCK / threads).max(1))
        } else {
            // A tile is between a sector of 32 bytes and a line of 128 bytes wide.
            let slots = (suits.tile_block / tasks).clamp(32 / word, 128 / word);
            let slots = slots.min(1 << pass.stride().trailing_zeros());
            (tasks.min(MAX_BLOCK / slots), slots)
        };
        let blocks = (65_536 / (threads * slots * suits.registers[many])).clamp(1, 32);
        Ok(Self { pass, radices, threads, slots, blocks, is_last })
    }

    /// Points of each transform of the launch.
    #[must_use]
    pub fn points(&self) -> u32 {
        self.radices.iter().product()
    }

    /// Blocks of an instance, or 1 if a block has whole instances.
    #[must_use]
    pub const fn tiles(&self) -> u32 {
        match self.pass {
            TransformPass::Whole => 1,
            TransformPass::Columns { stride } | TransformPass::Rows { stride } => stride / self.slots,
        }
    }

    /// Residues from one slot of shared memory to the next, such that a warp's slots lie in different banks.
    #[must_use]
    pub fn slot(&self, class: ResidueClass) -> u32 {
        let [outer, middle, inner] = self.radices;
        let banks = 1024 / class.word_bits();
        let together = match self.pass {
            TransformPass::Whole => banks.div_ceil(self.threads),
            _ => self.slots.min(banks),
        };
        let (least, wanted) = (outer * (middle * inner + 1), banks / together % banks);
        if self.slots == 1 { least } else { least + (wanted + banks - least % banks) % banks }
    }

    /// The launch geometry.
    #[must_use]
    pub fn geometry(&self, class: ResidueClass) -> Geometry {
        let whole = self.pass == TransformPass::Whole;
        Geometry {
            threads: self.threads * self.slots,
            instances: if whole { self.slots } else { 1 },
            planes: self.tiles(),
            shared_bytes: self.slots * self.slot(class) * class.word_bits() / 8,
        }
    }
}

impl TransformPass {
    /// Transforms of an instance, which is also the distance of a column's points.
    #[must_use]
    pub const fn stride(self) -> u32 {
        match self {
            Self::Whole => 1,
            Self::Columns { stride } | Self::Rows { stride } => stride,
        }
    }
}

/// The sizes for a class.
pub(super) const fn suits(class: ResidueClass) -> &'static Suits {
    &SUITS[if class.word_bits() == 64 { 1 } else { 0 }]
}

/// The radices of the passes of a block's transform, if there is one of this length.
fn radices(points: u32, word: u32) -> Option<[u32; 3]> {
    let log2 = points.trailing_zeros();
    let at = |table: &[u16], first: u32| table.get(log2.checked_sub(first)? as usize).copied();
    let (top, digits) = match points >> log2 {
        1 if word == 8 => (1, at(&RADICES_64, 9).or_else(|| at(&RADICES, 2))?),
        1 => (1, at(&RADICES, 2)?),
        3 if word == 8 && log2 == 8 => (3, RADICES_3_64),
        3 => (3, at(&RADICES_3, 3)?),
        _ => return None,
    };
    Some([top << (digits >> 8), 1 << (digits >> 4 & 15), 1 << (digits & 15)])
}

impl fmt::Display for TransformLaunch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([outer, middle, inner], Self { threads, slots, blocks, .. }) = (self.radices, self);
        write!(f, "{:?} points={outer}x{middle}x{inner} threads={threads}", self.pass)?;
        write!(f, " slots={slots} blocks={blocks}")
    }
}
