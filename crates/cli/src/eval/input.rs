//! A variable's file, read chunk by chunk.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use limbforge::limb::io::{NumberFormat, RecordError, RecordReader, Records};
use limbforge::prelude::*;
use rayon::prelude::*;

use crate::args::InputArgument;
use crate::error::CliError;

/// Bytes of limbs that all inputs and the result of a chunk take together. Text takes up to six times as much.
const CHUNK_BYTES: usize = 16 << 20;

/// Bytes that are asked of the file system at once.
const READ_BYTES: usize = 256 << 10;

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

pub(super) struct Input<B> {
    name: String,
    path: PathBuf,
    reader: RecordReader<BufReader<Box<dyn Read + Send>>>,
    budget: Budget,
    ty: IntType,
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
        format: NumberFormat,
        ty: IntType,
        budget: Budget,
        progress: &ProgressBar,
    ) -> Result<Self, CliError> {
        let path = argument.path.clone();
        let source = open(&path, progress).map_err(|source| CliError::File {
            path: path.clone(),
            action: "open",
            source,
        })?;
        let mut reader = RecordReader::new(BufReader::with_capacity(READ_BYTES, source), format, ty);
        let failed = |source| CliError::File { path: path.clone(), action: "read", source };
        let records = reader.read(budget.records, budget.bytes).map_err(failed)?;
        let single = records.len() == 1 && reader.at_end().map_err(failed)?;
        if records.is_empty() {
            return Err(CliError::EmptyFile { path });
        }
        let batch = Batch::zeros(ty, Layout::InstanceMajor, 0).map_err(EvalError::from)?;
        Ok(Self {
            name: argument.name.clone(),
            path,
            reader,
            budget,
            ty,
            records,
            position: 0,
            single,
            batch,
        })
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
            self.records = self
                .reader
                .read(self.budget.records, self.budget.bytes)
                .map_err(|source| CliError::File { path: self.path.clone(), action: "read", source })?;
            self.position = 0;
        }
        Ok(self.records.len() - self.position)
    }

    /// Parses the next `instances` records into the batch; returns what failed, as (instance, line, why). A file
    /// of one integer is parsed once.
    pub(super) fn load(&mut self, instances: usize) -> Result<Vec<(usize, u64, RecordError)>, CliError> {
        if self.single && self.position == 1 {
            return Ok(vec![]);
        }
        let count = if self.single { 1 } else { instances };
        let mut batch = Batch::zeros(self.ty, Layout::InstanceMajor, count).map_err(EvalError::from)?;
        let failed = batch
            .limbs_mut()
            .par_chunks_exact_mut(self.ty.limbs::<B>())
            .with_min_len(64)
            .enumerate()
            .filter_map(|(i, out)| {
                let at = self.position + i;
                let error = self.records.parse(at, out).err()?;
                out.fill(B::ZERO);
                Some((i, self.records.number(at), error))
            })
            .collect();
        self.position += count;
        self.batch = batch;
        Ok(failed)
    }

    /// The line (or record) of instance `i` of those loaded last.
    pub(super) fn line(&self, i: usize) -> u64 {
        let loaded = self.batch.instances();
        self.records.number(if self.single { 0 } else { self.position - loaded + i })
    }

    /// The error of a file that has ended while another has not.
    pub(super) fn ended_before(&self, longer: &Self) -> CliError {
        let number = self.records.number(self.records.len());
        CliError::Count { path: self.path.clone(), number, longer: longer.path.clone() }
    }
}

fn open(path: &Path, progress: &ProgressBar) -> io::Result<Box<dyn Read + Send>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(progress.wrap_read(io::stdin())));
    }
    Ok(Box::new(progress.wrap_read(File::open(path)?)))
}
