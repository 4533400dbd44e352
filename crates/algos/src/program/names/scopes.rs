//! Names that are declared, and the errors of names that are not.

use std::collections::HashMap;

use super::{Checked, Names, short};
use crate::expr::nearest;
use crate::op::function;
use crate::program::text::syntax::{ELEMENT, INSTANCE, Name, Span};
use crate::program::text::{ProgramError, ProgramErrorKind, place};

/// The names of a block.
pub(super) type Scope<'t> = HashMap<&'t str, Declared>;

/// A declaration.
#[derive(Clone, Copy)]
pub(super) struct Declared {
    pub(super) place: Span,
    pub(super) as_what: Use,
}

/// What a name was declared as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Constant,
    Input,
    Let,
    Variable,
    Parameter,
    Index,
}

/// Words of other languages.
const ELSEWHERE: [(&[&str], &str); 4] = [
    (&["True", "TRUE"], "write `true`"),
    (&["False", "FALSE"], "write `false`"),
    (&["break", "continue"], "a loop ends by the condition of `while`; `if` leaves out what follows"),
    (&["return"], "the last expression of a block is its value"),
];

impl<'t> Names<'t> {
    /// The nearest declaration that is seen here.
    fn find(&self, name: &str) -> Option<Declared> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// Declares a name in the innermost block.
    pub(super) fn declare(&mut self, name: &'t Name, as_what: Use) -> Checked {
        self.is_new(name)?;
        let Some(scope) = self.scopes.last_mut() else { return Ok(()) };
        scope.insert(&name.text, Declared { place: name.span, as_what });
        Ok(())
    }

    /// Names may be declared again in an inner block only.
    pub(super) fn is_new(&self, name: &Name) -> Checked {
        // Constants are names of the top level.
        let is_top = self.scopes.len() == 2 && self.hidden.is_none();
        let scopes = if is_top { &self.scopes[..] } else { &self.scopes[self.scopes.len() - 1..] };
        let Some(before) = scopes.iter().find_map(|scope| scope.get(&*name.text)) else { return Ok(()) };
        let error = self.error(name.span, ProgramErrorKind::Name, "a new name", &name.text);
        let line = self.line(before.place);
        Err(error.with_help(format!("`{}` is declared in line {line} already", short(&name.text))))
    }

    /// Checks within a block of its own.
    pub(super) fn within_scope(&mut self, check: impl FnOnce(&mut Self) -> Checked) -> Checked {
        self.scopes.push(Scope::new());
        check(self)?;
        self.scopes.pop();
        Ok(())
    }

    /// Checks that a value has this name.
    pub(super) fn known(&self, name: &str, span: Span) -> Checked {
        let is_known = self.find(name).is_some()
            || name == INSTANCE && !self.in_constant()
            || name == ELEMENT && self.in_emit;
        if is_known { Ok(()) } else { Err(self.unknown(name, span)) }
    }

    /// Whether the value of a constant is checked.
    fn in_constant(&self) -> bool {
        self.hidden.is_some() && self.within.is_none()
    }

    /// Checks that a name may be assigned.
    pub(super) fn assigned(&self, name: &Name) -> Checked {
        let declared = self.find(&name.text).map(|declared| declared.as_what);
        let word = &*short(&name.text);
        let help = match declared {
            Some(Use::Variable) => return Ok(()),
            Some(Use::Let) => format!("declare it by `var {word}`"),
            Some(Use::Constant) => format!("`{word}` is a constant"),
            Some(Use::Input) => format!("`{word}` is an input: assign to a variable, as var x = {word}"),
            Some(Use::Parameter) => {
                format!("`{word}` is a parameter: assign to a variable, as var x = {word}")
            }
            Some(Use::Index) => format!("`{word}` is the index of a loop"),
            None if word == INSTANCE => format!("`{word}` is the number of the instance"),
            None => match self.help_for(&name.text) {
                Some(help) => help,
                None => format!("`var {word} = ...` declares it"),
            },
        };
        let expected = "a variable that was declared with `var`";
        Err(self.error(name.span, ProgramErrorKind::Assignment, expected, &name.text).with_help(help))
    }

    #[cold]
    fn unknown(&self, word: &str, span: Span) -> ProgramError {
        let is_hidden = self.hidden.as_ref().is_some_and(|hidden| hidden.contains_key(word));
        if self.in_constant() && (is_hidden || word == INSTANCE) {
            let error = self.error(span, ProgramErrorKind::Constant, "a constant", word);
            return error.with_help("a constant is computed from numbers and constants");
        }
        let error = self.error(span, ProgramErrorKind::Name, "a name that is known here", word);
        if word == ELEMENT {
            return error.with_help("`element` is the number of an element, in an `emit` of arrays");
        }
        error.with_help(match self.help_for(word) {
            Some(help) => help,
            None => format!("`in {0}` declares an input, `let {0} = ...` a value", short(word)),
        })
    }

    /// The remedy for a name that is no value here, if there is a likely one.
    fn help_for(&self, word: &str) -> Option<String> {
        if self.hidden.as_ref().is_some_and(|hidden| hidden.contains_key(word)) {
            return Some(format!(
                "a function sees constants and its parameters: make `{}` one of them",
                short(word)
            ));
        }
        if let Some((_, help)) = ELSEWHERE.iter().find(|(words, _)| words.contains(&word)) {
            return Some((*help).to_owned());
        }
        let seen = || self.scopes.iter().flat_map(HashMap::keys).copied();
        let same = seen().filter(|name| name.eq_ignore_ascii_case(word)).min();
        // The least of several near names, as a table of them has no order.
        let mut names: Vec<&str> = seen().collect();
        names.sort_unstable();
        if let Some(near) = same.or_else(|| nearest(word, names.into_iter())) {
            return Some(format!("did you mean `{}`?", short(near)));
        }
        let is_function = self.functions.contains_key(word) || function(word).is_some();
        is_function.then(|| format!("`{}` is a function: write its operands in parentheses", short(word)))
    }

    /// The line of a place, from 1.
    pub(super) fn line(&self, span: Span) -> usize {
        place(self.text, span).0
    }
}
