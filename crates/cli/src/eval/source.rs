//! The integers of a variable's file, some at a time.

mod blocks;
mod lines;
mod ranges;
mod raw;
mod tap;
mod text;
mod whole;

use std::path::Path;
use std::thread;

use limbforge::limb::io::{NumberFormat, RecordError};
use limbforge::prelude::*;

pub(super) use self::lines::Lines;
use self::ranges::Ranges;
use self::raw::Raw;
use self::text::Text;
pub(super) use self::whole::is_whole;
use self::whole::{check, memory};
use super::arguments::{EvalArguments, InputArgument, OnError};
use super::sizes::Sizes;
use crate::error::CliError;
use crate::input::{self, Kind, open_ranges};

/// Bytes of limbs that are worth a task of a thread.
const TASK_BYTES: usize = 8 << 10;

/// How all files are read.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    pub(super) format: NumberFormat,
    pub(super) ty: IntType,
    pub(super) is_lenient: bool,
    pub(super) on_error: OnError,
}

impl Reading {
    pub(super) const fn new(arguments: &EvalArguments, ty: IntType) -> Self {
        let &EvalArguments { format, lenient: is_lenient, on_error, .. } = arguments;
        Self { format, ty, is_lenient, on_error }
    }

    /// The error of a record that is not an integer.
    pub(super) fn record_error(self, input: &InputArgument, number: u64, error: RecordError) -> CliError {
        let is_skipped = matches!(error, RecordError::Empty | RecordError::Digit { found: b'#', .. });
        let is_text = self.format != NumberFormat::Bin;
        let hint = if is_skipped && is_text && !self.is_lenient { input::LENIENT_HINT } else { "" };
        CliError::Line { path: input.path.clone(), number, why: format!("{error}{hint}") }
    }
}

/// A record that is not an integer.
#[derive(Clone, Copy, Debug)]
pub(super) struct BadRecord {
    pub(super) instance: usize,
    /// Its line in the file, from 1.
    pub(super) number: u64,
    pub(super) error: RecordError,
}

/// The reason why there are no more integers.
pub(super) enum End {
    /// The end of the file. The next line would have this number.
    Ended {
        next: u64,
    },
    Failed(CliError),
}

/// What was read from a file.
pub(super) struct Loaded {
    pub(super) instances: usize,
    /// In order. Their limbs are 0.
    pub(super) bad: Vec<BadRecord>,
    pub(super) lines: Lines,
    /// Is there if there are fewer instances than asked for.
    pub(super) end: Option<End>,
}

/// A file whose first integers were read.
pub(super) struct Opened<B> {
    pub(super) source: Box<dyn Source<B>>,
    /// It has one integer, which is used for every instance.
    pub(super) is_single: bool,
    pub(super) length: Length,
}

/// What is known of the number of integers, and of the bytes of all of them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Length {
    Known(u64),
    /// Text of so many bytes, compressed or not.
    Text(u64),
    Unknown,
}

pub(super) trait Source<B>: Send {
    /// Reads integers of M limbs until `out` is full or the file ends.
    fn load(&mut self, out: &mut [B]) -> Loaded;

    /// The number of integers in the file as far as it was read, by the part of its bytes that this is.
    fn estimate(&self) -> Option<u64> {
        None
    }
}

/// A file that is opened while others are.
pub(super) enum Opening {
    Text(blocks::Opening),
    Binary,
}

impl Opening {
    /// Starts to read lines. Binary records are read when they are asked for.
    pub(super) fn start(
        argument: &InputArgument,
        reading: Reading,
        sizes: &Sizes,
        is_whole: bool,
    ) -> Result<Self, CliError> {
        if is_whole {
            return Ok(Self::Binary);
        }
        blocks::Opening::start(&argument.path, reading, sizes).map(Self::Text)
    }

    /// Waits for the first integers.
    pub(super) fn finish<B: Base>(
        self,
        argument: &InputArgument,
        reading: Reading,
    ) -> Result<Opened<B>, CliError> {
        let path = &argument.path;
        match self {
            Self::Text(opening) => {
                let (text, is_single, length) = Text::first(path, opening, reading)?;
                Ok(Opened { source: Box::new(text), is_single, length })
            }
            Self::Binary => match open_ranges(path)? {
                Some((file, bytes)) => {
                    let ranges = Ranges::new(path, file, bytes, reading.ty);
                    let records = ranges.records();
                    let length = Length::Known(records);
                    Ok(Opened { source: Box::new(ranges), is_single: records == 1, length })
                }
                None => {
                    let content = input::open(path, Kind::Binary)?;
                    let (raw, is_single) = Raw::first(path, content, reading.ty)?;
                    Ok(Opened { source: Box::new(raw), is_single, length: Length::Unknown })
                }
            },
        }
    }
}

/// Fills so many limbs of each batch from its file, all files at once.
pub(super) fn load_all<B: Base>(
    sources: &mut [Box<dyn Source<B>>],
    batches: &mut [Batch<B>],
    limbs: usize,
) -> Result<Vec<Loaded>, CliError> {
    // The batches are this thread's alone: nothing is copied.
    let files = sources.iter_mut().zip(batches);
    let mut files = files.map(|(source, batch)| move || source.load(&mut batch.limbs_mut()[..limbs]));
    let Some(mut first) = files.next() else { return Ok(vec![]) };
    thread::scope(|scope| {
        let start = |load| thread::Builder::new().name("reader".to_owned()).spawn_scoped(scope, load);
        let others: Vec<_> = files.map(start).collect();
        let mut loaded = vec![first()];
        for other in others {
            let other =
                other.map_err(|error| CliError::Internal(format!("no thread for a file: {error}")))?;
            loaded.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        Ok(loaded)
    })
}

/// The error of a file without integers.
fn none(path: &Path) -> CliError {
    let why = "expected at least one integer, found none".to_owned();
    CliError::Line { path: path.to_owned(), number: 1, why }
}
