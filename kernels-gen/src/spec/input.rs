//! The operands of a kernel.

use core::fmt;

use limbforge_limb::Layout;

use super::residues::Residues;

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
pub struct SkipMask {
    /// The bits.
    pub mask: u32,
}

impl SkipMask {
    /// What the operand is called.
    pub(crate) const NAME: &'static str = "flags";
}

impl fmt::Display for SkipMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unless={}", self.mask)
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

pub(super) fn layout_name(layout: Layout) -> &'static str {
    if layout == Layout::Interleaved { "interleaved" } else { "major" }
}

/// The instances that a kernel may leave out, as a part of its canonical text.
pub(crate) fn unless_text(unless: Option<SkipMask>) -> String {
    unless.map_or_else(String::new, |unless| format!(" {unless}"))
}

/// The names of a kernel's operands, with that of the flags of instances that it may leave out.
pub(crate) fn input_names(inputs: &[InputSpec], unless: Option<SkipMask>) -> Vec<String> {
    let flags = unless.map(|_| SkipMask::NAME.to_owned());
    inputs.iter().map(|input| input.name.clone()).chain(flags).collect()
}
