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
        self.words_of(ty.bits())
    }

    const fn words_of(self, bits: u32) -> u32 {
        bits.div_ceil(32 * self.words) * self.words
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
    /// The type of all operands, and of the result unless that is a wide product.
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
    /// W: words of 32 bits of an operand's instance.
    #[must_use]
    pub const fn words(&self) -> u32 {
        self.limb.instance_words(self.ty)
    }

    /// Words of 32 bits of the result's instance: W, or those of twice the bits for a wide product.
    #[must_use]
    pub fn result_words(&self) -> u32 {
        self.limb.words_of(if self.dag.is_wide() { 2 * self.ty.bits() } else { self.ty.bits() })
    }

    /// Whether operands' instances and runs are aligned to 16 bytes.
    pub(crate) const fn loads_vectors(&self) -> bool {
        self.words().is_multiple_of(4) && self.mapping.run_words.is_multiple_of(4)
    }

    /// Whether the result's instances and runs are aligned to 16 bytes, so that they need no staging.
    pub(crate) fn stores_vectors(&self) -> bool {
        self.result_words().is_multiple_of(4) && self.mapping.run_words.is_multiple_of(4)
    }

    /// Whether the result goes through shared memory.
    pub(crate) fn is_staged(&self) -> bool {
        self.output == Layout::InstanceMajor && !self.stores_vectors()
    }
}

impl fmt::Display for InputSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let broadcast = if self.broadcast { ":broadcast" } else { "" };
        write!(f, "{}:{}{broadcast}", self.name, layout_name(self.layout))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Cuda { "cuda" } else { "emulator" })
    }
}

fn layout_name(layout: Layout) -> &'static str {
    if layout == Layout::Interleaved { "interleaved" } else { "major" }
}

impl fmt::Display for KernelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} limb=u{} map={}", self.ty, 32 * self.limb.words, self.mapping)?;
        for input in &self.inputs {
            write!(f, " in={input}")?;
        }
        write!(f, " out={} target={} dag={}", layout_name(self.output), self.target, self.dag)
    }
}
