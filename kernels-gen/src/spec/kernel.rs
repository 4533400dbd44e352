//! The specification of an expression's kernel.

use core::fmt;

use limbforge_algos::expr::Dag;
use limbforge_limb::{IntType, Layout};

use super::input::{layout_name, unless_text};
use super::mapping::VECTOR_WORDS;
use super::{InputForm, InputSpec, LimbKind, Mapping, Part, SkipMask, SpecError};

/// Words of a thread from which on a warp moves them together.
const LONG_ROW: u32 = 8;

/// Everything that identifies a kernel. Its `Display` is the canonical text: equal texts, equal source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KernelSpec {
    /// The expression, or several with results of one type.
    pub dag: Dag,
    /// The type of the operands, in which the expression is evaluated.
    pub ty: IntType,
    /// The type of the result: that of the expression, or a narrower one if its upper bits are zero.
    pub result: IntType,
    /// The limb of all batches.
    pub limb: LimbKind,
    /// The operands, in the order of the kernel's parameters; unused ones are not read.
    pub inputs: Vec<InputSpec>,
    /// The order of the results' limbs in memory.
    pub output: Layout,
    /// The words that each thread holds.
    pub mapping: Mapping,
    /// Instances that it may skip.
    pub unless: Option<SkipMask>,
    /// For each root of the expression, as bits, the results of the program that an instance lacks where the
    /// root fails. Empty in a program of one result.
    pub fails: Vec<u32>,
    /// The part of a test of primality that it computes.
    pub part: Part,
    /// The compiler of the source.
    pub target: Target,
}

/// The compiler of a kernel's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// nvrtc or nvcc.
    Cuda,
    /// A C++ compiler, through the emulator: PTX is replaced by its C++ twin.
    Emulator,
}

impl KernelSpec {
    /// The specification with the expression's type as that of the result.
    ///
    /// # Errors
    /// [`SpecError::Type`] if the expression has no type.
    pub fn new(
        dag: Dag,
        ty: IntType,
        limb: LimbKind,
        inputs: Vec<InputSpec>,
        output: Layout,
        mapping: Mapping,
        target: Target,
    ) -> Result<Self, SpecError> {
        let (result, roots) = (dag.result_type(ty)?, dag.roots().len());
        let fails =
            if roots == 1 { vec![] } else { (0..roots as u32).map(|root| 1 << (root % 32)).collect() };
        let (unless, part) = (None, Part::Whole);
        Ok(Self { dag, ty, result, limb, inputs, output, mapping, unless, fails, part, target })
    }

    /// W: words of 32 bits of an operand's instance.
    #[must_use]
    pub const fn words(&self) -> u32 {
        self.limb.instance_words(self.ty)
    }

    /// Words of 32 bits of an instance of each result.
    #[must_use]
    pub const fn result_words(&self) -> u32 {
        self.limb.instance_words(self.result)
    }

    /// Whether runs, and instances of this many words, are aligned to 16 bytes.
    pub(crate) const fn loads_vectors(&self, words: u32) -> bool {
        words.is_multiple_of(VECTOR_WORDS) && self.mapping.has_vectors()
    }

    /// Whether the result is aligned likewise and needs no staging.
    pub(crate) const fn stores_vectors(&self) -> bool {
        self.loads_vectors(self.result_words())
    }

    /// Whether it has mappings to choose from, unlike operations within a warp and residues.
    pub(crate) fn is_mapped(&self) -> bool {
        !within_warp(&self.dag) && !self.takes_residues()
    }

    /// Whether an operand is combined from residues.
    pub(crate) fn takes_residues(&self) -> bool {
        self.inputs.iter().any(|input| matches!(input.form, InputForm::Residues(_)))
    }

    /// The names of the results' pointers.
    pub(crate) fn out_names(&self) -> Vec<String> {
        match self.dag.roots().len() {
            1 => vec!["out".to_owned()],
            results => (0..results).map(|i| format!("out{i}")).collect(),
        }
    }

    /// Whether the result goes through shared memory.
    pub(crate) fn is_staged(&self) -> bool {
        self.output == Layout::InstanceMajor && !self.stores_vectors() && !self.moves_by_lanes()
    }

    /// Whether a warp moves the batch's words through the slots of its instances, those of neighbours together.
    pub(crate) fn moves_by_lanes(&self) -> bool {
        within_warp(&self.dag) || self.has_long_rows()
    }

    /// Whether it is a wide product whose instances have a thread each of so many words that each thread's own
    /// vectors would be slow: 1.06 in place of 0.53 ms at 512 bits on an H200.
    pub(crate) fn has_long_rows(&self) -> bool {
        let Mapping { run_words, runs, lanes, warps, .. } = self.mapping;
        self.dag.is_wide() && !within_warp(&self.dag) && runs * lanes * warps == 1 && run_words >= LONG_ROW
    }
}

impl fmt::Display for KernelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} limb={} map={}", self.ty, self.limb, self.mapping)?;
        for input in &self.inputs {
            write!(f, " in={input}")?;
        }
        if self.result != self.ty {
            write!(f, " result={}", self.result)?;
        }
        f.write_str(&unless_text(self.unless))?;
        if !self.fails.is_empty() {
            write!(f, " fails={:?}", self.fails)?;
        }
        write!(f, "{}", self.part)?;
        write!(f, " out={} target={} dag={}", layout_name(self.output), self.target, self.dag)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Cuda { "cuda" } else { "emulator" })
    }
}

/// Whether an operation, such as a division, goes word by word through the lanes of one warp.
pub(crate) fn within_warp(dag: &Dag) -> bool {
    dag.nodes().iter().any(|node| node.op.is_within_warp())
}

/// Whether the expression has a product, which takes words in groups of four.
pub(crate) fn multiplies(dag: &Dag) -> bool {
    dag.nodes().iter().any(|node| node.op.is_product())
}
