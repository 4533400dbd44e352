//! The text that a builder writes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::Operand;
use crate::program::text::syntax::Span;
use crate::program::{ProgramError, ProgramErrorKind};

/// Lines of a program.
#[derive(Debug, Default)]
pub(super) struct Writer {
    inputs: RefCell<String>,
    lists: RefCell<String>,
    lines: RefCell<String>,
    /// Blocks around the next line.
    level: Cell<usize>,
    /// Values that have names.
    values: Cell<usize>,
    /// The first mistake that the text would not show.
    mistake: RefCell<Option<ProgramError>>,
}

impl Writer {
    /// An input and its type, which stands above all that computes.
    pub(super) fn input(&self, name: &str, ty: &str) {
        self.check(name);
        let line = format!("in {name}{ty}\n");
        self.inputs.borrow_mut().push_str(&line);
    }

    /// A list and its columns, which stands behind the inputs and above all that computes.
    pub(super) fn list(&self, name: &str, columns: &[&str], most: u64) {
        self.check(name);
        columns.iter().flat_map(|column| column.split(' ')).for_each(|word| self.check(word));
        let line = format!("list {name}: ({}) at most {most}\n", columns.join(", "));
        self.lists.borrow_mut().push_str(&line);
    }

    pub(super) fn line(&self, line: &str) {
        let line = format!("{:1$}{line}\n", "", 4 * self.level.get());
        self.lines.borrow_mut().push_str(&line);
    }

    /// Names a value that is computed here.
    pub(super) fn declare(&self, expression: &str) -> Arc<str> {
        let name = self.new_name();
        self.line(&format!("let {name} = {expression}"));
        name
    }

    pub(super) fn new_name(&self) -> Arc<str> {
        self.values.set(self.values.get() + 1);
        format!("_{}", self.values.get()).into()
    }

    /// Writes the lines of a block and the `}` behind them.
    pub(super) fn block<T>(&self, head: &str, write: impl FnOnce() -> T) -> T {
        self.line(&format!("{head} {{"));
        let (lines, written) = self.indented(write);
        self.lines.borrow_mut().push_str(&lines);
        self.line("}");
        written
    }

    /// The blanks before a line.
    pub(super) fn blank(&self) -> String {
        " ".repeat(4 * self.level.get())
    }

    /// Lines of a block, which are not part of the text yet.
    pub(super) fn indented<T>(&self, write: impl FnOnce() -> T) -> (String, T) {
        let before = self.lines.take();
        self.level.set(self.level.get() + 1);
        let written = write();
        self.level.set(self.level.get() - 1);
        (self.lines.replace(before), written)
    }

    /// The text with these results.
    pub(super) fn text<'n, V: Operand>(
        self: &Rc<Self>,
        results: impl IntoIterator<Item = (&'n str, V)>,
    ) -> Result<String, ProgramError> {
        let mut outputs = String::new();
        for (name, value) in results {
            self.check(name);
            outputs += &format!("out {name} = {}\n", value.written(self));
        }
        match &*self.mistake.borrow() {
            Some(mistake) => Err(mistake.clone()),
            None => {
                let (inputs, lists, lines) = (self.inputs.borrow(), self.lists.borrow(), self.lines.borrow());
                Ok(format!("{inputs}{lists}{lines}{outputs}"))
            }
        }
    }

    /// A name that is none would be read as something else.
    fn check(&self, name: &str) {
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|c: char| c.is_ascii_digit());
        if !is_name || name.is_empty() {
            self.mistake("a name of letters, digits and _", format!("`{}`", name.escape_debug()));
        }
    }

    pub(super) fn mistake(&self, expected: &str, found: impl Into<String>) {
        let error = ProgramError::new(ProgramErrorKind::Name, Span::default(), expected, found);
        self.mistake.borrow_mut().get_or_insert(error.placed(""));
    }
}
