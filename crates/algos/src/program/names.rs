//! Checks without types: names, numbers of operands, and where blocks need values.

mod calls;
mod expressions;
mod lists;
mod scopes;
mod statements;

use std::collections::HashMap;

use super::text::syntax::{Expression, Function, Item, List, Name, Span, Tree, Type};
use super::text::{ProgramError, ProgramErrorKind, is_integer_type};
use crate::op::function;
use scopes::{Declared, Scope, Use};
use statements::names;

type Checked = Result<(), ProgramError>;

/// What is known at a place of the tree that is being walked.
struct Names<'t> {
    text: &'t str,
    tree: &'t Tree,
    /// Constants; then the names of the top level; then those of the blocks around the place.
    scopes: Vec<Scope<'t>>,
    /// The names of the top level while a function or a constant is checked, which does not see them.
    hidden: Option<Scope<'t>>,
    /// The functions defined so far, by name.
    functions: HashMap<&'t str, &'t Function>,
    /// The name of the function that is being checked.
    within: Option<&'t str>,
    results: HashMap<&'t str, Span>,
    lists: HashMap<&'t str, &'t List>,
    /// Whether the values of an `emit` are checked, which know the numbers of elements.
    in_emit: bool,
}

/// Checks the names of a program.
pub(super) fn check(text: &str, tree: &Tree) -> Checked {
    let (functions, results, lists) = <_>::default();
    let scopes = vec![Scope::new(), Scope::new()];
    let (hidden, within, in_emit) = (None, None, false);
    let mut names = Names { text, tree, scopes, hidden, functions, within, results, lists, in_emit };
    names.program().map_err(|error| error.placed(text))
}

impl<'t> Names<'t> {
    fn program(&mut self) -> Checked {
        for item in &self.tree.items {
            self.item(item)?;
        }
        if !self.results.is_empty() || !self.lists.is_empty() {
            return Ok(());
        }
        let end = self.text.len() as u32;
        let (span, found) = (Span { start: end, end }, "the end of the program");
        Err(ProgramError::new(ProgramErrorKind::Results, span, "a result, as in `out x`", found))
    }

    fn item(&mut self, item: &'t Item) -> Checked {
        match item {
            Item::Const { name, value } => {
                self.apart(|names| names.expression(value))?;
                self.is_new(name)?;
                self.scopes[0].insert(&name.text, Declared { place: name.span, as_what: Use::Constant });
                Ok(())
            }
            Item::Inputs(inputs) => inputs.iter().try_for_each(|(name, ty)| {
                ty.as_ref().map_or(Ok(()), |ty| self.ty(ty))?;
                self.declare(name, Use::Input)
            }),
            Item::List(list) => self.list(list),
            Item::Function(function) => self.function(function),
            Item::Outputs(outputs) => {
                outputs.iter().try_for_each(|(name, value)| self.output(name, value.as_ref()))
            }
            Item::Statement(statement) => self.statement(statement, false),
        }
    }

    fn function(&mut self, function: &'t Function) -> Checked {
        self.is_new_function(&function.name)?;
        self.within = Some(&function.name.text);
        self.apart(|inner| {
            inner.within_scope(|inner| {
                let parameters = function.parameters.iter().flat_map(names);
                parameters.into_iter().try_for_each(|name| inner.declare(name, Use::Parameter))?;
                inner.block(&function.body, true)
            })
        })?;
        self.within = None;
        self.functions.insert(&function.name.text, function);
        Ok(())
    }

    /// A function may not have the name of another one, of the program or of the language.
    fn is_new_function(&self, name: &Name) -> Checked {
        let word = &*name.text;
        let help = if let Some(before) = self.functions.get(word) {
            let word = short(word);
            format!("`{word}` is defined in line {} already", self.line(before.name.span))
        } else if function(word).is_some() || calls::is_built_in(word) {
            format!("`{word}` is a function of the language")
        } else if is_integer_type(word) {
            format!("`{word}` is a type")
        } else {
            return Ok(());
        };
        Err(self.error(name.span, ProgramErrorKind::Name, "a new name", word).with_help(help))
    }

    fn output(&mut self, name: &'t Name, value: Option<&'t Expression>) -> Checked {
        match value {
            Some(value) => self.expression(value)?,
            None => self.known(&name.text, name.span)?,
        }
        self.is_new_result(name)?;
        self.results.insert(&name.text, name.span);
        Ok(())
    }

    /// Checks what sees none of the names of the top level but constants.
    fn apart(&mut self, check: impl FnOnce(&mut Self) -> Checked) -> Checked {
        self.hidden = self.scopes.pop();
        check(self)?;
        self.scopes.extend(self.hidden.take());
        Ok(())
    }

    fn error(&self, span: Span, kind: ProgramErrorKind, expected: &str, word: &str) -> ProgramError {
        ProgramError::new(kind, span, expected, format!("`{}`", short(word)))
    }
}

/// Characters of a word that an error shows.
const SHOWN: usize = 40;

/// A word, or the start of a long one.
fn short(word: &str) -> String {
    match word.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}

impl super::Program {
    /// The inputs in order, with their types where they are written.
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let program = Program::parse("in N, s: u32\nin x\nout y = N + s + x")?;
    /// let inputs: Vec<_> = program.inputs().map(|(name, ty)| (name, ty.is_some())).collect();
    /// assert_eq!(inputs, [("N", false), ("s", true), ("x", false)]);
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn inputs(&self) -> impl Iterator<Item = (&str, Option<&Type>)> {
        let lists = self.tree.items.iter().filter_map(|item| match item {
            Item::Inputs(inputs) => Some(inputs),
            _ => None,
        });
        lists.flatten().map(|(name, ty)| (&*name.text, ty.as_ref()))
    }

    /// The names of the lists in order.
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let program = Program::parse("in a\nlist found: u64 at most 9\nemit found(instance) where a > 1")?;
    /// assert_eq!(program.lists().collect::<Vec<_>>(), ["found"]);
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn lists(&self) -> impl Iterator<Item = &str> {
        self.tree.items.iter().filter_map(|item| match item {
            Item::List(list) => Some(&*list.name.text),
            _ => None,
        })
    }

    /// The names of the results in order.
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let program = Program::parse("in a, b\nout quotient = a / b, rest = a % b")?;
    /// assert_eq!(program.outputs().collect::<Vec<_>>(), ["quotient", "rest"]);
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    pub fn outputs(&self) -> impl Iterator<Item = &str> {
        let lists = self.tree.items.iter().filter_map(|item| match item {
            Item::Outputs(outputs) => Some(outputs),
            _ => None,
        });
        lists.flatten().map(|(name, _)| &*name.text)
    }
}
