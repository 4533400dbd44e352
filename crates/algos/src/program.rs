//! Programs: loops, residues and several results.

pub mod region;
pub mod text;
mod ty;

use std::sync::Arc;

pub use region::{Input, Kind, Modulus, Node, Output, Part, Region, ResidueOp, Rounds, TypedProgram};
use text::syntax::Tree;
pub use text::{ProgramError, ProgramErrorKind, ProgramWarning};
pub use ty::{Element, ModulusId, Ty, ValueId};

/// A program: its text and its syntax tree, in which names and numbers of operands are right.
#[derive(Clone, Debug)]
pub struct Program {
    text: Arc<str>,
    tree: Tree,
    warnings: Vec<ProgramWarning>,
}

impl Program {
    /// The program that `text` writes.
    ///
    /// # Errors
    /// [`ProgramError`] with the place and the expected and found words.
    pub fn parse(text: &str) -> Result<Self, ProgramError> {
        let (tree, warnings) = text::parse(text)?;
        Ok(Self { text: text.into(), tree, warnings })
    }

    /// The text that it was parsed from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its syntax tree.
    #[must_use]
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Each `^` that is probably meant as a power, in order of the text: the first ten.
    #[must_use]
    pub fn warnings(&self) -> &[ProgramWarning] {
        &self.warnings
    }
}
