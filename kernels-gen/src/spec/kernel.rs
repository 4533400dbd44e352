//! What identifies a kernel of an expression.

use core::fmt;

use limbforge_algos::expr::Dag;
use limbforge_limb::{IntType, Layout};

use super::error::SpecError;
use super::input::{InputForm, InputSpec, SkipMask, layout_name, unless_text};
use super::limb::LimbKind;
use super::mapping::{Mapping, VECTOR_WORDS};
use super::target::Target;

/// Everything that identifies a kernel. Its `Display` is the canonical text: equal texts, equal source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KernelSpec {
    /// What is computed.
    pub dag: Dag,
    /// The type in which the expression is evaluated, that of its operands.
    pub ty: IntType,
    /// The type of the result: as the expression has it ([`Dag::result_type`]), or of fewer bits if the result's other
    /// bits are zero.
    pub result: IntType,
    /// The limb of all batches.
    pub limb: LimbKind,
    /// The operands, in the order of the kernel's parameters. One that the expression does not use is a parameter that
    /// is not read.
    pub inputs: Vec<InputSpec>,
    /// Where the limbs of the result lie.
    pub output: Layout,
    /// Which thread holds what.
    pub mapping: Mapping,
    /// Instances that it may leave out.
    pub unless: Option<SkipMask>,
    /// What compiles the source.
    pub target: Target,
}

impl KernelSpec {
    /// The specification whose result has the type that the expression gives it.
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
        let result = dag.result_type(ty)?;
        Ok(Self { dag, ty, result, limb, inputs, output, mapping, unless: None, target })
    }

    /// W: words of 32 bits of an operand's instance.
    #[must_use]
    pub const fn words(&self) -> u32 {
        self.limb.instance_words(self.ty)
    }

    /// Words of 32 bits of the result's instance.
    #[must_use]
    pub const fn result_words(&self) -> u32 {
        self.limb.instance_words(self.result)
    }

    /// Whether instances of an operand of this many words, and runs, are aligned to 16 bytes.
    pub(crate) const fn loads_vectors(&self, words: u32) -> bool {
        words.is_multiple_of(VECTOR_WORDS) && self.mapping.has_vectors()
    }

    /// Whether the result's instances and runs are aligned to 16 bytes, so that they need no staging.
    pub(crate) const fn stores_vectors(&self) -> bool {
        self.loads_vectors(self.result_words())
    }

    /// Whether other mappings compute the same: not within a warp, and not from residues, which have mappings of their own.
    pub(crate) fn is_mapped(&self) -> bool {
        !within_warp(&self.dag) && !self.takes_residues()
    }

    /// Whether an operand is put together from residues.
    pub(crate) fn takes_residues(&self) -> bool {
        self.inputs.iter().any(|input| matches!(input.form, InputForm::Residues(_)))
    }

    /// Whether the result goes through shared memory.
    pub(crate) fn is_staged(&self) -> bool {
        self.output == Layout::InstanceMajor && !self.stores_vectors() && !within_warp(&self.dag)
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
        write!(f, " out={} target={} dag={}", layout_name(self.output), self.target, self.dag)
    }
}

/// Whether the expression has an operation that goes word by word through the lanes of one warp, such as a division. A lane holds
/// words in groups of four.
pub(crate) fn within_warp(dag: &Dag) -> bool {
    dag.nodes().iter().any(|node| node.op.is_within_warp())
}

/// Whether the expression has a product, which takes words in groups of four.
pub(crate) fn multiplies(dag: &Dag) -> bool {
    dag.nodes().iter().any(|node| node.op.is_product())
}
