//! A message with the line of an expression that it is about, and carets below the place.

use core::fmt;
use core::ops::Range;

/// A message about a place in a text, of several lines: the message, the line of the text, and carets below
/// the place with a hint beside them.
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
    /// The line of the text, or the part of a long one that has the place.
    pub line: String,
    /// Where the place begins in `line`, in characters from 0.
    pub column: usize,
    /// Characters of the place in `line`, at least 1.
    pub length: usize,
    /// What stands beside the carets; may be empty.
    pub hint: String,
}

/// Characters of a line that are shown before and behind the beginning of the place, if the line is longer.
const BEFORE: usize = 36;
const BEHIND: usize = 36;

impl Report {
    /// A report about the bytes `span` of `text`. Places that are not in the text are moved to its end.
    #[must_use]
    pub fn new(title: String, text: &str, span: Range<usize>, hint: String) -> Self {
        let start = boundary(text, span.start);
        let end = boundary(text, span.end.max(start));
        let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let last = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let before: Vec<char> = text[first..start].chars().collect();
        let behind: Vec<char> = text[start..last].chars().collect();
        let place = text[start..end.min(last)].chars().count();
        let (from, to) = (before.len().saturating_sub(BEFORE), behind.len().min(BEHIND));
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
