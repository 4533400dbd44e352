//! The specification of a product on tensor cores.

use core::fmt;

use limbforge_limb::IntType;

use super::phases::Phases;
use super::plan::TensorPlan;
use crate::spec::{InputSpec, LimbKind, SkipMask, Target, unless_text};

/// Everything that identifies a kernel of products on tensor cores. Operands and result are instance-major.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MulTensorSpec {
    /// The type of the operands.
    pub ty: IntType,
    /// The type of the result: that of the operands, or twice as wide for unsigned operands. With the plan of
    /// a wide product, a result of the operands' type is its upper half.
    pub result: IntType,
    /// The limb of all batches.
    pub limb: LimbKind,
    /// The operands.
    pub inputs: Vec<InputSpec>,
    /// The expression; for a wide product, that of two operands or the square of one.
    pub phases: Phases,
    /// Tiles, warps, shared memory.
    pub plan: TensorPlan,
    /// Instances that it may skip.
    pub unless: Option<SkipMask>,
    /// The compiler of the source.
    pub target: Target,
}

impl MulTensorSpec {
    /// W: words of 32 bits of an instance.
    #[must_use]
    pub const fn words(&self) -> u32 {
        self.limb.instance_words(self.ty)
    }

    /// Whether the result is the upper half of a wide product.
    #[must_use]
    pub fn is_high(&self) -> bool {
        self.plan.tiling.wide && self.result == self.ty
    }

    /// Whether a wide product can store its upper half alone: unsigned whole words, one warp to an instance.
    #[must_use]
    pub fn can_be_high(ty: IntType, plan: &TensorPlan) -> bool {
        let whole_words = !ty.is_signed() && ty.bits().is_multiple_of(32);
        plan.tiling.wide && plan.schedule.warps_per_instance == 1 && whole_words
    }

    /// Words of 32 bits of an instance of the result.
    #[must_use]
    pub const fn result_words(&self) -> u32 {
        self.limb.instance_words(self.result)
    }
}

impl fmt::Display for MulTensorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mul_tensor {} limb={}", self.ty, self.limb)?;
        for input in &self.inputs {
            write!(f, " in={input}")?;
        }
        if self.result != self.ty {
            write!(f, " result={}", self.result)?;
        }
        if !self.phases.is_product() {
            write!(f, " phases={}", self.phases)?;
        }
        write!(f, " plan={} blocks={}", self.plan, self.plan.schedule.blocks)?;
        f.write_str(&unless_text(self.unless))?;
        write!(f, " target={}", self.target)
    }
}
