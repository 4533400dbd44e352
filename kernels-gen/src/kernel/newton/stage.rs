//! The steps of a division by an inverse: a kernel each.

use core::fmt;

use limbforge_algos::op::class::Division;
use limbforge_algos::op::{Class, Op};
use limbforge_limb::Layout;
use serde::Serialize;

use crate::spec::{InputSpec, SkipMask};

/// What a kernel of a division does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Shifts operands so that the divisor's highest bit is the highest of 2 H words. Leaves a plane of
    /// [`INFO_WORDS`](Stage::INFO_WORDS) words (bits of the divisor; signs, whether it is zero and what may be left out; the divisor, if it
    /// has one or two words), then these planes. By a divisor of one or two words it divides: it leaves in the dividend's plane the
    /// quotient and, as the last two of 2 H + 4 words, the remainder.
    Normalise {
        /// The dividend; None in the kernel of a divisor that is one for all instances, which shifts that alone.
        dividend: Option<InputSpec>,
        /// The divisor; None where that kernel has run. What it has left is then the second operand.
        divisor: Option<InputSpec>,
        /// What of the shifted operands is stored.
        planes: Vec<Plane>,
    },
    /// A sum of parts of numbers, mod `B^words`, without its lowest words.
    Sum {
        /// The parts, each with its operand's number.
        slices: Vec<(usize, Slice)>,
        /// How many operands there are.
        operands: usize,
        /// `-B^n` is added for this n.
        minus: Option<u32>,
        /// Words of the sum.
        words: u32,
        /// Words that are dropped.
        drop: u32,
        /// Words of an instance in each plane of the result, which all get the same number.
        planes: Vec<u32>,
        /// Instances that it may leave out.
        unless: Option<SkipMask>,
    },
    /// The power difference of the divisor's t' upper words and an inverse of t words, in units of `B^(t - 1)` for its t' + t words, from
    /// the product of t' - 1 upper words mod `B^(t' - 1) - 1`. Leaves planes of it.
    Difference {
        /// t.
        from: u32,
        /// t': t' - 1 words of prefix and inverse lie in memory.
        to: u32,
        /// Words in memory of the divisor's top.
        factor: u32,
        /// Words of an instance in each plane of the result, which all get the same number.
        planes: Vec<u32>,
        /// Instances that it may leave out.
        unless: Option<SkipMask>,
    },
    /// What of a block's dividend is left by the upper part of its quotient, 0 if it would be negative. Leaves a plane of h + 2 words,
    /// and one of the h lower ones if products take those.
    PartialRemainder {
        /// What it knows of the products.
        shape: QuotientShape,
        /// Instances that it may leave out.
        unless: Option<SkipMask>,
    },
    /// Corrects the upper block of a quotient of two, or leaves a quotient of one block as it is. Leaves three planes: the next
    /// block's dividend, its upper part, which is multiplied next, and the block.
    CorrectHigh {
        /// What it knows of the products.
        shape: QuotientShape,
    },
    /// Corrects the last block of the quotient and makes of quotient and remainder what is wanted: a plane for each.
    CorrectLow {
        /// What is wanted.
        wanted: Vec<DivOutput>,
        /// Where its limbs lie.
        output: Layout,
        /// What it knows of the products.
        shape: QuotientShape,
    },
}

/// What kernels around a quotient's products know of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct QuotientShape {
    /// Whether products by the divisor's top are known mod `B^H - 1`, else mod `B^(H + 1)`.
    pub cyclic: bool,
    /// Whether products of a part's words are of its h lower words.
    pub splits: bool,
    /// Words in memory of a part or block of the quotient, and of the divisor's top.
    pub factor: u32,
    /// Whether the shifted divisor and its inverse are one for all instances.
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

/// A shifted operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Of 3 H words.
    Dividend,
    /// Of 2 H words.
    Divisor,
}

/// Words of a shifted operand, with zeros above them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Plane {
    /// Of which operand.
    pub of: Part,
    /// The first word.
    pub from: u32,
    /// How many words.
    pub count: u32,
    /// Words of an instance in memory.
    pub words: u32,
    /// Whether nobody reads it where [`NO_INVERSE`](Stage::NO_INVERSE) is needed.
    pub of_inverse: bool,
}

