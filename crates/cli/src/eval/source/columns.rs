//! A column of a file, decoded by a thread of its own and parsed by all others.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use limbforge::limb::io::NumberFormat;
use limbforge::prelude::*;

use super::lines::Lines;
use super::loaded::{BadRecord, End, Loaded, Reading, Source, none};
use super::text::stopped;
use crate::error::CliError;
use crate::eval::arguments::InputArgument;
use crate::eval::columns::{Batches, Kind, Place, Rows, Table, Values, type_of_column};

/// Batches of rows that wait for their parser.
const WAITING: usize = 1;

/// Rows, or none at the end of the file: a thread that stops without it has failed.
type Message = Result<Option<Rows>, CliError>;

/// A file whose first rows are being read.
pub(in super::super) struct Opening {
    first: Receiver<Result<Start, CliError>>,
    rows: Receiver<Message>,
}

/// What is known before the first row.
struct Start {
    /// Rows of the whole file, where it says so.
    rows: Option<u64>,
    values: Values,
}

impl Opening {
    /// Starts to read the column after `skip` rows.
    pub(super) fn start(
        argument: &InputArgument,
        place: &Place,
        reading: Reading,
        skip: u64,
    ) -> Result<Self, CliError> {
        let (started, first) = mpsc::sync_channel(1);
        let (sender, rows) = mpsc::sync_channel(WAITING);
        let (path, kind, column) = (argument.path.clone(), place.kind, argument.column(place).to_owned());
        let work = move || {
            let mut batches = match open(&path, kind, &column, reading, skip) {
                Ok((start, batches)) => {
                    let _ = started.send(Ok(start));
                    batches
                }
                Err(error) => return drop(started.send(Err(error))),
            };
            // Whoever does not listen any more has ended the run.
            loop {
                let rows = batches.next().transpose();
                let is_last = !matches!(rows, Ok(Some(_)));
                if sender.send(rows).is_err() || is_last {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("reader".to_owned()).spawn(work);
        thread.map_err(CliError::file(&argument.path, "read"))?;
        Ok(Self { first, rows })
    }
}

fn open(
    path: &Path,
    kind: Kind,
    column: &str,
    reading: Reading,
    skip: u64,
) -> Result<(Start, Batches), CliError> {
    let mut table = Table::open(path, kind)?;
    let column = table.find(column)?;
    table.check(column)?;
    let field_type = type_of_column(table.fields()[column]);
    // Other columns than those of CSV have text as programs print numbers: decimal digits.
    let knows_prefix = kind != Kind::Csv;
    let format = if knows_prefix { reading.given.unwrap_or(NumberFormat::Dec) } else { reading.format };
    let is_signed = field_type.unwrap_or(reading.ty).is_signed();
    let values = Values { ty: reading.ty, is_signed, format, knows_prefix };
    let rows = if kind == Kind::Parquet { Some(table.rows()?) } else { None };
    Ok((Start { rows, values }, table.read(&[column], skip)?))
}

/// The integers of a column.
pub(super) struct Column {
    path: PathBuf,
    batches: Receiver<Message>,
    values: Values,
    /// Rows that were received and not all parsed; the first of them is `position`.
    rows: Option<Rows>,
    position: usize,
    /// The batch behind them.
    ahead: Option<Rows>,
    /// The number of the next row, or line, from 1.
    next: u64,
    is_ended: bool,
    failed: Option<CliError>,
}

impl Column {
    /// Waits for the first row. Whether it is the only one, and how many there are, if that is known.
    pub(super) fn first(
        argument: &InputArgument,
        opening: Opening,
        skip: u64,
    ) -> Result<(Self, bool, Option<u64>), CliError> {
        let Opening { first, rows: batches } = opening;
        let path = argument.shown();
        let Start { rows, values } = first.recv().map_err(|_| stopped(&path))??;
        let mut column = Self {
            path,
            batches,
            values,
            rows: None,
            position: 0,
            ahead: None,
            next: skip + 1,
            is_ended: false,
            failed: None,
        };
        if !column.advance() {
            return Err(column.failed.take().unwrap_or_else(|| none(&column.path)));
        }
        let count = column.rows.as_ref().map_or(0, |rows| rows.count);
        let is_single = match rows {
            Some(rows) => rows == 1,
            // Another batch shows that there are more rows, and an error that there may be.
            None if count == 1 => {
                column.ahead = column.receive();
                column.ahead.is_none() && column.failed.is_none()
            }
            None => false,
        };
        Ok((column, is_single, rows))
    }

    /// Waits for the next batch; none at the end, or with an error.
    fn receive(&mut self) -> Option<Rows> {
        if self.is_ended {
            return None;
        }
        let received = self.batches.recv().unwrap_or_else(|_| Err(stopped(&self.path)));
        self.is_ended = !matches!(received, Ok(Some(_)));
        received.unwrap_or_else(|error| {
            self.failed = Some(error);
            None
        })
    }

    /// Waits for the next batch if this one is used up; false at the end.
    fn advance(&mut self) -> bool {
        while self.rows.as_ref().is_none_or(|rows| self.position == rows.count) {
            let Some(rows) = self.ahead.take().or_else(|| self.receive()) else { return false };
            (self.rows, self.position) = (Some(rows), 0);
        }
        true
    }
}

impl<B: Base> Source<B> for Column {
    fn load(&mut self, out: &mut [B]) -> Loaded {
        let m = self.values.ty.limbs::<B>();
        let (wanted, mut filled) = (out.len() / m, 0);
        let (mut bad, mut lines) = (vec![], Lines::default());
        while filled < wanted && self.advance() {
            let Some(rows) = &self.rows else { break };
            let (position, count) = (self.position, (wanted - filled).min(rows.count - self.position));
            let number = |row: usize| match &rows.lines {
                Some(lines) => lines.get(row),
                None => self.next + (row - position) as u64,
            };
            let limbs = &mut out[filled * m..(filled + count) * m];
            for (row, error) in self.values.parse(&rows.columns[0], position, limbs) {
                let unequal = rows.bad.binary_search_by_key(&row, |(row, _)| *row);
                let error = unequal.map_or(error, |at| rows.bad[at].1);
                bad.push(BadRecord { instance: filled + row - position, number: number(row), error });
            }
            let noted = if rows.lines.is_some() { count } else { 1 };
            (0..noted).for_each(|i| lines.push(filled + i, number(position + i)));
            self.next = number(position + count - 1) + 1;
            self.position += count;
            filled += count;
        }
        let next = self.next;
        let ended = || self.failed.take().map_or(End::Ended { next }, End::Failed);
        let end = (filled < wanted).then(ended);
        Loaded { instances: filled, bad, lines, end }
    }
}
