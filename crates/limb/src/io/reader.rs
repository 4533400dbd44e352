//! Cutting a stream into records.

use std::io::{self, BufRead};

use super::{NumberFormat, Records};
use crate::int_type::IntType;

/// Cuts a stream into the records of a file of integers.
///
/// Memory is bounded by the limits given to [`read`](RecordReader::read): a line that is longer than
/// [`NumberFormat::max_line`] is cut there, and becomes an error when it is parsed.
#[derive(Debug)]
pub struct RecordReader<R> {
    source: R,
    format: NumberFormat,
    ty: IntType,
    next: u64,
}

impl<R: BufRead> RecordReader<R> {
    /// A reader at the start of `source`.
    pub const fn new(source: R, format: NumberFormat, ty: IntType) -> Self {
        Self { source, format, ty, next: 1 }
    }

    /// The next records: at most `max_records`, and no further ones once they fill `max_bytes`. None are left if
    /// the result is empty.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn read(&mut self, max_records: usize, max_bytes: usize) -> io::Result<Records> {
        let mut records = Records::new(self.format, self.ty, self.next);
        while records.len() < max_records && records.bytes() < max_bytes {
            let found = match self.format {
                NumberFormat::Bin => self.read_record(&mut records)?,
                NumberFormat::Hex | NumberFormat::Dec => self.read_line(&mut records)?,
            };
            if !found {
                break;
            }
            self.next += 1;
        }
        Ok(records)
    }

    /// Whether no records are left.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn at_end(&mut self) -> io::Result<bool> {
        Ok(self.source.fill_buf()?.is_empty())
    }

    fn read_line(&mut self, records: &mut Records) -> io::Result<bool> {
        let limit = self.format.max_line(self.ty);
        let (mut kept, mut any) = (0, false);
        loop {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                break;
            }
            any = true;
            let newline = available.iter().position(|&byte| byte == b'\n');
            let line = &available[..newline.unwrap_or(available.len())];
            // One byte past the limit tells the parser that there was more.
            let keep = line.len().min(limit + 1 - kept);
            records.push_bytes(&line[..keep]);
            kept += keep;
            let consumed = newline.map_or(line.len(), |at| at + 1);
            self.source.consume(consumed);
            if newline.is_some() {
                break;
            }
        }
        if any {
            records.end_record();
        }
        Ok(any)
    }

    fn read_record(&mut self, records: &mut Records) -> io::Result<bool> {
        let mut missing = self.ty.bytes();
        while missing > 0 {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                break;
            }
            let keep = available.len().min(missing);
            records.push_bytes(&available[..keep]);
            self.source.consume(keep);
            missing -= keep;
        }
        let any = missing < self.ty.bytes();
        if any {
            records.end_record();
        }
        Ok(any)
    }
}