/// Words `from` to `from + count` of an instance of `stride` words, times `B^place`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Slice {
    /// Words of an instance in memory.
    pub stride: u32,
    /// The first word.
    pub from: u32,
    /// How many words.
    pub count: u32,
    /// The word of the sum that the first one is added to.
    pub place: u32,
    /// Whether it is subtracted.
    pub negative: bool,
    /// The word of an operand that it is multiplied by.
    pub factor: Option<Factor>,
    /// Whether there is one instance in memory, for all.
    pub broadcast: bool,
}

impl fmt::Display for Plane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, from, count, words, of_inverse } = self;
        write!(f, "{of:?}[{from}..+{count}]:words={words}{}", if *of_inverse { ":inverse" } else { "" })
    }
}

/// A factor of a slice, one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Factor {
    /// The operand, by its number among the kernel's.
    pub input: usize,
    /// Words of an instance in memory.
    pub stride: u32,
    /// Which word.
    pub word: u32,
    /// Whether there is one instance in memory, for all.
    pub broadcast: bool,
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stride, from, count, place, factor, broadcast, .. } = *self;
        let one = |broadcast| if broadcast { ":broadcast" } else { "" };
        write!(f, "[{from}..+{count}]<<{place}:words={stride}{}", one(broadcast))?;
        let Some(Factor { input, stride, word, broadcast }) = factor else { return Ok(()) };
        write!(f, "*{input}[{word}]:words={stride}{}", one(broadcast))
    }
}

/// What is made of quotient and remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DivOutput {
    /// Rounded towards 0.
    Quotient,
    /// Of the dividend's sign.
    Remainder,
    /// Of a remainder that is not negative.
    QuotientEuclid,
    /// Not negative.
    RemainderEuclid,
    /// The quotient; the instance fails if there is a remainder.
    Exact,
    /// 1 or 0.
    Divisible,
}

impl DivOutput {
    /// What an operation wants; None if it is no division.
    #[must_use]
    pub const fn of(op: &Op) -> Option<Self> {
        let Class::Division(division) = op.class() else { return None };
        Some(match division {
            Division::Div => Self::Quotient,
            Division::Rem => Self::Remainder,
            Division::DivEuclid => Self::QuotientEuclid,
            Division::RemEuclid => Self::RemainderEuclid,
            Division::DivExact => Self::Exact,
            Division::Divisible => Self::Divisible,
        })
    }
}

impl Stage {
    /// Words per instance of what the other kernels need to know of the operands.
    pub const INFO_WORDS: u32 = 4;

    /// The divisor has at most H words, and the upper one of the quotient's two blocks is one word: its products are left out.
    pub const SHORT_BLOCK: SkipMask = SkipMask { mask: 8 };

    /// The divisor has more than H words: the quotient has one block, and the products of the other one are left out.
    pub const ONE_BLOCK: SkipMask = SkipMask { mask: 16 };

    /// The divisor has at most H words: there is no product of its lower words.
    pub const SHORT_DIVISOR: SkipMask = SkipMask { mask: 32 };

    /// The divisor has one or two words, and the kernel that shifts others has divided by it; or the quotient has one word, which the
    /// last kernel tells from the upper words. Such instances have the flags above as well.
    pub const NO_INVERSE: SkipMask = SkipMask { mask: 64 };

    /// Instances that it may leave out.
    pub(super) const fn unless(&self) -> Option<SkipMask> {
        match self {
            Self::Sum { unless, .. }
            | Self::Difference { unless, .. }
            | Self::PartialRemainder { unless, .. } => *unless,
            Self::Normalise { .. } | Self::CorrectHigh { .. } | Self::CorrectLow { .. } => None,
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Normalise { .. } => "normalise",
            Self::Sum { .. } => "sum",
            Self::Difference { .. } => "difference",
            Self::PartialRemainder { .. } => "rest",
            Self::CorrectHigh { .. } => "middle",
            Self::CorrectLow { .. } => "finish",
        }
    }
}
