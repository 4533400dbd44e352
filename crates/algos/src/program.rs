//! Programs: loops, residues and several results.

pub mod builder;
mod count;
mod display;
mod failure;
mod lower;
mod names;
mod normal;
mod random;
pub mod region;
mod residue_loops;
mod rows;
mod stages;
mod state;
pub mod text;
mod ty;
mod typed;
mod uniform;
mod uses;

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;

use limbforge_limb::IntType;

pub use builder::ProgramBuilder;
pub use random::random_words;
pub use region::{Input, Kind, List, Modulus, Node, Output, Part, Region, ResidueOp, Rounds, TypedProgram};
pub use residue_loops::{NotResidues, ResidueLoop, residue_loop};
pub use rows::Rows;
pub use stages::{Stage, stages};
pub use state::{ProgramFailure, State};
use text::syntax::Tree;
pub use text::{ProgramError, ProgramErrorKind, ProgramWarning};
pub use ty::{Element, ModulusId, Ty, ValueId};
pub use uniform::Uniform;

/// A program: its text and its syntax tree, in which names and numbers of operands are right.
///
/// ```
/// use limbforge_algos::program::Program;
/// let text = "
///     in N                            # odd
///     in t: u64
///     var y = 2 mod N
///     repeat t { y = sqr(y) }         # 2^(2^t)
///     out y, factor = gcd(int(y - 1), N)
/// ";
/// let program = Program::parse(text)?;
/// assert_eq!(program.inputs().map(|(name, _)| name).collect::<Vec<_>>(), ["N", "t"]);
/// assert_eq!(program.outputs().collect::<Vec<_>>(), ["y", "factor"]);
/// # Ok::<(), limbforge_algos::program::ProgramError>(())
/// ```
///
/// `Display` is the canonical text, without comments and with one spelling of blanks and parentheses. Programs
/// are equal if their canonical texts are.
///
/// ```
/// # use limbforge_algos::program::Program;
/// let program: Program = "in a  # any; it has the type of its batch\nout x=(a+1)".parse()?;
/// assert_eq!(program.to_string(), "in a\nout x = a + 1\n");
/// assert_eq!(program, Program::parse(&program.to_string())?);
/// # Ok::<(), limbforge_algos::program::ProgramError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    text: Arc<str>,
    tree: Tree,
    warnings: Vec<ProgramWarning>,
}

impl Program {
    /// The program that `text` writes. Types are checked when those of all inputs are known.
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let program = Program::parse("in a, b\nout q = a / b, r = a % b")?;
    /// assert_eq!(program.outputs().count(), 2);
    /// let error = Program::parse("in number\nout x = numbers + 1").unwrap_err();
    /// assert_eq!((error.line, error.column), (2, 9));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    ///
    /// # Errors
    /// [`ProgramError`] with the place and the expected and found words.
    pub fn parse(text: &str) -> Result<Self, ProgramError> {
        let (tree, warnings) = text::parse(text)?;
        names::check(text, &tree)?;
        Ok(Self { text: text.into(), tree, warnings })
    }

    /// The text that it was parsed from.
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let text = "out x = 1   # one";
    /// assert_eq!(Program::parse(text)?.text(), text);
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its syntax tree.
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let program = Program::parse("in a; out x = a + 1")?;
    /// assert_eq!(program.tree().items.len(), 2);
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The program with a type for each value, for inputs of these types: those that have none in the text.
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let program = Program::parse("in N, x\nin t: u64\nvar y = x mod N\nrepeat t { y = sqr(y) }\nout y")?;
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
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let program = Program::parse("in a\nout x = a + 2^32")?;
    /// let expected = "2:14: ^ is exclusive or; write ** for powers: `**32` is the power, `^ 0x20` the bits";
    /// assert_eq!(program.warnings()[0].to_string(), expected);
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn warnings(&self) -> &[ProgramWarning] {
        &self.warnings
    }
}

impl FromStr for Program {
    type Err = ProgramError;

    fn from_str(text: &str) -> Result<Self, ProgramError> {
        Self::parse(text)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.tree)
    }
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Program {}
