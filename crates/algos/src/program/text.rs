//! Programs as text: words, grammar, syntax tree, errors.

mod error;
mod lexer;
mod parser;
pub mod syntax;

pub use error::{ProgramError, ProgramErrorKind, ProgramWarning};
pub(super) use parser::parse;
