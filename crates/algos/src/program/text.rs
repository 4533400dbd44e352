//! Programs as text: words, grammar, syntax tree, errors.

pub mod syntax;
