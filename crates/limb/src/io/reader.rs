//! Splitting of a stream into records.

use std::io::{self, BufRead};

use super::{NumberFormat, Records};
use crate::int_type::IntType;

/// Splits a stream into the records of a file of integers.
///
/// Memory is bounded: a line longer than [`NumberFormat::max_line`] is cut there, and parsing it is an error.
///
/// ```
/// use limbforge_limb::io::{NumberFormat, RecordReader};
/// use limbforge_limb::{IntType, Layout};
///
/// let text = "# moduli\n15\n\n21 # = 3 * 7\n";
/// let mut reader = RecordReader::new(text.as_bytes(), NumberFormat::Dec, IntType::unsigned(64)?).lenient(true);
/// let records = reader.read(100, 1 << 20)?;
/// assert_eq!((records.number(0), records.number(1)), (2, 4));
/// assert_eq!(records.to_batch::<u64>(Layout::InstanceMajor)?.limbs(), [15, 21]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RecordReader<R> {
    source: R,
    format: NumberFormat,
    ty: IntType,
    is_lenient: bool,
    /// Number of the next line or record.
    next: u64,
    /// Whether the rest of a cut line is still to be skipped.
    in_long_line: bool,
    /// The number and text of a line read ahead by [`at_end`](Self::at_end).
    ahead: Option<(u64, Vec<u8>)>,
}

impl<R: BufRead> RecordReader<R> {
    /// A reader at the start of `source`.
    pub const fn new(source: R, format: NumberFormat, ty: IntType) -> Self {
        Self { source, format, ty, is_lenient: false, next: 1, in_long_line: false, ahead: None }
    }

    /// Skips empty lines, and text from a `#` to the end of its line, which are errors by default. Line
    /// numbers count the skipped lines. No effect on binary records.
    #[must_use]
    pub fn lenient(mut self, is_lenient: bool) -> Self {
        self.is_lenient = is_lenient && self.format != NumberFormat::Bin;
        self
    }

    /// The next records, none at the end of the stream: at most `max_records`, and no more after `max_bytes`
    /// or after a line that is too long, which can then be refused without a search for its end.
    ///
    /// # Errors
    /// Errors of the stream.
    pub fn read(&mut self, max_records: usize, max_bytes: usize) -> io::Result<Records> {
        let first = self.ahead.as_ref().map_or(self.next, |(number, _)| *number);
        let mut records = Records::new(self.format, self.ty, first);
        if max_records > 0
            && let Some((number, line)) = self.ahead.take()
        {
            records.bytes.extend_from_slice(&line);
            records.end_record(number);
        } else {
            self.skip_long_line()?;
        }
        while records.len() < max_records && records.bytes.len() < max_bytes && !self.in_long_line {
            let found = match self.format {
                NumberFormat::Bin => self.read_record(&mut records.bytes)?,
                NumberFormat::Hex | NumberFormat::Dec => self.read_line(&mut records.bytes)?,
            };
            let Some(number) = found else { break };
            records.end_record(number);
        }
        records.is_cut = self.in_long_line;
        Ok(records)
    }

    /// Whether the stream has no more records.
    ///
    /// # Errors
    /// Errors of the stream.
    pub fn at_end(&mut self) -> io::Result<bool> {
        if self.ahead.is_some() {
            return Ok(false);
        }
        self.skip_long_line()?;
        if self.is_lenient {
            let mut line = vec![];
            self.ahead = self.read_line(&mut line)?.map(|number| (number, line));
            return Ok(self.ahead.is_none());
        }
        Ok(self.source.fill_buf()?.is_empty())
    }

    /// Appends the next line that is not skipped, and returns its number.
    fn read_line(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<u64>> {
        let start = bytes.len();
        while self.append_line(bytes)? {
            let number = self.next;
            self.next += 1;
            if !self.is_lenient || !bytes[start..].trim_ascii().is_empty() {
                return Ok(Some(number));
            }
            bytes.truncate(start);
        }
        Ok(None)
    }

    /// Appends the next line without its comment, cut at the limit; returns false at the end of the stream.
    fn append_line(&mut self, bytes: &mut Vec<u8>) -> io::Result<bool> {
        let limit = self.format.max_line(self.ty);
        let (start, mut any, mut in_comment) = (bytes.len(), false, false);
        loop {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                return Ok(any);
            }
            any = true;
            let newline = available.iter().position(|&byte| byte == b'\n');
            let mut line = &available[..newline.unwrap_or(available.len())];
            let consumed = line.len() + usize::from(newline.is_some());
            if self.is_lenient {
                let comment = if in_comment { Some(0) } else { line.iter().position(|&byte| byte == b'#') };
                in_comment = comment.is_some();
                line = &line[..comment.unwrap_or(line.len())];
            }
            // One byte past the limit tells the parser that the line is longer.
            let keep = line.len().min(limit + 1 - (bytes.len() - start));
            bytes.extend_from_slice(&line[..keep]);
            self.source.consume(consumed);
            self.in_long_line = newline.is_none() && bytes.len() - start > limit;
            if newline.is_some() || self.in_long_line {
                return Ok(true);
            }
        }
    }

    /// Skips the rest of a cut line.
    fn skip_long_line(&mut self) -> io::Result<()> {
        while self.in_long_line {
            let available = self.source.fill_buf()?;
            let newline = available.iter().position(|&byte| byte == b'\n');
            self.in_long_line = newline.is_none() && !available.is_empty();
            let consumed = newline.map_or(available.len(), |at| at + 1);
            self.source.consume(consumed);
        }
        Ok(())
    }

    fn read_record(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<u64>> {
        let mut missing = self.ty.bytes();
        while missing > 0 {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                break;
            }
            let keep = available.len().min(missing);
            bytes.extend_from_slice(&available[..keep]);
            self.source.consume(keep);
            missing -= keep;
        }
        if missing == self.ty.bytes() {
            return Ok(None);
        }
        self.next += 1;
        Ok(Some(self.next - 1))
    }
}
