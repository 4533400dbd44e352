//! How files are read, and what is read from them.

use std::path::Path;

use limbforge::limb::io::{NumberFormat, RecordError};
use limbforge::prelude::*;

use super::lines::Lines;
use crate::error::CliError;
use crate::eval::arguments::{EvalArguments, InputArgument, OnError};
use crate::input;

/// Bytes of limbs that are worth a task of a thread.
pub(super) const TASK_BYTES: usize = 8 << 10;

/// How all files are read.
#[derive(Clone, Copy)]
pub(in super::super) struct Reading {
    pub(in super::super) format: NumberFormat,
    /// The format, if it was asked for.
    #[cfg(feature = "columns")]
    pub(in super::super) given: Option<NumberFormat>,
    pub(in super::super) ty: IntType,
    pub(in super::super) is_lenient: bool,
    pub(in super::super) on_error: OnError,
}

impl Reading {
    pub(in super::super) fn new(arguments: &EvalArguments, ty: IntType) -> Self {
        Self {
            format: arguments.format(),
            #[cfg(feature = "columns")]
            given: arguments.format,
            ty,
            is_lenient: arguments.lenient,
            on_error: arguments.on_error,
        }
    }

    /// The error of a record that is not an integer.
    pub(in super::super) fn record_error(
        self,
        input: &InputArgument,
        number: u64,
        error: RecordError,
    ) -> CliError {
        let is_skipped = matches!(error, RecordError::Empty | RecordError::Digit { found: b'#', .. });
        let is_text = self.format != NumberFormat::Bin && input.place.is_none();
        let hint = if is_skipped && is_text && !self.is_lenient { input::LENIENT_HINT } else { "" };
        CliError::Line { path: input.shown(), number, why: format!("{error}{hint}") }
    }
}

/// A record that is not an integer.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct BadRecord {
    pub(in super::super) instance: usize,
    /// Its line in the file, from 1.
    pub(in super::super) number: u64,
    pub(in super::super) error: RecordError,
}

/// The reason why there are no more integers.
pub(in super::super) enum End {
    /// The end of the file. The next line would have this number.
    Ended {
        next: u64,
    },
    Failed(CliError),
}

/// What was read from a file.
pub(in super::super) struct Loaded {
    pub(in super::super) instances: usize,
    /// In order. Their limbs are 0.
    pub(in super::super) bad: Vec<BadRecord>,
    pub(in super::super) lines: Lines,
    /// Is there if there are fewer instances than asked for.
    pub(in super::super) end: Option<End>,
}

/// What is known of the number of integers, and of the bytes of all of them.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Length {
    Known(u64),
    /// Text of so many bytes, compressed or not.
    Text(u64),
    Unknown,
}

pub(in super::super) trait Source<B>: Send {
    /// Reads integers of M limbs until `out` is full or the file ends.
    fn load(&mut self, out: &mut [B]) -> Loaded;

    /// The number of integers in the file as far as it was read, by the part of its bytes that this is.
    fn estimate(&self) -> Option<u64> {
        None
    }
}

/// The error of a file without integers.
pub(in crate::eval) fn none(path: &Path) -> CliError {
    let why = "expected at least one integer, found none".to_owned();
    CliError::Line { path: path.to_owned(), number: 1, why }
}
