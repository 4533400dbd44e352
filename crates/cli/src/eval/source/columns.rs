//! A column of a file, decoded by a thread of its own and parsed by all others.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use limbforge::limb::io::NumberFormat;
use limbforge::prelude::*;

use super::lines::Lines;
use super::loaded::{BadRecord, End, Loaded, Reading, Source, none};
use crate::error::CliError;
use crate::eval::arguments::InputArgument;
use crate::eval::columns::{Kind, Place, Rows, Table, Values, type_of_column};

/// Batches of rows that wait for their parser.
const WAITING: usize = 1;

type Message = Result<Rows, CliError>;

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
            while let Some(rows) = batches.next()
                && sender.send(rows).is_ok()
            {}
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
) -> Result<(Start, impl Iterator<Item = Message> + use<>), CliError> {
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
        let Start { rows, values } = first.recv().map_err(|_| super::text::stopped(&path))??;
        let next = skip + 1;
        let mut column =
            Self { path, batches, values, rows: None, position: 0, ahead: None, next, failed: None };
        if !column.advance() {
            return Err(column.failed.take().unwrap_or_else(|| none(&column.path)));
        }
        let count = column.rows.as_ref().map_or(0, |rows| rows.count);
        // Another batch shows that there are more rows.
        let is_single = match (rows, count) {
            (Some(rows), _) => rows == 1,
            (None, 1) => column.is_last(),
            (None, _) => false,
        };
        Ok((column, is_single, rows))
    }

    /// Whether no batch follows the first one.
    fn is_last(&mut self) -> bool {
        match self.batches.recv() {
            Ok(Ok(second)) => self.ahead = Some(second),
            Ok(Err(error)) => self.failed = Some(error),
            Err(_) => return true,
        }
        false
    }

    /// Waits for the next batch if this one is used up; false at the end.
    fn advance(&mut self) -> bool {
        while self.rows.as_ref().is_none_or(|rows| self.position == rows.count) {
            if let Some(rows) = self.ahead.take() {
                (self.rows, self.position) = (Some(rows), 0);
                continue;
            }
            if self.failed.is_some() {
                return false;
            }
            match self.batches.recv() {
                Ok(Ok(rows)) => (self.rows, self.position) = (Some(rows), 0),
                Ok(Err(error)) => self.failed = Some(error),
                Err(_) => return false,
            }
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
