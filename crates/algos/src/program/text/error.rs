//! Errors and warnings of programs, with their places.

use core::fmt;

use super::syntax::Span;
use crate::expr::{ParseWarning, Report};

/// A text that is not a program, or a program that has no types for the operands given.
///
/// `Display` is one line. [`report`](Self::report) shows the line of the text with the place marked.
///
/// ```
/// use limbforge_algos::program::{Program, ProgramErrorKind};
/// let text = "in a, b\nlet g = gcdd(a, b)\nout g";
/// let error = Program::parse(text).unwrap_err();
/// assert_eq!(error.kind, ProgramErrorKind::Name);
/// assert_eq!(error.to_string(), "2:9: expected a function, found `gcdd`: did you mean `gcd`?");
/// let report = error.report(text).to_string();
/// assert_eq!(
///     report,
///     "expected a function, found `gcdd`\n  let g = gcdd(a, b)\n          ^^^^ did you mean `gcd`?"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgramError {
    /// The rule that the text breaks.
    pub kind: ProgramErrorKind,
    /// The place, in bytes.
    pub span: Span,
    /// The line, from 1.
    pub line: usize,
    /// The place in its line, in characters from 1.
    pub column: usize,
    /// The words, names or values allowed there.
    pub expected: String,
    /// The word, name or value there.
    pub found: String,
    /// The remedy.
    pub help: Option<String>,
}

/// The kinds of [`ProgramError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProgramErrorKind {
    /// The grammar does not allow this word or sign here.
    Syntax,
    /// A name is unknown, or cannot be declared here.
    Name,
    /// What is assigned was not declared by `var`.
    Assignment,
    /// A function has another number of operands.
    Operands,
    /// An operation does not take values of these types, or a pattern has another number of members.
    Type,
    /// A value is not a constant, or a constant is out of range.
    Constant,
    /// A value cannot be a modulus, or residues of two moduli meet.
    Modulus,
    /// A loop cannot be computed as it is written.
    Loop,
    /// A program has no results and no lists, or two of one name.
    Results,
}

impl ProgramError {
    /// An error without line and column, which [`placed`](Self::placed) fills in.
    pub(crate) fn new(
        kind: ProgramErrorKind,
        span: Span,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let (expected, found) = (expected.into(), found.into());
        Self { kind, span, line: 0, column: 0, expected, found, help: None }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The error with the line and the column of its span in `text`.
    pub(crate) fn placed(self, text: &str) -> Self {
        let (line, column) = place(text, self.span);
        Self { line, column, ..self }
    }

    /// The error without place and help: one line.
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let error = Program::parse("out x = y").unwrap_err();
    /// assert_eq!(error.title(), "expected a name that is known here, found `y`");
    /// ```
    #[must_use]
    pub fn title(&self) -> String {
        format!("expected {}, found {}", self.expected, self.found)
    }

    /// The error with its line of `text`, the text that was parsed.
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let text = "out x = 1\nout y = 2 +";
    /// let report = Program::parse(text).unwrap_err().report(text);
    /// assert_eq!((report.line.as_str(), report.column), ("out y = 2 +", 11));
    /// ```
    #[must_use]
    pub fn report(&self, text: &str) -> Report {
        let range = self.span.start as usize..self.span.end as usize;
        Report::new(self.title(), text, range, self.help.clone().unwrap_or_default())
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.title())?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, ": {help}"))
    }
}

impl core::error::Error for ProgramError {}

/// A `^` in a valid program that is probably meant as a power.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgramWarning {
    /// The place, in bytes.
    pub span: Span,
    /// The line, from 1.
    pub line: usize,
    /// The place in its line, in characters from 1.
    pub column: usize,
    /// The remedy.
    pub help: String,
}

impl ProgramWarning {
    pub(super) fn new(text: &str, span: Span, help: String) -> Self {
        let (line, column) = place(text, span);
        Self { span, line, column, help }
    }

    /// The warning with its line of `text`, the text that was parsed.
    ///
    /// ```
    /// use limbforge_algos::program::Program;
    /// let text = "out x = 2^32";
    /// let report = Program::parse(text)?.warnings()[0].report(text).to_string();
    /// assert!(report.starts_with("^ is exclusive or; write ** for powers\n  out x = 2^32\n           ^ "));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn report(&self, text: &str) -> Report {
        let range = self.span.start as usize..self.span.end as usize;
        Report::new(ParseWarning::TITLE.to_owned(), text, range, self.help.clone())
    }
}

impl fmt::Display for ProgramWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.line, self.column, ParseWarning::TITLE, self.help)
    }
}

/// Line and column of the start of a span, in characters from 1. Places beyond the text are moved to its end.
pub(in crate::program) fn place(text: &str, span: Span) -> (usize, usize) {
    let before = text.get(..span.start as usize).unwrap_or(text);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let first = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[first..].chars().count() + 1)
}
