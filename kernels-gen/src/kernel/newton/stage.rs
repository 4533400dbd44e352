//! The stages of a division by an inverse, with a kernel each.

use core::fmt;

use limbforge_algos::op::{Class, Op, class::Division};
use limbforge_limb::Layout;
use serde::Serialize;

use super::operands::{Plane, Slice};
use crate::spec::{InputSpec, SkipMask};

/// A stage of a division.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Shifts operands so that the divisor's highest bit is the highest of 2 H words.
    ///
    /// The result is a plane of [`INFO_WORDS`](Stage::INFO_WORDS) words (bits of the divisor; signs, whether
    /// it is zero, and flags; a divisor of one or two words), then these planes. A divisor of one or two
    /// words divides at once: the dividend's plane then holds the quotient and, in the last two of `2 H + 4`
    /// words, the remainder.
    Normalise {
        /// The dividend; None in the kernel that shifts a divisor of all instances alone.
        dividend: Option<InputSpec>,
        /// The divisor; None after that kernel, whose result is then the second operand.
        divisor: Option<InputSpec>,
        /// The stored parts of the shifted operands.
        planes: Vec<Plane>,
    },
    /// A sum of parts of numbers, mod `B^words`, without its lowest words.
    Sum {
        /// The parts, each with its operand's index.
        slices: Vec<(usize, Slice)>,
        /// The number of operands.
        operands: usize,
        /// `-B^n` is added for this n.
        minus: Option<u32>,
        /// Words of the sum.
        words: u32,
        /// Words that are dropped.
        drop: u32,
        /// Words of an instance in each plane of the result, all of the same number.
        planes: Vec<u32>,
        /// Instances that it may skip.
        unless: Option<SkipMask>,
    },
    /// The power difference of the divisor's t' upper words and an inverse of t words, in units of
    /// `B^(t - 1)`, from the product of t' - 1 upper words mod `B^(t' - 1) - 1`.
    Difference {
        /// t.
        from: u32,
        /// t': t' - 1 words of prefix and inverse lie in memory.
        to: u32,
        /// Words in memory of the divisor's top.
        factor: u32,
        /// Words of an instance in each plane of the result, all of the same number.
        planes: Vec<u32>,
        /// Instances that it may skip.
        unless: Option<SkipMask>,
    },
    /// The remainder after a block's upper part, or 0: `h + 2` words, and the h lower ones if products split.
    PartialRemainder {
        /// The form of the products.
        shape: QuotientShape,
        /// Instances that it may skip.
        unless: Option<SkipMask>,
    },
    /// Corrects the upper block of a quotient of two, or leaves a quotient of one block as it is. The result
    /// has three planes: the next block's dividend, its upper part, which is multiplied next, and the block.
    CorrectHigh {
        /// The form of the products.
        shape: QuotientShape,
    },
    /// Corrects the last block of the quotient and computes the requested outputs, a plane each.
    CorrectLow {
        /// The requested outputs.
        wanted: Vec<DivOutput>,
        /// The order of their limbs in memory.
        output: Layout,
        /// The form of the products.
        shape: QuotientShape,
        /// Whether each output goes to a buffer of its own instead of a plane.
        apart: bool,
        /// For each output, as bits, the results of the program that an instance lacks where it fails. Empty
        /// in a program of one result.
        fails: Vec<u32>,
    },
}

/// The form of a quotient's products, for the kernels around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct QuotientShape {
    /// Whether products by the divisor's top are known mod `B^H - 1`, else mod `B^(H + 1)`.
    pub cyclic: bool,
    /// Whether products of a part multiply its h lower words only.
    pub splits: bool,
    /// Words in memory of a part or block of the quotient, and of the divisor's top.
    pub factor: u32,
    /// Whether one shifted divisor and its inverse serve all instances.
    pub shared: bool,
}

impl fmt::Display for QuotientShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cyclic, splits, factor, shared } = self;
        write!(f, "factor={factor}")?;
        for (is, name) in [(cyclic, " cyclic"), (splits, " splits"), (shared, " shared")] {
            f.write_str(if *is { name } else { "" })?;
        }
        Ok(())
    }
}

/// An output of a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DivOutput {
    /// The quotient, rounded towards 0.
    Quotient,
    /// The remainder, with the dividend's sign.
    Remainder,
    /// The quotient of the remainder that is not negative.
    QuotientEuclid,
    /// The remainder that is not negative.
    RemainderEuclid,
    /// The quotient rounded down.
    QuotientFloor,
    /// The remainder with the divisor's sign.
    RemainderFloor,
    /// The quotient; the instance fails if there is a remainder.
    Exact,
    /// Whether the divisor divides: 1 or 0.
    Divisible,
}

impl DivOutput {
    /// The output of an operation; None unless it is a division.
    pub(crate) const fn of(op: &Op) -> Option<Self> {
        let Class::Division(division) = op.class() else { return None };
        Some(match division {
            Division::Div => Self::Quotient,
            Division::Rem => Self::Remainder,
            Division::DivEuclid => Self::QuotientEuclid,
            Division::RemEuclid => Self::RemainderEuclid,
            Division::DivFloor => Self::QuotientFloor,
            Division::RemFloor => Self::RemainderFloor,
            Division::DivExact => Self::Exact,
            Division::Divisible => Self::Divisible,
        })
    }

    pub(super) const fn is_remainder(self) -> bool {
        matches!(self, Self::Remainder | Self::RemainderEuclid | Self::RemainderFloor)
    }
}

impl Stage {
    /// Words per instance that describe the operands to later stages.
    pub const INFO_WORDS: u32 = 4;

    /// The divisor has at most H words, and the quotient's upper block is one word: its products are skipped.
    pub const SHORT_BLOCK: SkipMask = SkipMask { mask: 8 };

    /// The divisor has more than H words: the products of the quotient's other block are skipped.
    pub const ONE_BLOCK: SkipMask = SkipMask { mask: 16 };

    /// The divisor has at most H words: no product of its lower words is needed.
    pub const SHORT_DIVISOR: SkipMask = SkipMask { mask: 32 };

    /// [`Normalise`](Self::Normalise) has divided by one or two words, or the quotient has one word, which
    /// the last kernel finds from the upper words. These instances also have the flags above.
    pub const NO_INVERSE: SkipMask = SkipMask { mask: 64 };

    /// The name of the stage.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.names()[0]
    }

    /// The names of the stage and of its operands, apart from those of a sum, which are numbered, and flags.
    pub(super) const fn names(&self) -> [&'static str; 2] {
        match self {
            Self::Normalise { dividend: None, .. } => ["normalise", "divisor"],
            Self::Normalise { .. } => ["normalise", "dividend divisor"],
            Self::Sum { .. } => ["sum", ""],
            Self::Difference { .. } => ["difference", "prefix inverse divisor_top product"],
            Self::PartialRemainder { .. } => ["rest", "top divisor_top divisor_low block multiple"],
            Self::CorrectHigh { .. } => ["middle", "info dividend top divisor_top inverse block multiple"],
            Self::CorrectLow { .. } => [
                "finish",
                "info dividend top divisor_top divisor_low rest upper multiple product block last_multiple",
            ],
        }
    }
}
