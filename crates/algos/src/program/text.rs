//! Programs as text: words, grammar, syntax tree, errors.

mod canonical;
mod error;
mod lexer;
mod parser;
pub mod syntax;

pub(super) use error::place;
pub use error::{ProgramError, ProgramErrorKind, ProgramWarning};
pub(super) use lexer::is_integer_type;
pub(super) use parser::parse;

#[cfg(test)]
mod tests;
