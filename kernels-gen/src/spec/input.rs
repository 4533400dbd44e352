//! The operands of a kernel.

use core::fmt;

use limbforge_limb::Layout;

use super::primes::Residues;

/// An operand of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InputSpec {
    /// The variable's name in the expression.
    pub name: String,
    /// The order of its limbs in memory.
    pub layout: Layout,
    /// Whether the batch has one instance, used for all.
    pub broadcast: bool,
    /// The contents of its buffer.
    pub form: InputForm,
}

/// The contents of an operand's buffer.
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
    /// Residues of a product's coefficients, combined as they are loaded.
    Residues(Residues),
}

impl InputSpec {
    /// Integers of the kernel's type.
    #[must_use]
    pub fn integers(name: &str, layout: Layout, broadcast: bool) -> Self {
        Self { name: name.to_owned(), layout, broadcast, form: InputForm::Integers }
    }
}

/// A block exits early if the flags of all its instances match `mask`: their results are unused. The flags
/// are the second of four words of each instance in the kernel's last operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SkipMask {
    /// The bits, of which one must be set.
    pub mask: u32,
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

pub(crate) fn layout_name(layout: Layout) -> &'static str {
    if layout == Layout::Interleaved { "interleaved" } else { "major" }
}

/// The mask as part of a kernel's canonical text.
pub(crate) fn unless_text(unless: Option<SkipMask>) -> String {
    unless.map_or_else(String::new, |SkipMask { mask }| format!(" unless={mask}"))
}

/// The names of a kernel's operands, followed by that of the flags if it has a mask.
pub(crate) fn operand_names(names: impl Iterator<Item = String>, unless: Option<SkipMask>) -> Vec<String> {
    names.chain(unless.map(|_| "flags".to_owned())).collect()
}
