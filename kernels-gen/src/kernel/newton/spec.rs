//! What identifies a kernel of a division by an inverse.

use core::fmt;

use limbforge_limb::IntType;

use super::stage::Stage;
use super::words::{aligned, part_factor, part_planes, part_words};
use crate::spec::{LimbKind, Target, unless_text};

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
            Stage::PartialRemainder { shape, .. } => part_planes(self.half, shape.splits),
            Stage::CorrectHigh { shape } => {
                vec![aligned(self.half + 1), part_factor(self.half, shape.splits), shape.factor]
            }
            Stage::CorrectLow { wanted, .. } => vec![self.words(); wanted.len()],
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
            Stage::PartialRemainder { .. } => self.half / 2 + 3 + part_words(self.half),
            Stage::CorrectHigh { .. } => aligned(self.half + 1) + 4,
            Stage::CorrectLow { .. } => (2 * self.half + 1).max(self.words()),
        }
    }
}

impl fmt::Display for DivNewtonSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ty, limb, half, stage, target } = self;
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
            Stage::Sum { slices, minus, words, drop, planes, unless, .. } => {
                write!(f, " words={words}>>{drop}")?;
                for (input, slice) in slices {
                    write!(f, " in={}{input}{slice}", if slice.negative { '-' } else { '+' })?;
                }
                f.write_str(&unless_text(*unless))?;
                if let Some(minus) = minus {
                    write!(f, " minus=1<<{minus}")?;
                }
                write!(f, " out={planes:?}")?;
            }
            Stage::Difference { from, to, factor, planes, unless } => {
                write!(
                    f,
                    " half={half} {from}->{to} factor={factor} out={planes:?}{}",
                    unless_text(*unless)
                )?;
            }
            Stage::PartialRemainder { shape, unless } => {
                write!(f, " half={half} {shape}{}", unless_text(*unless))?;
            }
            Stage::CorrectHigh { shape } => write!(f, " half={half} {shape}")?,
            Stage::CorrectLow { wanted, output, shape } => {
                write!(f, " {ty} limb={limb} half={half} {wanted:?} out={output:?} {shape}")?;
            }
        }
        write!(f, " target={target}")
    }
}
