//! What identifies a kernel.

use core::fmt;

use limbforge_algos::expr::Dag;
use limbforge_limb::{Base, IntType, Layout, convert};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::SpecError;
use crate::mapping::{Mapping, VECTOR_WORDS, within_warp};
use crate::ntt::Residues;

/// A limb by its number of 32-bit words. On the device all numbers are such words; the limb decides the padding of an
/// instance and the distances of the interleaved layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LimbKind {
    words: u32,
}

impl LimbKind {
    /// The limb `B`, of 32, 64 or 128 bits; another does not compile. [`of_any`](Self::of_any) takes any.
    ///
    /// ```compile_fail,E0080
    /// limbforge_limb::limb_newtype! { struct Short(u16); }
    /// let kind = limbforge_kernels_gen::LimbKind::of::<Short>();
    /// ```
    #[must_use]
    pub const fn of<B: Base>() -> Self {
        const { assert!(matches!(B::BITS, 32 | 64 | 128), "kernels take limbs of 32, 64 and 128 bits") };
        Self { words: B::BITS / 32 }
    }

    /// The limb `B` if kernels can read it.
    ///
    /// ```
    /// use limbforge_kernels_gen::LimbKind;
    /// limbforge_limb::limb_newtype! { struct Short(u16); }
    ///
    /// assert_eq!(LimbKind::of_any::<u64>()?, LimbKind::of::<u64>());
    /// let error = LimbKind::of_any::<Short>().unwrap_err().to_string();
    /// assert!(error.starts_with("kernels do not read limbs of type Short, 16 bits"), "{error}");
    /// # Ok::<(), limbforge_kernels_gen::SpecError>(())
    /// ```
    ///
    /// # Errors
    /// [`SpecError::Limb`] for a limb that has not 32, 64 or 128 bits, or does not lie in memory as its little-endian
    /// bytes.
    pub fn of_any<B: Base>() -> Result<Self, SpecError> {
        if matches!(B::BITS, 32 | 64 | 128) && convert::lies_as_bytes::<B>() {
            return Ok(Self { words: B::BITS / 32 });
        }
        Err(SpecError::Limb { name: B::NAME, bits: B::BITS })
    }

    /// The limb of this name: u32, u64 or u128.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let bits: u32 = name.strip_prefix('u')?.parse().ok()?;
        [32, 64, 128].contains(&bits).then_some(Self { words: bits / 32 })
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

/// Its name, as in u64.
impl fmt::Display for LimbKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "u{}", 32 * self.words)
    }
}

/// As its name.
impl Serialize for LimbKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// From its name.
impl<'de> Deserialize<'de> for LimbKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let expected = || D::Error::custom(format!("`{name}`: expected a limb, u32, u64 or u128"));
        Self::from_name(&name).ok_or_else(expected)
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
    /// What it holds.
    pub form: InputForm,
}

/// What an operand's buffer holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum InputForm {
    /// Integers of the kernel's type.
    #[default]
    Integers,
    /// Unsigned integers of fewer words than the kernel's type.
    Narrow {
        /// Words of 32 bits of an instance in memory.
        words: u32,
    },
    /// Residues of digit sums, which are put together as they are loaded.
    Residues(Residues),
}

impl InputSpec {
    /// Integers of the kernel's type.
    #[must_use]
    pub fn integers(name: &str, layout: Layout, broadcast: bool) -> Self {
        Self { name: name.to_owned(), layout, broadcast, form: InputForm::Integers }
    }
}

/// Which instances a kernel may leave out, whose results nobody reads: those whose flags have one of some bits, the second of four
/// words for each instance in a buffer that is the kernel's last operand. A block leaves out its own only together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unless {
    /// The bits.
    pub mask: u32,
}

impl Unless {
    /// What the operand is called.
    pub(crate) const NAME: &'static str = "flags";

    /// What kernels include.
    pub(crate) const TEMPLATE: &'static str = include_str!("../templates/unless.cuh");
}

impl fmt::Display for Unless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unless={}", self.mask)
    }
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
    pub unless: Option<Unless>,
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

impl fmt::Display for InputSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let broadcast = if self.broadcast { ":broadcast" } else { "" };
        write!(f, "{}:{}{broadcast}", self.name, layout_name(self.layout))?;
        match &self.form {
            InputForm::Integers => Ok(()),
            InputForm::Narrow { words } => write!(f, ":words={words}"),
            InputForm::Residues(Residues { primes, digits, index }) => {
                write!(f, ":residues={:?}[{index}]x{digits}", primes.primes())
            }
        }
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
        if self.result != self.ty {
            write!(f, " result={}", self.result)?;
        }
        if let Some(unless) = self.unless {
            write!(f, " {unless}")?;
        }
        write!(f, " out={} target={} dag={}", layout_name(self.output), self.target, self.dag)
    }
}
