//! What identifies a kernel of the product on tensor cores.

use core::fmt;

use limbforge_limb::IntType;

use super::phases::Phases;
use super::plan::TensorPlan;
use crate::spec::{InputSpec, LimbKind, SkipMask, Target, unless_text};

/// A kernel that multiplies on tensor cores, alone or in sums of products: everything that identifies it.
///
/// Operands and result are instance-major batches of integers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MulTensorSpec {
    /// The type of the operands.
    pub ty: IntType,
    /// The type of the result: that of the operands, or the unsigned one of twice the bits. Wide products are of unsigned
    /// operands. With the plan of a wide product, a result of the operands' type is its upper half.
    pub result: IntType,
    /// The limb of all batches.
    pub limb: LimbKind,
    /// The operands.
    pub inputs: Vec<InputSpec>,
    /// What is computed: of a wide product it is the product of two operands, or the square of one.
    pub phases: Phases,
    /// Tiles, warps, shared memory.
    pub plan: TensorPlan,
    /// Instances that it may leave out.
    pub unless: Option<SkipMask>,
    /// What compiles the source.
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

    /// Whether the kernel of a wide product of this type can store its upper half alone: unsigned, so that nothing is to be
    /// subtracted from it, beginning with a word, and computed by one warp.
    #[must_use]
    pub fn can_be_high(ty: IntType, plan: &TensorPlan) -> bool {
        plan.tiling.wide
            && plan.schedule.warps_per_instance == 1
            && !ty.is_signed()
            && ty.bits().is_multiple_of(32)
    }

    /// Words of 32 bits of an instance of the result.
    #[must_use]
    pub const fn result_words(&self) -> u32 {
        self.limb.instance_words(self.result)
    }
}

impl fmt::Display for MulTensorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mul_tensor {} limb=u{}", self.ty, 32 * self.limb.words())?;
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
