//! Programs as text: words, grammar, syntax tree, errors.

mod error;
pub mod syntax;

pub use error::{ProgramError, ProgramErrorKind, ProgramWarning};
