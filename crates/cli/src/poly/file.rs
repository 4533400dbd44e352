//! A file of polynomials, read some lines at a time.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use limbforge_field::{DynElement, DynField};

use crate::error::CliError;
use crate::input::{self, Content, Kind};

/// Bytes of the longest line, without its end: room for 3 million coefficients of 64 bits.
const MAX_LINE: usize = 1 << 26;

pub(super) type Polynomial = Vec<DynElement>;

/// A polynomial and the number of its line, from 1.
type Numbered = (u64, Polynomial);

pub(super) struct PolyFile {
    pub(super) path: PathBuf,
    reader: Content,
    field: DynField,
    is_lenient: bool,
    /// The number of lines that were read.
    pub(super) lines: u64,
    /// The polynomial of a file that has one only, which is used again and again.
    pub(super) single: Option<Numbered>,
    /// The first two polynomials of another file, in reverse order.
    ahead: Vec<Numbered>,
}

impl PolyFile {
    /// Opens the file and reads its first two polynomials.
    pub(super) fn open(path: &Path, field: DynField, is_lenient: bool) -> Result<Self, CliError> {
        let reader = input::open(path, Kind::Text)?;
        let (path, ahead) = (path.to_owned(), vec![]);
        let mut file = Self { path, reader, field, is_lenient, lines: 0, single: None, ahead };
        let Some(first) = file.read()? else {
            return Err(file.line_error(1, "expected at least one polynomial, found none".to_owned()));
        };
        match file.read()? {
            Some(second) => file.ahead = vec![second, first],
            None => file.single = Some(first),
        }
        Ok(file)
    }

    /// The next polynomial of a file that has several, or `None` at its end.
    pub(super) fn next(&mut self) -> Result<Option<Numbered>, CliError> {
        self.ahead.pop().map_or_else(|| self.read(), |ahead| Ok(Some(ahead)))
    }

    pub(super) fn line_error(&self, number: u64, why: String) -> CliError {
        CliError::Line { path: self.path.clone(), number, why }
    }

    fn read(&mut self) -> Result<Option<Numbered>, CliError> {
        let mut bytes = Vec::new();
        while self.read_line(&mut bytes)? {
            if let Some(polynomial) = self.parse(&bytes)? {
                return Ok(Some((self.lines, polynomial)));
            }
            bytes.clear();
        }
        Ok(None)
    }

    /// Appends the next line of the file; false at its end.
    fn read_line(&mut self, bytes: &mut Vec<u8>) -> Result<bool, CliError> {
        // One byte for the end of the line, and one that shows that it goes on.
        let mut line = (&mut self.reader).take(MAX_LINE as u64 + 2);
        line.read_until(b'\n', bytes).map_err(CliError::file(&self.path, "read"))?;
        if bytes.is_empty() {
            return Ok(false);
        }
        self.lines += 1;
        if bytes.strip_suffix(b"\n").unwrap_or(bytes).len() > MAX_LINE {
            let why = format!("the line is longer than {MAX_LINE} bytes, the limit of a polynomial");
            return Err(self.line_error(self.lines, why));
        }
        Ok(true)
    }

    /// The polynomial of a line; None for a skipped line.
    fn parse(&self, line: &[u8]) -> Result<Option<Polynomial>, CliError> {
        let wrong = |why: String| self.line_error(self.lines, why);
        let comment = line.iter().position(|&byte| byte == b'#').filter(|_| self.is_lenient);
        let Ok(text) = std::str::from_utf8(&line[..comment.unwrap_or(line.len())]) else {
            return Err(wrong("expected digits and blanks, found bytes that are not text".to_owned()));
        };
        let hint = if self.is_lenient { "" } else { input::LENIENT_HINT };
        let mut polynomial = vec![];
        for (i, word) in text.split_whitespace().enumerate() {
            let element = self.field.parse(word);
            let hint = if word.starts_with('#') { hint } else { "" };
            let failed = |error| wrong(format!("coefficient {i}: {error}{hint}"));
            polynomial.push(element.map_err(failed)?);
        }
        if polynomial.is_empty() && !self.is_lenient {
            let why = "expected coefficients, found an empty line; the polynomial 0 is written 0";
            return Err(wrong(format!("{why}{hint}")));
        }
        Ok(Some(polynomial).filter(|polynomial| !polynomial.is_empty()))
    }
}
