//! What identifies a kernel of a division by an inverse.

use core::fmt;

use limbforge_algos::expr::Op;
use limbforge_limb::{IntType, Layout};

use super::schedule::{aligned, part_factor, part_planes, part_words};
use crate::spec::{InputSpec, LimbKind, Target, Unless};

/// A kernel of a division by an inverse: everything that identifies it. Buffers between kernels hold one or more planes of
/// instances; each kernel parameter is one plane.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DivNewtonSpec {
    /// The type of dividend, divisor and result.
    pub ty: IntType,
    /// The limb of their batches.
    pub limb: LimbKind,
    /// H: words of a block of the quotient.
    pub half: u32,
    /// What it does.
    pub stage: Stage,
    /// What compiles the source.
    pub target: Target,
}

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
        unless: Option<Unless>,
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
        unless: Option<Unless>,
    },
    /// What of a block's dividend is left by the upper part of its quotient, 0 if it would be negative. Leaves a plane of h + 2 words,
    /// and one of the h lower ones if products take those.
    Rest {
        /// What it knows of the products.
        shape: Shape,
        /// Instances that it may leave out.
        unless: Option<Unless>,
    },
    /// Corrects the upper block of a quotient of two, or leaves a quotient of one block as it is. Leaves three planes: the next
    /// block's dividend, its upper part, which is multiplied next, and the block.
    Middle {
        /// What it knows of the products.
        shape: Shape,
    },
    /// Corrects the last block of the quotient and makes of quotient and remainder what is wanted: a plane for each.
    Finish {
        /// What is wanted.
        wanted: Vec<Wanted>,
        /// Where its limbs lie.
        output: Layout,
        /// What it knows of the products.
        shape: Shape,
    },
}

/// What kernels around a quotient's products know of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Whether products by the divisor's top are known mod `B^H - 1`, else mod `B^(H + 1)`.
    pub cyclic: bool,
    /// Whether products of a part's words are of its h lower words.
    pub splits: bool,
    /// Words in memory of a part or block of the quotient, and of the divisor's top.
    pub factor: u32,
    /// Whether the shifted divisor and its inverse are one for all instances.
    pub shared: bool,
}

impl fmt::Display for Shape {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// A factor of a slice, one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// What is made of quotient and remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
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

impl Wanted {
    /// What an operation wants; None if it is no division.
    #[must_use]
    pub const fn of(op: &Op) -> Option<Self> {
        Some(match op {
            Op::Div => Self::Quotient,
            Op::Rem => Self::Remainder,
            Op::DivEuclid => Self::QuotientEuclid,
            Op::RemEuclid => Self::RemainderEuclid,
            Op::DivExact => Self::Exact,
            Op::Divisible => Self::Divisible,
            _ => return None,
        })
    }
}

impl Stage {
    /// Words per instance of what the other kernels need to know of the operands.
    pub const INFO_WORDS: u32 = 4;

    /// The divisor has at most H words, and the upper one of the quotient's two blocks is one word: its products are left out.
    pub const SHORT_BLOCK: Unless = Unless { mask: 8 };

    /// The divisor has more than H words: the quotient has one block, and the products of the other one are left out.
    pub const ONE_BLOCK: Unless = Unless { mask: 16 };

    /// The divisor has at most H words: there is no product of its lower words.
    pub const SHORT_DIVISOR: Unless = Unless { mask: 32 };

    /// The divisor has one or two words, and the kernel that shifts others has divided by it; or the quotient has one word, which the
    /// last kernel tells from the upper words. Such instances have the flags above as well.
    pub const NO_INVERSE: Unless = Unless { mask: 64 };

    /// Instances that it may leave out.
    pub(super) const fn unless(&self) -> Option<Unless> {
        match self {
            Self::Sum { unless, .. } | Self::Difference { unless, .. } | Self::Rest { unless, .. } => *unless,
            Self::Normalise { .. } | Self::Middle { .. } | Self::Finish { .. } => None,
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Normalise { .. } => "normalise",
            Self::Sum { .. } => "sum",
            Self::Difference { .. } => "difference",
            Self::Rest { .. } => "rest",
            Self::Middle { .. } => "middle",
            Self::Finish { .. } => "finish",
        }
    }
}

impl DivNewtonSpec {
    /// W: words of an instance of dividend, divisor and result.
    #[must_use]
    pub const fn words(&self) -> u32 {
        self.limb.instance_words(self.ty)
    }

