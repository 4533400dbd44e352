//! Errors and warnings of texts, with their places.

use core::fmt;
use core::ops::Range;

use super::Report;

/// A text that is no expression.
///
/// `Display` is one line. [`report`](Self::report) shows the line of the text with the place marked.
///
/// ```
/// use limbforge_algos::expr::Expr;
/// let text = "gcdd(a, b) + 1";
/// let error = Expr::parse(text).unwrap_err();
/// assert_eq!(error.to_string(), "column 1: unknown function `gcdd`: did you mean `gcd`?");
/// assert_eq!(
///     error.report(text).to_string(),
///     "unknown function `gcdd`\n  gcdd(a, b) + 1\n  ^^^^ did you mean `gcd`?"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseExprError {
    /// The rule that the text breaks.
    pub kind: ParseErrorKind,
    /// Where, in characters from 1.
    pub column: usize,
    /// Where, in bytes of the text.
    pub span: Range<usize>,
    /// What could have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// What to write instead.
    pub help: Option<String>,
}

/// The kinds of [`ParseExprError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The grammar does not allow this token here.
    Syntax,
    /// A name before parentheses is no function.
    UnknownFunction,
    /// A name is not among the inputs.
    UnknownVariable,
    /// A function has another number of operands.
    Operands,
    /// A wide product is an operand.
    WideOperand,
    /// The exponent of `**` is no number from 0 to 2^32 - 1.
    Exponent,
    /// A number has more bits than any type.
    LongNumber,
}

impl ParseExprError {
    /// The error without place and help: one line without a full stop.
    #[must_use]
    pub fn title(&self) -> String {
        let Self { expected, found, .. } = self;
        match self.kind {
            ParseErrorKind::UnknownFunction => format!("unknown function {found}"),
            ParseErrorKind::UnknownVariable => format!("unknown variable {found}"),
            _ => format!("expected {expected}, found {found}"),
        }
    }

    /// The error with the line of `text` that it is in. `text` is the text that was parsed.
    #[must_use]
    pub fn report(&self, text: &str) -> Report {
        Report::new(self.title(), text, self.span.clone(), self.help.clone().unwrap_or_default())
    }
}

impl fmt::Display for ParseExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.title())?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, ": {help}"))
    }
}

impl core::error::Error for ParseExprError {}

/// An expression that may not mean what its author thinks.
///
/// ```
/// use limbforge_algos::expr::Expr;
/// let parsed = Expr::parse_with_warnings("2^61 - 1", None)?;
/// assert_eq!(
///     parsed.warnings[0].to_string(),
///     "column 2: ^ is exclusive or; write ** for powers: `**61` is the power, `^ 0x3d` the bits"
/// );
/// // A mask in hexadecimal is no power.
/// assert!(Expr::parse_with_warnings("a ^ 0x3d", None)?.warnings.is_empty());
/// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseWarning {
    /// Where, in characters from 1.
    pub column: usize,
    /// Where, in bytes of the text.
    pub span: Range<usize>,
    /// What to write instead.
    pub help: String,
}

impl ParseWarning {
    const TITLE: &'static str = "^ is exclusive or; write ** for powers";

    /// The warning with the line of `text` that it is in. `text` is the text that was parsed.
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
