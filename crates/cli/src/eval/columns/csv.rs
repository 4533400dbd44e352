//! CSV: a header, and rows of as many fields. An empty field is null.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::BinaryBuilder;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use csv::{ByteRecord, Reader, ReaderBuilder};
use limbforge::limb::io::RecordError;

use super::table::{BATCH_BYTES, BATCH_ROWS, Batches, Read, Rows};
use crate::error::CliError;
use crate::eval::source::Lines;
use crate::input::{self, Content};

pub(super) struct Csv {
    path: PathBuf,
    schema: SchemaRef,
    reader: Reader<Content>,
}

impl Csv {
    pub(super) fn open(path: &Path) -> Result<Self, CliError> {
        let content = input::open(path, input::Kind::Text)?;
        let mut reader = ReaderBuilder::new().flexible(true).from_reader(content);
        let header = reader.headers().map_err(|error| failed(path, error))?;
        // A mark of the order of bytes, as some programs write before UTF-8.
        let names = header.iter().map(|name| name.trim_start_matches('\u{feff}'));
        let fields: Vec<Field> = names.map(|name| Field::new(name, DataType::Utf8, true)).collect();
        Ok(Self { path: path.to_owned(), schema: Schema::new(fields).into(), reader })
    }
}

impl Read for Csv {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn rows(&mut self) -> Result<u64, CliError> {
        let (mut rows, mut record) = (0, ByteRecord::new());
        while next(&self.path, &mut self.reader, &mut record)? {
            rows += 1;
        }
        Ok(rows)
    }

    /// Columns are bytes, which need not be UTF-8.
    fn read(self: Box<Self>, columns: &[usize], skip: u64) -> Result<(Batches, u64), CliError> {
        let Self { path, schema, mut reader } = *self;
        let mut record = ByteRecord::new();
        let mut passed = 0;
        while passed < skip && next(&path, &mut reader, &mut record)? {
            passed += 1;
        }
        let fields = schema.fields().len();
        let records = Records { path, reader, record, fields, columns: columns.to_vec(), is_ended: false };
        Ok((Box::new(records), passed))
    }
}

/// Reads the next row; false at the end.
fn next(path: &Path, reader: &mut Reader<Content>, record: &mut ByteRecord) -> Result<bool, CliError> {
    reader.read_byte_record(record).map_err(|error| failed(path, error))
}

struct Records {
    path: PathBuf,
    reader: Reader<Content>,
    record: ByteRecord,
    /// Those of the header.
    fields: usize,
    columns: Vec<usize>,
    is_ended: bool,
}

impl Records {
    fn rows(&mut self) -> Result<Option<Rows>, CliError> {
        let (mut count, mut bytes) = (0, 0);
        let (mut lines, mut bad) = (Lines::default(), vec![]);
        let mut builders: Vec<_> = self.columns.iter().map(|_| BinaryBuilder::new()).collect();
        while count < BATCH_ROWS && bytes < BATCH_BYTES {
            if !next(&self.path, &mut self.reader, &mut self.record)? {
                self.is_ended = true;
                break;
            }
            let (expected, found) = (self.fields, self.record.len());
            if found != expected {
                bad.push((count, RecordError::Fields { expected, found }));
            }
            for (builder, &column) in builders.iter_mut().zip(&self.columns) {
                let field = self.record.get(column).filter(|field| !field.is_empty() && found == expected);
                builder.append_option(field);
            }
            lines.push(count, self.record.position().map_or(0, csv::Position::line));
            bytes += self.record.as_slice().len();
            count += 1;
        }
        let columns = builders.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect();
        Ok((count > 0).then_some(Rows { lines: Some(lines), bad, ..Rows::new(count, columns) }))
    }
}

impl Iterator for Records {
    type Item = Result<Rows, CliError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_ended {
            return None;
        }
        let rows = self.rows();
        self.is_ended |= rows.is_err();
        rows.transpose()
    }
}

fn failed(path: &Path, error: csv::Error) -> CliError {
    let why = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => CliError::file(path, "read")(error),
        _ => CliError::Columns { path: path.to_owned(), why },
    }
}
