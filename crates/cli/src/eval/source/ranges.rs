//! Binary records of a file, read by many threads straight into limbs.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use limbforge::limb::io::RecordError;
use limbforge::prelude::*;
use rayon::prelude::*;

use super::lines::Lines;
use super::loaded::{BadRecord, End, Loaded, Source};
use super::whole::{check, memory};
use crate::error::CliError;

/// Bytes that a thread reads at once.
const PIECE: usize = 256 << 10;

/// A file whose records are limbs, and the number of the next record.
pub(super) struct Ranges {
    path: PathBuf,
    file: File,
    bytes: u64,
    ty: IntType,
    record: usize,
    next: u64,
}

impl Ranges {
    pub(super) fn new(path: &Path, file: File, bytes: u64, ty: IntType) -> Self {
        Self { path: path.to_owned(), file, bytes, ty, record: ty.bytes(), next: 0 }
    }

    /// Passes over so many records.
    pub(super) const fn skip(&mut self, records: u64) {
        self.next += records;
    }

    /// All records; the last one may be incomplete.
    pub(super) const fn records(&self) -> u64 {
        self.bytes.div_ceil(self.record as u64)
    }

    /// Fills the bytes from this record on.
    fn read(&self, bytes: &mut [u8]) -> Result<(), CliError> {
        let start = self.next * self.record as u64;
        let read = |(i, bytes): (usize, &mut [u8])| read_at(&self.file, bytes, start + (i * PIECE) as u64);
        let read = bytes.par_chunks_mut(PIECE).enumerate().try_for_each(read);
        read.map_err(CliError::file(&self.path, "read"))
    }
}

impl<B: Base> Source<B> for Ranges {
    fn load(&mut self, out: &mut [B]) -> Loaded {
        let (ty, first, m) = (self.ty, self.next + 1, self.ty.limbs::<B>());
        let bytes = memory(ty, out);
        let wanted = bytes.len() / self.record;
        let left = self.bytes - (self.next * self.record as u64).min(self.bytes);
        let whole = wanted.min((left / self.record as u64) as usize);
        let lines = Lines::from(first);
        if let Err(error) = self.read(&mut bytes[..whole * self.record]) {
            return Loaded { instances: 0, bad: vec![], lines, end: Some(End::Failed(error)) };
        }
        self.next += whole as u64;
        let mut loaded =
            Loaded { instances: whole, bad: check(ty, &mut out[..whole * m], first), lines, end: None };
        let found = (left % self.record as u64) as usize;
        if whole < wanted && found > 0 && self.next + 1 == self.records() {
            out[whole * m..][..m].fill(B::ZERO);
            let error = RecordError::Truncated { expected: self.record, found };
            self.next += 1;
            loaded.bad.push(BadRecord { instance: whole, number: self.next, error });
            loaded.instances += 1;
        }
        if loaded.instances < wanted {
            loaded.end = Some(End::Ended { next: self.next + 1 });
        }
        loaded
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => io::Error::other("the file has become shorter while it was read"),
        _ => error,
    })
}

#[cfg(not(unix))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
