//! Errors and warnings of texts, with their places, and reports that mark the place.

use core::fmt;
use core::ops::Range;

use num_bigint::BigUint;

use crate::lexer::is_decimal;

/// A text that does not parse as an expression.
///
/// `Display` is one line. [`report`](Self::report) shows the line of the text with the place marked.
///
/// ```
/// use limbforge_algos::expr::Expr;
/// let text = "gcdd(a, b) + 1";
/// let error = Expr::parse(text).unwrap_err();
/// assert_eq!(error.to_string(), "column 1: unknown function `gcdd`: did you mean `gcd`?");
/// let report = error.report(text).to_string();
/// assert_eq!(report, "unknown function `gcdd`\n  gcdd(a, b) + 1\n  ^^^^ did you mean `gcd`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseExprError {
    /// The rule that the text breaks.
    pub kind: ParseErrorKind,
    /// The place, in characters from 1.
    pub column: usize,
    /// The place, in bytes of the text.
    pub span: Range<usize>,
    /// The tokens allowed there.
    pub expected: String,
    /// The token there.
    pub found: String,
    /// The remedy.
    pub help: Option<String>,
}

/// The kinds of [`ParseExprError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The grammar does not allow this token here.
    Syntax,
    /// A name before parentheses is not a function.
    UnknownFunction,
    /// A name is not among the inputs.
    UnknownVariable,
    /// A function has another number of operands.
    Operands,
    /// A wide product is an operand.
    WideOperand,
    /// The exponent of `**` is not a number from 0 to 2^32 - 1.
    Exponent,
    /// A number has more bits than any type.
    LongNumber,
}

impl ParseExprError {
    /// The error without place and help: one line.
    #[must_use]
    pub fn title(&self) -> String {
        let Self { expected, found, .. } = self;
        match self.kind {
            ParseErrorKind::UnknownFunction => format!("unknown function {found}"),
            ParseErrorKind::UnknownVariable => format!("unknown variable {found}"),
            _ => format!("expected {expected}, found {found}"),
        }
    }

    /// The error with its line of `text`, the text that was parsed.
    #[must_use]
    pub fn report(&self, text: &str) -> Report {
        Report::new(self.title(), text, self.span.clone(), self.help.clone().unwrap_or_default())
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for ParseExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.title())?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, ": {help}"))
    }
}

impl core::error::Error for ParseExprError {}

/// A probable mistake in a valid expression.
///
/// ```
/// use limbforge_algos::expr::Expr;
/// let parsed = Expr::parse_with_warnings("2^61 - 1", None)?;
/// let expected = "column 2: ^ is exclusive or; write ** for powers: `**61` is the power, `^ 0x3d` the bits";
/// assert_eq!(parsed.warnings[0].to_string(), expected);
/// // A mask in hexadecimal is no power.
/// assert!(Expr::parse_with_warnings("a ^ 0x3d", None)?.warnings.is_empty());
/// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseWarning {
    /// The place, in characters from 1.
    pub column: usize,
    /// The place, in bytes of the text.
    pub span: Range<usize>,
    /// The remedy.
    pub help: String,
}

impl ParseWarning {
    pub(crate) const TITLE: &'static str = "^ is exclusive or; write ** for powers";

    /// Most warnings of a text.
    pub(crate) const MOST: usize = 10;

    /// The remedy where the operands of `^`, as they are written, suggest a power.
    pub(crate) fn help_for_power(left: &str, right: &str, exponent: &BigUint) -> Option<String> {
        let exponent = u32::try_from(exponent).ok()?;
        let is_meant = is_decimal(right) && (is_decimal(left) || exponent >= 2);
        is_meant.then(|| format!("`**{exponent}` is the power, `^ {exponent:#x}` the bits"))
    }

    /// The warning with its line of `text`, the text that was parsed.
    #[must_use]
    pub fn report(&self, text: &str) -> Report {
        Report::new(Self::TITLE.to_owned(), text, self.span.clone(), self.help.clone())
    }
}

impl fmt::Display for ParseWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}: {}", self.column, Self::TITLE, self.help)
    }
}

/// A message about a place in a text: the message, the line of the text, and carets with a hint.
///
/// ```
/// use limbforge_algos::expr::Report;
/// let report = Report::new("no such name".to_owned(), "a + x", 4..5, "did you mean `b`?".to_owned());
/// assert_eq!(report.to_string(), "no such name\n  a + x\n      ^ did you mean `b`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The message, without a full stop.
    pub title: String,
    /// The line of the text, or the part of a long one around the place.
    pub line: String,
    /// The start of the place in `line`, in characters from 0.
    pub column: usize,
    /// Characters of the place in `line`, at least 1.
    pub length: usize,
    /// The text beside the carets; may be empty.
    pub hint: String,
}

/// Most characters of a line shown on either side of the start of the place.
const SHOWN: usize = 36;

impl Report {
    /// A report about the bytes `span` of `text`. Places beyond the text are moved to its end.
    #[must_use]
    pub fn new(title: String, text: &str, span: Range<usize>, hint: String) -> Self {
        let start = boundary(text, span.start);
        let end = boundary(text, span.end.max(start));
        let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let last = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let before: Vec<char> = text[first..start].chars().collect();
        let behind: Vec<char> = text[start..last].chars().collect();
        let place = text[start..end.min(last)].chars().count();
        let (from, to) = (before.len().saturating_sub(SHOWN), behind.len().min(SHOWN));
        let [left, right] = [from > 0, to < behind.len()].map(|cut| if cut { "..." } else { "" });
        // Control characters, tabs among them, take one column each.
        let shown = before[from..].iter().chain(&behind[..to]).map(|c| if c.is_control() { ' ' } else { *c });
        Self {
            title,
            line: format!("{left}{}{right}", shown.collect::<String>()),
            column: left.len() + before.len() - from,
            length: place.clamp(1, to.max(1)),
            hint,
        }
    }
}

/// The last boundary between characters up to this byte.
fn boundary(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|&byte| text.is_char_boundary(byte)).unwrap_or(0)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, line, column, length, hint } = self;
        let carets = "^".repeat(*length);
        let marked = format!("{:column$}{carets} {hint}", "");
        write!(f, "{title}\n  {line}\n  {}", marked.trim_end())
    }
}
