//! Splitting of a stream into records.

mod lenient;

use std::io::{self, BufRead, Read};

use memchr::{memchr, memchr_iter};

use super::places::Places;
use super::{NumberFormat, Records, Splitter};
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
    splitter: Splitter,
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
        Self { source, splitter: Splitter::new(format, ty), next: 1, in_long_line: false, ahead: None }
    }

    /// Skips empty lines, and text from a `#` to the end of its line, which are errors by default. Line
    /// numbers count the skipped lines. No effect on binary records.
    #[must_use]
    pub fn lenient(self, is_lenient: bool) -> Self {
        Self { splitter: self.splitter.lenient(is_lenient), ..self }
    }

    /// The next records, none at the end of the stream: at most `max_records`, and no more after `max_bytes`
    /// or after a line that is too long, which can then be refused without a search for its end.
    ///
    /// # Errors
    /// Errors of the stream.
    pub fn read(&mut self, max_records: usize, max_bytes: usize) -> io::Result<Records> {
        let Splitter { format, ty, is_lenient } = self.splitter;
        let first = self.ahead.as_ref().map_or(self.next, |(number, _)| *number);
        if self.ahead.is_none() {
            self.skip_long_line()?;
        }
        let mut block = vec![];
        let places = match format {
            NumberFormat::Bin => self.read_records(&mut block, max_records, max_bytes)?,
            _ if is_lenient => self.read_lenient(&mut block, max_records, max_bytes)?,
            NumberFormat::Hex | NumberFormat::Dec => self.read_lines(&mut block, max_records, max_bytes)?,
        };
        let lines = self.next - first;
        Ok(Records { format, ty, first, lines, block, places, is_cut: self.in_long_line })
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
        if self.splitter.is_lenient {
            let mut line = vec![];
            self.ahead = self.read_lenient_line(&mut line)?.map(|number| (number, line));
            return Ok(self.ahead.is_none());
        }
        Ok(self.source.fill_buf()?.is_empty())
    }

    /// Appends binary records.
    fn read_records(
        &mut self,
        block: &mut Vec<u8>,
        max_records: usize,
        max_bytes: usize,
    ) -> io::Result<Places> {
        let size = self.splitter.ty.bytes();
        let wanted = max_records.min(max_bytes.div_ceil(size)).saturating_mul(size);
        (&mut self.source).take(wanted as u64).read_to_end(block)?;
        let places = Places::Equal { size, len: block.len() };
        self.next += places.len() as u64;
        Ok(places)
    }

    /// Appends lines, whole buffers of the stream at a time.
    fn read_lines(
        &mut self,
        block: &mut Vec<u8>,
        max_records: usize,
        max_bytes: usize,
    ) -> io::Result<Places> {
        let limit = self.max_line();
        let (mut ends, mut start) = (vec![], 0);
        while ends.len() < max_records && start < max_bytes {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                if start < block.len() {
                    ends.push(block.len());
                }
                break;
            }
            let offset = block.len();
            let lines = memchr_iter(b'\n', available).count();
            ends.reserve(lines.min(max_records - ends.len()));
            for newline in memchr_iter(b'\n', available) {
                ends.push(offset + newline);
                start = offset + newline + 1;
                if ends.len() == max_records || start >= max_bytes {
                    break;
                }
            }
            let (mut kept, mut consumed) = (available.len(), available.len());
            if ends.len() == max_records || start >= max_bytes {
                (kept, consumed) = (start - offset, start - offset);
            } else if offset + kept - start > limit {
                // One byte past the limit tells the parser that the line is longer.
                kept = start + limit + 1 - offset;
                self.in_long_line = true;
            }
            block.extend_from_slice(&available[..kept]);
            self.source.consume(consumed);
            if self.in_long_line {
                ends.push(block.len());
                break;
            }
        }
        self.next += ends.len() as u64;
        Ok(Places::Adjacent { ends })
    }

    /// Skips the rest of a cut line.
    fn skip_long_line(&mut self) -> io::Result<()> {
        while self.in_long_line {
            let available = self.source.fill_buf()?;
            let newline = memchr(b'\n', available);
            self.in_long_line = newline.is_none() && !available.is_empty();
            let consumed = newline.map_or(available.len(), |at| at + 1);
            self.source.consume(consumed);
        }
        Ok(())
    }

    const fn max_line(&self) -> usize {
        self.splitter.format.max_line(self.splitter.ty)
    }
}
