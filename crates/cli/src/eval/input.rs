//! A variable's file, read chunk by chunk.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use limbforge::limb::io::{NumberFormat, RecordError, RecordReader, Records};
use limbforge::prelude::*;
use rayon::prelude::*;

use super::arguments::{InputArgument, OnError};
use crate::error::CliError;
use crate::input::{self, Content, Kind};

/// Bytes of limbs that all inputs and the result of a chunk take together. Text takes up to six times as
/// much.
const CHUNK_BYTES: usize = 16 << 20;

/// How much of each file is in memory at once.
#[derive(Clone, Copy)]
pub(super) struct Budget {
    records: usize,
    bytes: usize,
}

impl Budget {
    /// For this many inputs, and results of the same width or, if they are wide products, of twice that.
    pub(super) fn new<B: Base>(ty: IntType, inputs: usize, wide: bool) -> Self {
        let bytes = CHUNK_BYTES / (inputs + if wide { 2 } else { 1 });
        Self { records: (bytes / (ty.limbs::<B>() * B::BYTES)).max(1), bytes: 2 * bytes }
    }
}

/// How files are read.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    pub(super) format: NumberFormat,
    pub(super) ty: IntType,
    pub(super) budget: Budget,
    pub(super) is_lenient: bool,
    pub(super) on_error: OnError,
}

/// A record that is no integer.
#[derive(Clone, Copy)]
pub(super) struct BadRecord {
    pub(super) instance: usize,
    /// Its line in the file, from 1.
    pub(super) number: u64,
    pub(super) error: RecordError,
}

pub(super) struct Input<B> {
    name: String,
    path: PathBuf,
    reader: RecordReader<Content>,
    reading: Reading,
    /// What is read and not yet loaded: the records from `position` on.
    records: Records,
    position: usize,
    /// Whether the file has one integer only, which is used for every instance.
    single: bool,
    batch: Batch<B>,
}

impl<B: Base> Input<B> {
    /// Opens the file and reads its first chunk.
    pub(super) fn open(
        argument: &InputArgument,
        reading: Reading,
        progress: &ProgressBar,
    ) -> Result<Self, CliError> {
        let Reading { format, ty, budget, is_lenient, on_error } = reading;
        let path = argument.path.clone();
        let kind = if format == NumberFormat::Bin { Kind::Binary } else { Kind::Text };
        let content = input::open(&path, kind, progress)?;
        let mut reader = RecordReader::new(content, format, ty).lenient(is_lenient);
        let failed = |source| CliError::File { path: path.clone(), action: "read", source };
        let records = reader.read(budget.records, budget.bytes).map_err(failed)?;
        // A line that is too long is refused without looking for its end, which may be far away.
        let is_refused = records.is_cut() && on_error == OnError::Fail;
        let single = records.len() == 1 && !is_refused && reader.at_end().map_err(failed)?;
        if records.is_empty() {
            return Err(CliError::EmptyFile { path });
        }
        let batch = Batch::zeros(ty, Layout::InstanceMajor, 0).map_err(EvalError::from)?;
        Ok(Self { name: argument.name.clone(), path, reader, reading, records, position: 0, single, batch })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn is_single(&self) -> bool {
        self.single
    }

    /// The instances loaded last.
    pub(super) const fn batch(&self) -> &Batch<B> {
        &self.batch
    }

    /// How many records are in memory, after reading on if there were none.
    pub(super) fn available(&mut self) -> Result<usize, CliError> {
        if !self.single && self.position == self.records.len() {
            let Budget { records, bytes } = self.reading.budget;
            self.records = self.reader.read(records, bytes).map_err(|source| CliError::File {
                path: self.path.clone(),
                action: "read",
                source,
            })?;
            self.position = 0;
        }
        Ok(self.records.len() - self.position)
    }

    /// Parses the next `instances` records into the batch; returns what failed, in order. A file of one
    /// integer is parsed once.
    pub(super) fn load(&mut self, instances: usize) -> Result<Vec<BadRecord>, CliError> {
        if self.single && self.position == 1 {
            return Ok(vec![]);
        }
        let count = if self.single { 1 } else { instances };
        let ty = self.reading.ty;
        let mut batch = Batch::zeros(ty, Layout::InstanceMajor, count).map_err(EvalError::from)?;
        let failed = batch
            .limbs_mut()
            .par_chunks_exact_mut(ty.limbs::<B>())
            .with_min_len(64)
            .enumerate()
            .filter_map(|(i, out)| {
                let at = self.position + i;
                let error = self.records.parse(at, out).err()?;
                out.fill(B::ZERO);
                Some(BadRecord { instance: i, number: self.records.number(at), error })
            })
            .collect();
        self.position += count;
        self.batch = batch;
        Ok(failed)
    }

    /// Whether instances are on other lines than those of their numbers.
    pub(super) fn may_skip_lines(&self) -> bool {
        self.reading.is_lenient && !self.single
    }

    /// The line (or record) of instance `i` of those loaded last.
    pub(super) fn line(&self, i: usize) -> u64 {
        let loaded = self.batch.instances();
        self.records.number(if self.single { 0 } else { self.position - loaded + i })
    }

    /// The error of a record, which is no integer.
    pub(super) fn record_error(&self, number: u64, source: RecordError) -> CliError {
        let is_skipped = matches!(source, RecordError::Empty | RecordError::Digit { found: b'#', .. });
        let is_text = self.reading.format != NumberFormat::Bin;
        let hint = if is_skipped && is_text && !self.reading.is_lenient { input::LENIENT_HINT } else { "" };
        CliError::Record { path: self.path.clone(), number, source, hint }
    }

    /// The error of a file that has ended while another has not.
    pub(super) fn ended_before(&self, longer: &Self) -> CliError {
        let number = self.records.number(self.records.len());
        CliError::Count { path: self.path.clone(), number, longer: longer.path.clone() }
    }
}
