//! A variable's file, read chunk by chunk.

use std::path::PathBuf;

use indicatif::ProgressBar;
use limbforge::limb::io::{NumberFormat, RecordError, RecordReader, Records};
use limbforge::prelude::*;
use rayon::prelude::*;

use super::arguments::{EvalArguments, InputArgument, OnError};
use crate::error::CliError;
use crate::input::{self, Content, Kind};

/// Bytes of limbs that all inputs and the result of a chunk take together. Text takes up to six times as
/// much.
const CHUNK_BYTES: usize = 16 << 20;

/// The format of all files, and the size of their chunks.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    format: NumberFormat,
    ty: IntType,
    is_lenient: bool,
    on_error: OnError,
    records: usize,
    bytes: usize,
}

impl Reading {
    /// Results are as wide as the inputs, or twice as wide.
    pub(super) fn new<B: Base>(arguments: &EvalArguments, ty: IntType, is_wide: bool) -> Self {
        let &EvalArguments { format, lenient: is_lenient, on_error, .. } = arguments;
        let bytes = CHUNK_BYTES / (arguments.inputs.len() + if is_wide { 2 } else { 1 });
        let records = (bytes / (ty.limbs::<B>() * B::BYTES)).max(1);
        Self { format, ty, is_lenient, on_error, records, bytes: 2 * bytes }
    }
}

/// A record that is not an integer.
#[derive(Clone, Copy)]
pub(super) struct BadRecord {
    pub(super) instance: usize,
    /// Its line in the file, from 1.
    pub(super) number: u64,
    pub(super) error: RecordError,
}

pub(super) struct Input<B> {
    pub(super) name: String,
    pub(super) path: PathBuf,
    reader: RecordReader<Content>,
    reading: Reading,
    /// Records in memory; those from `position` on are not loaded.
    records: Records,
    position: usize,
    /// The file has one integer, which is used for every instance.
    pub(super) is_single: bool,
    /// The instances loaded last.
    pub(super) batch: Batch<B>,
}

impl<B: Base> Input<B> {
    /// Opens the file and reads its first chunk.
    pub(super) fn open(
        argument: &InputArgument,
        reading: Reading,
        progress: &ProgressBar,
    ) -> Result<Self, CliError> {
        let Reading { format, ty, is_lenient, on_error, records, bytes } = reading;
        let InputArgument { name, path } = argument.clone();
        let kind = if format == NumberFormat::Bin { Kind::Binary } else { Kind::Text };
        let content = input::open(&path, kind, progress)?;
        let mut reader = RecordReader::new(content, format, ty).lenient(is_lenient);
        let failed = CliError::file(&argument.path, "read");
        let records = reader.read(records, bytes).map_err(&failed)?;
        // A line that is too long is refused without looking for its end, which may be far away.
        let is_refused = records.is_cut() && on_error == OnError::Fail;
        let is_single = records.len() == 1 && !is_refused && reader.at_end().map_err(failed)?;
        if records.is_empty() {
            let why = "expected at least one integer, found none".to_owned();
            return Err(CliError::Line { path, number: 1, why });
        }
        let batch = Batch::zeros(ty, Layout::InstanceMajor, 0).map_err(EvalError::from)?;
        Ok(Self { name, path, reader, reading, records, position: 0, is_single, batch })
    }

    /// The number of records in memory, after reading on if there were none.
    pub(super) fn available(&mut self) -> Result<usize, CliError> {
        if !self.is_single && self.position == self.records.len() {
            let read = self.reader.read(self.reading.records, self.reading.bytes);
            self.records = read.map_err(CliError::file(&self.path, "read"))?;
            self.position = 0;
        }
        Ok(self.records.len() - self.position)
    }

    /// Parses the next `instances` records into the batch; returns the failures in order. A file of one
    /// integer is parsed once.
    pub(super) fn load(&mut self, instances: usize) -> Result<Vec<BadRecord>, CliError> {
        if self.is_single && self.position == 1 {
            return Ok(vec![]);
        }
        let count = if self.is_single { 1 } else { instances };
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

    /// Skipped lines separate the number of an instance from that of its line.
    pub(super) fn may_skip_lines(&self) -> bool {
        self.reading.is_lenient && !self.is_single
    }

    /// The line or record of instance `i` of those loaded last.
    pub(super) fn line(&self, i: usize) -> u64 {
        let loaded = self.batch.instances();
        self.records.number(if self.is_single { 0 } else { self.position - loaded + i })
    }

    pub(super) fn record_error(&self, number: u64, error: RecordError) -> CliError {
        let is_skipped = matches!(error, RecordError::Empty | RecordError::Digit { found: b'#', .. });
        let is_text = self.reading.format != NumberFormat::Bin;
        let hint = if is_skipped && is_text && !self.reading.is_lenient { input::LENIENT_HINT } else { "" };
        CliError::Line { path: self.path.clone(), number, why: format!("{error}{hint}") }
    }

    /// The error of a file that has ended while another has not.
    pub(super) fn ended_before(&self, longer: &Self) -> CliError {
        let number = self.records.number(self.records.len());
        CliError::ended(&self.path, number, &longer.path, ["integer", "integers"])
    }
}
