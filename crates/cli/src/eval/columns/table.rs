//! The columns of a file, read some rows at a time.

use std::path::{Path, PathBuf};

use arrow_array::{Array, ArrayRef};
use arrow_schema::{Field, SchemaRef};
use limbforge::limb::io::RecordError;

use super::Kind;
use super::guard::decode;
use crate::error::CliError;
use crate::eval::source::Lines;

/// Bytes of values that are read at once, as far as the kind of file leaves a choice.
#[cfg(any(feature = "csv", feature = "parquet"))]
pub(super) const BATCH_BYTES: usize = 2 << 20;

/// Rows that are read at once, as far as the kind of file leaves a choice.
#[cfg(any(feature = "csv", feature = "parquet"))]
pub(super) const BATCH_ROWS: usize = 16 << 10;

/// Consecutive rows of some columns.
pub(in crate::eval) struct Rows {
    pub(in crate::eval) count: usize,
    pub(in crate::eval) columns: Vec<ArrayRef>,
    /// Lines of the file, where they are not the numbers of the rows.
    pub(in crate::eval) lines: Option<Lines>,
    /// Rows that have no columns, in order.
    pub(in crate::eval) bad: Vec<(usize, RecordError)>,
}

impl Rows {
    pub(super) fn new(count: usize, columns: Vec<ArrayRef>) -> Self {
        Self { count, columns, lines: None, bad: vec![] }
    }

    /// The rows from one on.
    fn after(mut self, first: usize) -> Self {
        let count = self.count - first;
        self.columns.iter_mut().for_each(|column| *column = column.slice(first, count));
        let lines = self.lines.map(|lines| lines.after(first));
        let bad = self.bad.into_iter().filter_map(|(row, why)| Some((row.checked_sub(first)?, why)));
        Self { count, columns: self.columns, lines, bad: bad.collect() }
    }
}

/// Rows from one on; the batches of an iterator have at least one.
pub(in crate::eval) type Batches = Box<dyn Iterator<Item = Result<Rows, CliError>> + Send>;

/// The reader of a kind of file, opened.
pub(super) trait Read: Send {
    fn schema(&self) -> &SchemaRef;

    /// The number of rows, which may take a pass over the file.
    fn rows(&mut self) -> Result<u64, CliError>;

    /// Reads these columns, in their order, after at most `skip` rows; returns how many rows it has passed.
    fn read(self: Box<Self>, columns: &[usize], skip: u64) -> Result<(Batches, u64), CliError>;
}

/// A file with columns.
pub(in crate::eval) struct Table {
    path: PathBuf,
    kind: Kind,
    reader: Box<dyn Read>,
}

impl Table {
    pub(in crate::eval) fn open(path: &Path, kind: Kind) -> Result<Self, CliError> {
        let open = || -> Result<Box<dyn Read>, CliError> {
            match kind {
                #[cfg(feature = "parquet")]
                Kind::Parquet => Ok(Box::new(super::parquet::Parquet::open(path)?)),
                #[cfg(feature = "arrow")]
                Kind::Arrow | Kind::Stream => Ok(Box::new(super::arrow::Arrow::open(path, kind)?)),
                #[cfg(feature = "csv")]
                Kind::Csv => Ok(Box::new(super::csv::Csv::open(path)?)),
                #[allow(unreachable_patterns, reason = "with all features there is no other")]
                _ => Err(CliError::Internal(kind.missing().unwrap_or_default())),
            }
        };
        Ok(Self { path: path.to_owned(), kind, reader: decode(path, open)? })
    }

    pub(in crate::eval) fn fields(&self) -> Vec<&Field> {
        self.reader.schema().fields().iter().map(AsRef::as_ref).collect()
    }

    /// The place of the column of this name.
    pub(in crate::eval) fn find(&self, name: &str) -> Result<usize, CliError> {
        let fields = self.fields();
        let mut found = (0..fields.len()).filter(|&i| fields[i].name() == name);
        let Some(first) = found.next() else {
            let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.name())).collect();
            let there = if names.is_empty() { "no columns".to_owned() } else { names.join(", ") };
            return Err(self.error(format!("there is no column `{name}`: the file has {there}")));
        };
        match found.next() {
            Some(_) => Err(self.error(format!("two columns have the name `{name}`: rename one"))),
            None => Ok(first),
        }
    }

    /// Refuses a column of other data than integers.
    pub(in crate::eval) fn check(&self, column: usize) -> Result<(), CliError> {
        let fields = self.fields();
        let Some(why) = super::types::refused(fields[column]) else { return Ok(()) };
        Err(self.error(format!("column `{}`: {why}", fields[column].name())))
    }

    pub(in crate::eval) fn rows(&mut self) -> Result<u64, CliError> {
        decode(&self.path, || self.reader.rows())
    }

    /// Reads these columns from a row on.
    pub(in crate::eval) fn read(self, columns: &[usize], skip: u64) -> Result<Batches, CliError> {
        // Readers return columns in the order of the file.
        assert!(columns.is_sorted_by(|a, b| a < b), "{columns:?}");
        let Self { path, reader, .. } = self;
        let (mut batches, passed) = decode(&path, || reader.read(columns, skip))?;
        // The last error is the end.
        let mut is_ended = false;
        let batches = std::iter::from_fn(move || {
            let rows = if is_ended { None } else { decode(&path, || batches.next().transpose()).transpose() };
            is_ended = !matches!(rows, Some(Ok(_)));
            rows
        });
        let mut left = skip.saturating_sub(passed);
        let after_skipped = move |rows: Result<Rows, CliError>| match rows {
            Ok(rows) if rows.count as u64 <= left => {
                left -= rows.count as u64;
                None
            }
            Ok(rows) => {
                let first = left as usize;
                left = 0;
                Some(Ok(rows.after(first)))
            }
            Err(error) => Some(Err(error)),
        };
        Ok(Box::new(batches.filter_map(after_skipped)))
    }

    fn error(&self, why: String) -> CliError {
        CliError::Columns { path: self.path.clone(), why }
    }

    pub(in crate::eval) const fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Csv)
    }
}
