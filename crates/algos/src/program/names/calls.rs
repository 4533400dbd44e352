//! Functions: those of the program, of the table of operations, of [`BUILT_IN`], and types as functions.

use limbforge_limb::IntType;

use super::{Checked, Names, short};
use crate::expr::{nearest, suggest_operation};
use crate::op::function;
use crate::program::text::syntax::{BUILT_IN, Expression, Item, Name, Pattern, RANDOM, Span, integer_type};
use crate::program::text::{ProgramError, ProgramErrorKind, is_integer_type};

/// Functions that a `for` runs over.
const OF_LOOPS: [&str; 2] = ["bits", "digits"];

/// Whether this is a function of programs that is not in the table.
pub(super) fn is_built_in(name: &str) -> bool {
    BUILT_IN.iter().any(|(other, ..)| *other == name)
}

impl Names<'_> {
    /// Checks the name and the number of operands of a call. `in_loop` says whether it follows the `in` of a `for`.
    pub(super) fn call(&self, name: &Name, operands: usize, span: Span, in_loop: bool) -> Checked {
        let word = &*name.text;
        if !in_loop && OF_LOOPS.contains(&word) {
            let error = self.error(name.span, ProgramErrorKind::Loop, "a function with a value", word);
            return Err(error.with_help(format!("`{word}` stands after the `in` of a `for` only")));
        }
        if word.parse::<IntType>().is_err() && is_integer_type(word) {
            let expected = "a type of 1 to 16777216 bits";
            return Err(self.error(name.span, ProgramErrorKind::Constant, expected, word));
        }
        let signatures = self.signatures(word);
        if signatures.iter().any(|(count, _)| *count == operands) {
            return Ok(());
        }
        if signatures.is_empty() {
            return Err(self.unknown_function(name));
        }
        let counts: Vec<String> = signatures.iter().map(|(count, _)| count.to_string()).collect();
        let plural = if counts == ["1"] { "" } else { "s" };
        let expected = format!("{} operand{plural} of `{}`", counts.join(" or "), short(word));
        let help: Vec<String> = signatures.into_iter().map(|(_, signature)| signature).collect();
        let error = ProgramError::new(ProgramErrorKind::Operands, span, expected, operands.to_string());
        Err(error.with_help(help.join(" or ")))
    }

    /// Whether a call is one of `random`, whose first operand is a type.
    pub(super) fn is_random(name: &Name) -> bool {
        &*name.text == RANDOM
    }

    /// Checks the type of random integers.
    pub(super) fn random_type(operand: &Expression) -> Checked {
        if integer_type(operand).is_some() {
            return Ok(());
        }
        let (expected, found) = ("a type of integers of 1 to 16777216 bits", "another operand");
        let error = ProgramError::new(ProgramErrorKind::Type, operand.span, expected, found);
        Err(error.with_help("random(u64, seed, i)"))
    }

    /// The functions of a name: numbers of operands, and how they are written.
    fn signatures(&self, word: &str) -> Vec<(usize, String)> {
        if let Some(function) = self.functions.get(word) {
            let parameters: Vec<String> = function.parameters.iter().map(written).collect();
            let written = format!("{}({})", short(word), short(&parameters.join(", ")));
            return vec![(parameters.len(), written)];
        }
        if is_integer_type(word) {
            return vec![(1, format!("{word}(x)"))];
        }
        let built_in = BUILT_IN.iter().filter(|(name, ..)| *name == word);
        let built_in =
            built_in.map(|(name, names, _)| (names.len(), format!("{name}({})", names.join(", "))));
        built_in.chain(function(word).map(|row| (row.operands.len(), row.signature()))).collect()
    }

    #[cold]
    fn unknown_function(&self, name: &Name) -> ProgramError {
        let word = &*name.text;
        let error = self.error(name.span, ProgramErrorKind::Name, "a function", word);
        let is_defined =
            |item: &&Item| matches!(item, Item::Function(function) if function.name.text == name.text);
        let mut own: Vec<&str> = self.functions.keys().copied().collect();
        own.sort_unstable();
        let near = own.into_iter().chain(BUILT_IN.iter().map(|(name, ..)| *name));
        let help = if self.within == Some(word) {
            "functions do not call themselves: write a loop".to_owned()
        } else if self.tree.items.iter().any(|item| is_defined(&item)) {
            format!("`{}` is defined below: a function is known from its end on", short(word))
        } else if self.known(word, name.span).is_ok() {
            format!("`{0}` is a value: write {0} * (...) for a product, {0}[i] for an element", short(word))
        } else if word == "bool" {
            "write x != 0".to_owned()
        } else if let Some(near) = nearest(word, near) {
            format!("did you mean `{}`?", short(near))
        } else if let Some(function) = suggest_operation(word) {
            format!("did you mean {function}?")
        } else {
            return error;
        };
        error.with_help(help)
    }
}

/// A pattern as it is written.
fn written(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Name(name) => name.text.to_string(),
        Pattern::Tuple(members, _) => {
            format!("({})", members.iter().map(written).collect::<Vec<_>>().join(", "))
        }
    }
}
