//! What identifies a kernel of the product on tensor cores.

use core::fmt;

use limbforge_limb::IntType;

use super::plan::TensorPlan;
use crate::spec::{InputSpec, LimbKind, Target};

/// A kernel that multiplies on tensor cores: everything that identifies it.
///
/// Operands and result are instance-major batches of integers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MulTensorSpec {
    /// The type of operands and result.
    pub ty: IntType,
    /// The limb of all batches.
    pub limb: LimbKind,
    /// Two operands, or one for its square.
    pub inputs: Vec<InputSpec>,
    /// Tiles, warps, shared memory.
    pub plan: TensorPlan,
    /// What compiles the source.
    pub target: Target,
}

impl MulTensorSpec {
    /// W: words of 32 bits of an instance.
    #[must_use]
    pub const fn words(&self) -> u32 {
        self.limb.instance_words(self.ty)
    }
}

impl fmt::Display for MulTensorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mul_tensor {} limb=u{}", self.ty, 32 * self.limb.words())?;
        for input in &self.inputs {
            write!(f, " in={input}")?;
        }
        write!(f, " plan={} blocks={} target={}", self.plan, self.plan.blocks, self.target)
    }
}