    /// Words of an instance in each plane that it leaves.
    #[must_use]
    pub fn planes(&self) -> Vec<u32> {
        match &self.stage {
            Stage::Normalise { planes, .. } => {
                [Stage::INFO_WORDS].into_iter().chain(planes.iter().map(|plane| plane.words)).collect()
            }
            Stage::Sum { planes, .. } | Stage::Difference { planes, .. } => planes.clone(),
            Stage::Rest { shape, .. } => part_planes(self.half, shape.splits),
            Stage::Middle { shape } => {
                vec![aligned(self.half + 1), part_factor(self.half, shape.splits), shape.factor]
            }
            Stage::Finish { wanted, .. } => vec![self.words(); wanted.len()],
        }
    }

    /// Words of the longest number that its threads hold.
    pub(crate) fn held_words(&self) -> u32 {
        match &self.stage {
            Stage::Normalise { .. } => 1,
            Stage::Sum { words, drop, planes, .. } => {
                (*words).max(drop + planes.iter().max().copied().unwrap_or(0))
            }
            Stage::Difference { from, to, planes, .. } => {
                let drop = aligned(from - 2);
                (drop + planes.iter().max().copied().unwrap_or(0)).max(drop + to - from + 3)
            }
            Stage::Rest { .. } => self.half / 2 + 3 + part_words(self.half),
            Stage::Middle { .. } => aligned(self.half + 1) + 4,
            Stage::Finish { .. } => (2 * self.half + 1).max(self.words()),
        }
    }
}

impl fmt::Display for DivNewtonSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ty, limb, half, .. } = self;
        match &self.stage {
            Stage::Normalise { dividend, divisor, planes } => {
                write!(f, "div_newton normalise {ty} limb={limb} half={half}")?;
                for input in [dividend, divisor].into_iter().flatten() {
                    write!(f, " in={input}")?;
                }
                f.write_str(if divisor.is_none() { " in=info:broadcast" } else { "" })?;
                for Plane { of, from, count, words, of_inverse } in planes {
                    let of_inverse = if *of_inverse { ":inverse" } else { "" };
                    write!(f, " out={of:?}[{from}..+{count}]:words={words}{of_inverse}")?;
                }
            }
            Stage::Sum { slices, minus, words, drop, planes, unless, .. } => {
                write!(f, "div_newton sum words={words}>>{drop}")?;
                for (input, Slice { stride, from, count, place, negative, factor, broadcast }) in slices {
                    let sign = if *negative { '-' } else { '+' };
                    let one = |broadcast| if broadcast { ":broadcast" } else { "" };
                    write!(
                        f,
                        " in={sign}{input}[{from}..+{count}]<<{place}:words={stride}{}",
                        one(*broadcast)
                    )?;
                    if let Some(Factor { input, stride, word, broadcast }) = *factor {
                        write!(f, "*{input}[{word}]:words={stride}{}", one(broadcast))?;
                    }
                }
                if let Some(unless) = unless {
                    write!(f, " {unless}")?;
                }
                if let Some(minus) = minus {
                    write!(f, " minus=1<<{minus}")?;
                }
                write!(f, " out={planes:?}")?;
            }
            Stage::Difference { from, to, factor, planes, unless } => {
                write!(f, "div_newton difference half={half} {from}->{to} factor={factor} out={planes:?}")?;
                if let Some(unless) = unless {
                    write!(f, " {unless}")?;
                }
            }
            Stage::Rest { shape, unless } => {
                write!(f, "div_newton rest half={half} {shape}")?;
                if let Some(unless) = unless {
                    write!(f, " {unless}")?;
                }
            }
            Stage::Middle { shape } => write!(f, "div_newton middle half={half} {shape}")?,
            Stage::Finish { wanted, output, shape } => {
                write!(
                    f,
                    "div_newton finish {ty} limb={limb} half={half} {wanted:?} out={output:?} {shape}"
                )?;
            }
        }
        write!(f, " target={}", self.target)
    }
}
