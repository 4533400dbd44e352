//! What identifies a kernel.

use core::fmt;

use limbforge_algos::expr::Dag;
use limbforge_limb::{Base, IntType, Layout};

use crate::mapping::Mapping;

/// A limb by its number of 32-bit words. On the device all numbers are such words; the limb decides the padding of an
/// instance and the distances of the interleaved layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LimbKind {
    words: u32,
}

impl LimbKind {
    /// The limb `B`, of 32 bits or a multiple.
    #[must_use]
    pub const fn of<B: Base>() -> Self {
        Self { words: B::BITS / 32 }
    }

    /// Words of 32 bits of the limb.
    #[must_use]
    pub const fn words(self) -> u32 {
        self.words
    }

    /// W: words of an instance of `ty` as it lies in memory.
    #[must_use]
    pub const fn instance_words(self, ty: IntType) -> u32 {
        ty.bits().div_ceil(32 * self.words) * self.words
    }
}

/// An operand of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InputSpec {
    /// The variable's name in the expression.
    pub name: String,
    /// Where its limbs lie.
    pub layout: Layout,
    /// Whether the batch has one instance, which is used for all.
    pub broadcast: bool,
}

/// What compiles the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// nvrtc or nvcc.
    Cuda,
    /// A C++ compiler, through the emulator: PTX is replaced by its C++ twin.
    Emulator,
}

/// Everything that identifies a kernel. Its `Display` is the canonical text: equal texts, equal source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KernelSpec {
    /// What is computed.
    pub dag: Dag,
    /// The type of all operands and of the result.
    pub ty: IntType,
    /// The limb of all batches.
    pub limb: LimbKind,
    /// The operands, in the order of the kernel's parameters. One that the expression does not use is a parameter that
    /// is not read.
    pub inputs: Vec<InputSpec>,
    /// Where the limbs of the result lie.
    pub output: Layout,
    /// Which thread holds what.
    pub mapping: Mapping,
    /// What compiles the source.
    pub target: Target,
}

impl KernelSpec {
    /// W: words of 32 bits of an instance.
    #[must_use]
    pub const fn words(&self) -> u32 {
        self.limb.instance_words(self.ty)
    }

    /// Whether instances and runs are aligned to 16 bytes, so that instance-major batches need no staging.
    pub(crate) const fn moves_vectors(&self) -> bool {
        self.words().is_multiple_of(4) && self.mapping.run_words.is_multiple_of(4)
    }

    /// Whether the result goes through shared memory.
    pub(crate) fn is_staged(&self) -> bool {
        self.output == Layout::InstanceMajor && !self.moves_vectors()
    }

    /// Words of shared memory that a staged result takes: a block's stretch in whole vectors.
    pub(crate) const fn stage_words(&self) -> u32 {
        (self.mapping.instances * self.words() + 3).next_multiple_of(4)
    }
}

impl fmt::Display for KernelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = |layout| if layout == Layout::Interleaved { "interleaved" } else { "major" };
        write!(f, "{} limb=u{} map={}", self.ty, 32 * self.limb.words, self.mapping)?;
        for input in &self.inputs {
            let broadcast = if input.broadcast { ":broadcast" } else { "" };
            write!(f, " in={}:{}{broadcast}", input.name, layout(input.layout))?;
        }
        let target = if self.target == Target::Cuda { "cuda" } else { "emulator" };
        write!(f, " out={} target={target} dag={}", layout(self.output), self.dag)
    }
}
