//! A file of polynomials, read some lines at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use limbforge_field::DynField;

use super::Polynomial;
use crate::error::CliError;

pub(super) struct PolyFile {
    path: PathBuf,
    reader: BufReader<Box<dyn Read + Send>>,
    field: DynField,
    /// Lines that were given out.
    given: u64,
    /// The first line, read when the file was opened.
    first: Option<Polynomial>,
    is_single: bool,
}

impl PolyFile {
    /// Opens the file and reads its first line.
    pub(super) fn open(path: &Path, field: DynField) -> Result<Self, CliError> {
        let source: Box<dyn Read + Send> = if path.as_os_str() == "-" {
            Box::new(io::stdin())
        } else {
            let open = |source| CliError::File { path: path.to_owned(), action: "open", source };
            Box::new(File::open(path).map_err(open)?)
        };
        let reader = BufReader::new(source);
        let mut file = Self { path: path.to_owned(), reader, field, given: 0, first: None, is_single: false };
        file.first = file.line(1)?;
        if file.first.is_none() {
            return Err(file.line_error(1, "expected a polynomial, found an empty file".to_owned()));
        }
        file.is_single = match file.reader.fill_buf() {
            Ok(rest) => rest.is_empty(),
            Err(error) => return Err(file.failed(error)),
        };
        Ok(file)
    }

    /// Whether the file has one line, which is given out again and again.
    pub(super) const fn is_single(&self) -> bool {
        self.is_single
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the line that is given out next, from 1.
    pub(super) const fn next_line(&self) -> u64 {
        self.given + 1
    }

    /// Up to so many further polynomials, fewer only at the end of the file.
    pub(super) fn read(&mut self, most: usize) -> Result<Vec<Polynomial>, CliError> {
        if self.is_single {
            self.given += 1;
            return Ok(self.first.iter().cloned().collect());
        }
        let mut polynomials = Vec::new();
        while polynomials.len() < most {
            let next = match self.first.take() {
                Some(first) => Some(first),
                None => self.line(self.next_line())?,
            };
            let Some(polynomial) = next else { break };
            polynomials.push(polynomial);
            self.given += 1;
        }
        Ok(polynomials)
    }

    /// What is wrong with a line.
    pub(super) fn line_error(&self, number: u64, why: String) -> CliError {
        CliError::Polynomial { path: self.path.clone(), number, why }
    }

    fn failed(&self, source: io::Error) -> CliError {
        CliError::File { path: self.path.clone(), action: "read", source }
    }

    /// The next line of the file, whose number this is, or `None` at the end.
    fn line(&mut self, number: u64) -> Result<Option<Polynomial>, CliError> {
        let mut text = Vec::new();
        let read = self.reader.read_until(b'\n', &mut text).map_err(|error| self.failed(error))?;
        if read == 0 {
            return Ok(None);
        }
        let Ok(text) = std::str::from_utf8(&text) else {
            return Err(self
                .line_error(number, "expected digits and blanks, found bytes that are no text".to_owned()));
        };
        let mut polynomial = Vec::new();
        for (i, word) in text.split_whitespace().enumerate() {
            let element = self.field.parse(word);
            let failed = |error| self.line_error(number, format!("coefficient {i}: {error}"));
            polynomial.push(element.map_err(failed)?);
        }
        if polynomial.is_empty() {
            let why = "expected coefficients, found an empty line; the polynomial 0 is written 0".to_owned();
            return Err(self.line_error(number, why));
        }
        Ok(Some(polynomial))
    }
}
