//! A stream that ends at its first error, and keeps that.

use std::io::{self, BufRead, ErrorKind, Read};
use std::sync::{Arc, Mutex, PoisonError};

use crate::input::Content;

/// The error that has ended a stream, and whether the last byte before it ended a line.
#[derive(Clone, Default)]
pub(super) struct Fault {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    error: Option<io::Error>,
    is_in_line: bool,
}

impl Fault {
    /// The error, and whether it came within a line.
    pub(super) fn take(&self) -> Option<(io::Error, bool)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_in_line = state.is_in_line;
        state.error.take().map(|error| (error, is_in_line))
    }
}

/// A stream of lines or records: what comes before an error is read as if the stream ended there.
pub(super) struct Tap {
    content: Content,
    has_failed: bool,
    is_in_line: bool,
    fault: Fault,
}

impl Tap {
    pub(super) fn new(content: Content, fault: Fault) -> Self {
        Self { content, has_failed: false, is_in_line: false, fault }
    }

    fn fail(&mut self, error: io::Error) {
        self.has_failed = true;
        let state = State { error: Some(error), is_in_line: self.is_in_line };
        *self.fault.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }
}

impl Read for Tap {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(bytes.len());
        bytes[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Tap {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while !self.has_failed && self.content.buffer().is_empty() {
            match self.content.fill_buf() {
                Ok(_) => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.fail(error),
            }
        }
        Ok(self.content.buffer())
    }

    fn consume(&mut self, count: usize) {
        if let Some(last) = count.checked_sub(1).and_then(|last| self.content.buffer().get(last)) {
            self.is_in_line = *last != b'\n';
        }
        self.content.consume(count);
    }
}
