//! Programs: loops, residues and several results.

mod display;
mod lower;
mod normal;
pub mod region;
mod stages;
mod state;
pub mod text;
mod ty;
mod uniform;
mod uses;

#[cfg(test)]
pub(crate) mod sketch;

use std::sync::Arc;

use limbforge_limb::IntType;

pub use region::{Input, Kind, Modulus, Node, Output, Part, Region, ResidueOp, Rounds, TypedProgram};
pub use stages::{Stage, stages};
pub use state::{ProgramFailure, State};
use text::syntax::Tree;
pub use text::{ProgramError, ProgramErrorKind, ProgramWarning};
pub use ty::{Element, ModulusId, Ty, ValueId};
pub use uniform::Uniform;

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

    /// The program with a type for each value, for inputs of these types: those that have none in the text.
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let program = Program::parse("in N, x, t: u64\nvar y = x mod N\nrepeat t { y = sqr(y) }\nout y")?;
    /// let ty = "u256".parse().unwrap();
    /// let typed = program.typed(&[("N", ty), ("x", ty)])?;
    /// assert_eq!(typed.results()[0].ty, ty);
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    ///
    /// # Errors
    /// [`ProgramError`] for operations that do not take the types of their operands, inputs without a type,
    /// and numbers where a constant is expected.
    pub fn typed(&self, inputs: &[(&str, IntType)]) -> Result<TypedProgram, ProgramError> {
        lower::lower(&self.text, &self.tree, inputs).map(TypedProgram::normal)
    }

    /// Each `^` that is probably meant as a power, in order of the text: the first ten.
    #[must_use]
    pub fn warnings(&self) -> &[ProgramWarning] {
        &self.warnings
    }
}
