//! The specification of a program's kernel.

use core::fmt;

use limbforge_algos::program::TypedProgram;
use limbforge_limb::Layout;

use super::lower::widest;
use super::threads::mapping;
use crate::spec::{LimbKind, SpecError, Target};

/// Everything that identifies a program's kernel. Its `Display` is the canonical text: equal texts, equal
/// source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TapeSpec<'p> {
    /// The program.
    pub program: &'p TypedProgram,
    /// The batches of its inputs, in their order.
    pub inputs: Vec<TapeInput>,
    /// The limb of all results.
    pub limb: LimbKind,
    /// The order of the results' limbs in memory.
    pub output: Layout,
    /// Instances of a block; `None` for as many as fill 128 threads, or fewer where shared memory is short.
    pub instances: Option<u32>,
    /// The compiler of the source.
    pub target: Target,
    /// The emission, or `None` for the one that the planner takes.
    pub emission: Option<Emission>,
}

/// How a kernel holds the values of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Emission {
    /// In the registers of one thread, with loops and branches of CUDA C++: up to 8 words of 32 bits.
    Straight,
    /// In shared memory, with one loop over a table of operations.
    Tape,
}

/// The batch of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TapeInput {
    /// Its limb.
    pub limb: LimbKind,
    /// The order of its limbs.
    pub layout: Layout,
    /// Whether it has the integers of one instance, which are those of all.
    pub one_for_all: bool,
}

impl TapeSpec<'_> {
    /// Lanes of an instance, a power of two up to 32.
    ///
    /// # Errors
    /// [`SpecError::ProgramWidth`] above 65536 bits.
    pub fn lanes(&self) -> Result<u32, SpecError> {
        mapping(widest(self)).map(|mapping| mapping.lanes)
    }
}

impl fmt::Display for TapeInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = if self.layout == Layout::Interleaved { "interleaved" } else { "major" };
        write!(f, "{}.{layout}{}", self.limb, if self.one_for_all { ".one" } else { "" })
    }
}

impl fmt::Display for TapeSpec<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = self.program.inputs().iter().map(|input| &input.ty);
        f.write_str("program")?;
        for (input, ty) in self.inputs.iter().zip(types) {
            write!(f, " in={ty}.{input}")?;
        }
        let layout = if self.output == Layout::Interleaved { "interleaved" } else { "major" };
        write!(f, " out={}.{layout} target={}", self.limb, self.target)?;
        if let Some(instances) = self.instances {
            write!(f, " instances={instances}")?;
        }
        match self.emission {
            Some(Emission::Straight) => f.write_str(" emission=straight")?,
            Some(Emission::Tape) => f.write_str(" emission=tape")?,
            None => {}
        }
        // One line: the text's own lines become spaces.
        let words: Vec<&str> = self.program.text().split_whitespace().collect();
        write!(f, " text={}", words.join(" "))
    }
}
