//! The specification of a kernel of a division by an inverse.

use core::fmt;

use limbforge_limb::IntType;

use super::stage::Stage;
use crate::spec::{LimbKind, Target, unless_text};

/// Everything that identifies a kernel of a division by an inverse. Buffers between kernels hold planes of
/// instances, and each kernel parameter is one plane.
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
            Stage::CorrectLow { wanted, output, shape } => {
                write!(f, " {ty} limb={limb} half={half} {wanted:?} out={output:?} {shape}")?;
            }
        }
        write!(f, " target={target}")
    }
}
