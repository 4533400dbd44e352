//! Binary records of a pipe or a compressed file, read straight into limbs.

use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use limbforge::limb::io::RecordError;
use limbforge::prelude::*;

use super::lines::Lines;
use super::loaded::{BadRecord, End, Loaded, Source, none};
use super::whole::{check, memory};
use crate::error::CliError;
use crate::input::Content;

/// A stream whose records are limbs.
pub(super) struct Raw {
    path: PathBuf,
    content: Content,
    ty: IntType,
    record: usize,
    /// The number of records so far.
    read: u64,
    /// The first bytes, which are still to be loaded.
    ahead: Vec<u8>,
    /// The error behind them.
    failed: Option<io::Error>,
}

impl Raw {
    /// Reads the first two records; true if there is one.
    pub(super) fn first(path: &Path, content: Content, ty: IntType) -> Result<(Self, bool), CliError> {
        let (path, record) = (path.to_owned(), ty.bytes());
        let mut raw = Self { path, content, ty, record, read: 0, ahead: vec![], failed: None };
        let mut ahead = vec![0; 2 * record];
        let read = raw.fill(&mut ahead);
        ahead.truncate(read);
        if read == 0 {
            return Err(raw.failed.take().map_or_else(|| none(&raw.path), |error| raw.error(error)));
        }
        raw.ahead = ahead;
        let is_single = read <= record && raw.failed.is_none();
        Ok((raw, is_single))
    }

    /// The number of bytes that were read, fewer than asked for at the end or before an error.
    fn fill(&mut self, bytes: &mut [u8]) -> usize {
        let mut filled = self.ahead.len().min(bytes.len());
        bytes[..filled].copy_from_slice(&self.ahead[..filled]);
        self.ahead.drain(..filled);
        while filled < bytes.len() && self.failed.is_none() {
            match self.content.read(&mut bytes[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.failed = Some(error),
            }
        }
        filled
    }

    /// Passes over so many records, as far as there are some.
    pub(super) fn skip(&mut self, records: u64) {
        let mut record = vec![0; self.record];
        while self.read < records && self.fill(&mut record) == self.record {
            self.read += 1;
        }
    }

    fn error(&self, error: io::Error) -> CliError {
        CliError::file(&self.path, "read")(error)
    }
}

impl<B: Base> Source<B> for Raw {
    fn load(&mut self, out: &mut [B]) -> Loaded {
        let (first, m) = (self.read + 1, self.ty.limbs::<B>());
        let (wanted, filled) = (out.len() / m, self.fill(memory(self.ty, out)));
        let (instances, found) = (filled / self.record, filled % self.record);
        self.read += instances as u64;
        let bad = check(self.ty, &mut out[..instances * m], first);
        let mut loaded = Loaded { instances, bad, lines: Lines::from(first), end: None };
        if instances == wanted {
            return loaded;
        }
        if let Some(error) = self.failed.take() {
            loaded.end = Some(End::Failed(self.error(error)));
            return loaded;
        }
        if found > 0 {
            out[instances * m..][..m].fill(B::ZERO);
            self.read += 1;
            let error = RecordError::Truncated { expected: self.record, found };
            loaded.bad.push(BadRecord { instance: instances, number: self.read, error });
            loaded.instances += 1;
        }
        if loaded.instances < wanted {
            loaded.end = Some(End::Ended { next: self.read + 1 });
        }
        loaded
    }
}
