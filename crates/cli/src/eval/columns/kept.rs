//! Columns of an input that are copied beside the results, row for row.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_schema::{ArrowError, DataType, Field};
use arrow_select::concat::concat;
use arrow_select::take::take;

use super::Kind;
use super::table::{Batches, Rows, Table};
use crate::error::CliError;

/// The columns, read beside the results as they are written: the file is open twice.
pub(in crate::eval) struct Kept {
    path: PathBuf,
    pub(in crate::eval) fields: Vec<Field>,
    batches: Batches,
    /// Rows that were read and not taken.
    rows: Option<Rows>,
    taken: usize,
    /// Rows of the file that were taken or passed over.
    row: u64,
    is_text: bool,
}

impl Kept {
    /// Opens the columns of these names, or all, from a row on.
    pub(in crate::eval) fn open(
        path: &Path,
        kind: Kind,
        names: &[String],
        skip: u64,
    ) -> Result<Self, CliError> {
        if !fs::metadata(path).map_err(CliError::file(path, "open"))?.is_file() {
            let why = "expected a file, which is read twice: --keep cannot read pipes and devices".to_owned();
            return Err(CliError::Columns { path: path.to_owned(), why });
        }
        let table = Table::open(path, kind)?;
        let mut columns = (0..table.fields().len()).collect::<Vec<_>>();
        if !names.is_empty() {
            columns = names.iter().map(|name| table.find(name)).collect::<Result<_, _>>()?;
            columns.sort_unstable();
            columns.dedup();
        }
        let fields = table.fields();
        let fields = columns.iter().map(|&column| plain_field(fields[column])).collect();
        let is_text = table.is_text();
        let batches = table.read(&columns, skip)?;
        Ok(Self { path: path.to_owned(), fields, batches, rows: None, taken: 0, row: skip, is_text })
    }

    /// The columns of the next rows.
    pub(in crate::eval) fn take(&mut self, rows: usize) -> Result<Vec<ArrayRef>, CliError> {
        let mut parts: Vec<Vec<ArrayRef>> = vec![vec![]; self.fields.len()];
        let mut left = rows;
        while left > 0 {
            let Some(batch) = self.rows.take_if(|rows| self.taken < rows.count) else {
                self.taken = 0;
                self.rows = Some(self.batches.next().unwrap_or_else(|| Err(self.ended()))?);
                continue;
            };
            let count = left.min(batch.count - self.taken);
            for (parts, column) in parts.iter_mut().zip(&batch.columns) {
                parts.push(column.slice(self.taken, count));
            }
            self.taken += count;
            left -= count;
            self.row += count as u64;
            self.rows = Some(batch);
        }
        let whole = |parts: Vec<ArrayRef>| self.whole(&parts);
        parts.into_iter().map(whole).collect::<Result<_, _>>().map_err(|error| self.error(&error.to_string()))
    }

    fn whole(&self, parts: &[ArrayRef]) -> Result<ArrayRef, ArrowError> {
        let parts = parts.iter().map(|part| self.plain(part)).collect::<Result<Vec<_>, _>>()?;
        match &parts[..] {
            [one] => Ok(one.clone()),
            parts => concat(&parts.iter().map(AsRef::as_ref).collect::<Vec<_>>()),
        }
    }

    /// Text of CSV as such; values in place of numbers of a dictionary, which may differ from batch to batch.
    fn plain(&self, column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
        if self.is_text {
            return Ok(Arc::new(StringArray::try_from_binary(column.as_binary::<i32>().clone())?));
        }
        match column.as_any_dictionary_opt() {
            Some(dictionary) => take(dictionary.values(), dictionary.keys(), None),
            None => Ok(column.clone()),
        }
    }

    fn ended(&self) -> CliError {
        let before = self.row;
        self.error(&format!("expected a row for each result, found {before}: --keep copies row for row"))
    }

    fn error(&self, why: &str) -> CliError {
        CliError::Columns { path: self.path.clone(), why: why.to_owned() }
    }
}

/// The field of a column as it is kept.
fn plain_field(field: &Field) -> Field {
    match field.data_type() {
        DataType::Dictionary(_, values) => {
            Field::new(field.name(), values.as_ref().clone(), true).with_metadata(field.metadata().clone())
        }
        _ => field.clone(),
    }
}
