//! Lines without their comments; empty ones are skipped.

use std::io::{self, BufRead};

use memchr::memchr;

use super::RecordReader;
use crate::io::places::{Places, push_apart, without_comment};

impl<R: BufRead> RecordReader<R> {
    /// Appends the contents of lines that are not skipped.
    pub(super) fn read_lenient(
        &mut self,
        block: &mut Vec<u8>,
        max_records: usize,
        max_bytes: usize,
    ) -> io::Result<Places> {
        let (mut ranges, mut skipped, mut first) = (vec![], vec![], self.next);
        if max_records > 0
            && let Some((number, line)) = self.ahead.take()
        {
            first = number;
            block.extend_from_slice(&line);
            push_apart(&mut ranges, &mut skipped, 0..block.len(), 0);
        }
        while ranges.len() < max_records && block.len() < max_bytes && !self.in_long_line {
            let start = block.len();
            let Some(number) = self.read_lenient_line(block)? else { break };
            push_apart(&mut ranges, &mut skipped, start..block.len(), number - first);
        }
        Ok(Places::Apart { ranges, skipped })
    }

    /// Appends the next line that is not skipped, and returns its number.
    pub(super) fn read_lenient_line(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<u64>> {
        let start = bytes.len();
        while self.append_line(bytes)? {
            let number = self.next;
            self.next += 1;
            if !bytes[start..].trim_ascii().is_empty() {
                return Ok(Some(number));
            }
            bytes.truncate(start);
        }
        Ok(None)
    }

    /// Appends the next line without its comment, cut at the limit; returns false at the end of the stream.
    fn append_line(&mut self, bytes: &mut Vec<u8>) -> io::Result<bool> {
        let limit = self.max_line();
        let (start, mut any, mut in_comment) = (bytes.len(), false, false);
        loop {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                return Ok(any);
            }
            any = true;
            let newline = memchr(b'\n', available);
            let line = &available[..newline.unwrap_or(available.len())];
            let consumed = line.len() + usize::from(newline.is_some());
            let content = if in_comment { &[] } else { without_comment(line) };
            in_comment |= content.len() < line.len();
            // One byte past the limit tells the parser that the line is longer.
            let keep = content.len().min(limit + 1 - (bytes.len() - start));
            bytes.extend_from_slice(&content[..keep]);
            self.source.consume(consumed);
            self.in_long_line = newline.is_none() && bytes.len() - start > limit;
            if newline.is_some() || self.in_long_line {
                return Ok(true);
            }
        }
    }
}
