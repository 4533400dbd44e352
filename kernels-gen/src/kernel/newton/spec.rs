//! The specification of a kernel of a division by an inverse.

use core::fmt;

use limbforge_limb::IntType;

use super::operands::{aligned, part_factor, part_planes, part_words};
use super::stage::{DivOutput, QuotientShape, Stage};
use crate::spec::{LimbKind, SkipMask, Target, unless_text};
use crate::template::Template;

/// Everything that identifies a kernel of a division by an inverse. Each parameter is one plane of a buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DivNewtonSpec {
    /// The type of dividend, divisor and result.
    pub ty: IntType,
    /// The limb of their batches.
    pub limb: LimbKind,
    /// H: words of a block of the quotient.
    pub half: u32,
    /// The step of the division.
    pub stage: Stage,
    /// The compiler of the source.
    pub target: Target,
}

/// The properties of a stage's kernel that decide its launch, its resources and its source.
#[derive(Default)]
pub(super) struct Facts {
    /// Words of an instance in each plane of the result.
    pub(super) planes: Vec<u32>,
    /// Bits of the numbers that threads hold.
    pub(super) bits: u32,
    /// Words of the longest number that threads hold; 0 for threads that shift.
    pub(super) held_words: u32,
    /// Registers of a thread for the addresses and factors of operands.
    pub(super) registers: u32,
    /// Words in memory of the divisor's top; 0 where it is no operand.
    pub(super) factor: u32,
    /// Whether it reads operands of which one instance serves all.
    pub(super) shared: bool,
    /// Whether it marks instances without a result.
    pub(super) marks: bool,
    /// Whether it shifts a remainder back.
    pub(super) shifts_back: bool,
    pub(super) unless: Option<SkipMask>,
    /// The template of a stage that divides.
    pub(super) divides: Option<Template>,
}

impl DivNewtonSpec {
    /// W: words of an instance of dividend, divisor and result.
    #[must_use]
    pub const fn words(&self) -> u32 {
        self.limb.instance_words(self.ty)
    }

    /// Words of an instance in each plane of the result.
    #[must_use]
    pub fn planes(&self) -> Vec<u32> {
        self.facts().planes
    }

    /// The properties of its stage.
    pub(super) fn facts(&self) -> Facts {
        let (half, longest) = (self.half, |planes: &[u32]| planes.iter().max().copied().unwrap_or(0));
        let around = |&QuotientShape { factor, shared, .. }: &_| Facts { factor, shared, ..Facts::default() };
        match &self.stage {
            Stage::Normalise { planes, .. } => Facts {
                planes: [Stage::INFO_WORDS].into_iter().chain(planes.iter().map(|p| p.words)).collect(),
                bits: self.ty.bits(),
                // Unless planes have powers of two of words, operands begin anywhere and take more addresses.
                registers: if half.is_power_of_two() { 0 } else { 8 },
                divides: Some(Template::DivNewtonNormalise),
                ..Facts::default()
            },
            Stage::Sum { slices, words, drop, planes, unless, .. } => Facts {
                planes: planes.clone(),
                bits: 32 * words,
                held_words: (*words).max(drop + longest(planes)),
                registers: 2 * slices.len() as u32,
                shared: slices.iter().any(|(_, slice)| slice.is_shared()),
                unless: *unless,
                ..Facts::default()
            },
            // Whole vectors are dropped.
            Stage::Difference { from, to, factor, planes, unless } => Facts {
                planes: planes.clone(),
                bits: 32 * (aligned(from - 2) + to - from + 2),
                held_words: aligned(from - 2) + longest(planes).max(to - from + 3),
                registers: 8,
                factor: *factor,
                unless: *unless,
                ..Facts::default()
            },
            Stage::PartialRemainder { shape, unless } => Facts {
                planes: part_planes(half, shape.splits),
                bits: 32 * (aligned(half / 2 - 1) + half / 2 + 2),
                held_words: half / 2 + 3 + part_words(half),
                registers: 8,
                unless: *unless,
                ..around(shape)
            },
            Stage::CorrectHigh { shape } => Facts {
                planes: vec![aligned(half + 1), part_factor(half, shape.splits), shape.factor],
                bits: 32 * (half + 2),
                held_words: aligned(half + 1) + 4,
                registers: 8,
                ..around(shape)
            },
            Stage::CorrectLow { wanted, shape, .. } => Facts {
                planes: vec![self.words(); wanted.len()],
                bits: 32 * (2 * half + 1),
                held_words: (2 * half + 1).max(self.words()),
                marks: wanted.iter().any(|output| *output != DivOutput::Divisible),
                shifts_back: wanted.iter().any(|output| output.is_remainder()),
                divides: Some(Template::DivNewtonDigit),
                ..around(shape)
            },
        }
    }
}

impl fmt::Display for DivNewtonSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ty, limb, half, stage, target } = self;
        let unless = unless_text(self.facts().unless);
        write!(f, "div_newton {}", stage.name())?;
        match stage {
            Stage::Normalise { dividend, divisor, planes } => {
                write!(f, " {ty} limb={limb} half={half}")?;
                for input in [dividend, divisor].into_iter().flatten() {
                    write!(f, " in={input}")?;
                }
                f.write_str(if divisor.is_none() { " in=info:broadcast" } else { "" })?;
                planes.iter().try_for_each(|plane| write!(f, " out={plane}"))?;
            }
            Stage::Sum { slices, minus, words, drop, planes, .. } => {
                write!(f, " words={words}>>{drop}")?;
                for (input, slice) in slices {
                    write!(f, " in={}{input}{slice}", if slice.negative { '-' } else { '+' })?;
                }
                f.write_str(&unless)?;
                if let Some(minus) = minus {
                    write!(f, " minus=1<<{minus}")?;
                }
                write!(f, " out={planes:?}")?;
            }
            Stage::Difference { from, to, factor, planes, .. } => {
                write!(f, " half={half} {from}->{to} factor={factor} out={planes:?}{unless}")?;
            }
            Stage::PartialRemainder { shape, .. } => write!(f, " half={half} {shape}{unless}")?,
            Stage::CorrectHigh { shape } => write!(f, " half={half} {shape}")?,
            Stage::CorrectLow { wanted, output, shape, apart, fails } => {
                write!(f, " {ty} limb={limb} half={half} {wanted:?} out={output:?} {shape}")?;
                f.write_str(if *apart { " apart" } else { "" })?;
                if !fails.is_empty() {
                    write!(f, " fails={fails:?}")?;
                }
            }
        }
        write!(f, " target={target}")
    }
}
