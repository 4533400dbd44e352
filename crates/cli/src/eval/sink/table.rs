//! A table of results, with the columns that are kept beside them.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat;
use std::path::PathBuf;

use crate::error::CliError;
use crate::eval::arguments::OnError;
use crate::eval::columns::{Kept, Kind, Place};
use crate::eval::job::Job;
use crate::eval::outputs::Target;
use crate::output::Output;

/// The name of the results without another.
const RESULT: &str = "result";

/// Bytes of results that become a batch of rows at once.
const BATCH_BYTES: usize = 4 << 20;

/// What went wrong in an encoder, in words.
pub(super) type Failed = Box<dyn std::error::Error>;

/// A kind of file, into memory.
pub(super) trait Encode {
    fn write(&mut self, rows: &RecordBatch) -> Result<(), Failed>;

    /// Encodes the end of the file.
    fn finish(&mut self) -> Result<(), Failed>;

    /// What was encoded since the last call.
    fn take(&mut self) -> Vec<u8>;
}

/// A table without its file.
pub(super) struct Prepared {
    path: PathBuf,
    encoder: Box<dyn Encode>,
    kept: Option<Kept>,
    schema: SchemaRef,
    /// Readers of a stream have results as soon as they are known.
    is_stream: bool,
}

pub(in crate::eval) struct TableSink {
    table: Prepared,
    output: Output,
    waiting: Vec<ArrayRef>,
    bytes: usize,
}

impl TableSink {
    /// Opens the columns that are kept.
    pub(super) fn prepare(job: &Job, target: &Target, place: &Place) -> Result<Prepared, CliError> {
        let path = target.out.path.clone().unwrap_or_default();
        let failed = |why: String| CliError::Columns { path: path.clone(), why };
        let name = place.column.as_deref().unwrap_or(RESULT);
        let kept = kept(job)?;
        let mut fields = kept.as_ref().map_or(vec![], |kept| kept.fields.clone());
        if fields.iter().any(|field| field.name() == name) {
            let why = "is kept, too: expected another name for the results, or a list of others after --keep";
            return Err(failed(format!("a column `{name}` {why}")));
        }
        let ty = target.expr.to_dag().result_type(job.ty).map_err(limbforge::algos::cpu::EvalError::from)?;
        let is_nullable = job.arguments.on_error == OnError::Mark;
        fields.push(match place.kind {
            Kind::Csv => Field::new(name, DataType::LargeUtf8, is_nullable),
            _ => limbforge_arrow::field::<u64>(name, ty, is_nullable)
                .map_err(|error| failed(error.to_string()))?,
        });
        let schema: SchemaRef = Schema::new(fields).into();
        let encoder = encoder(job, place.kind, name, &schema).map_err(|error| failed(error.to_string()))?;
        Ok(Prepared { path, encoder, kept, schema, is_stream: place.kind == Kind::Stream })
    }

    pub(super) fn write(&mut self, column: ArrayRef) -> Result<(), CliError> {
        if column.is_empty() {
            return Ok(());
        }
        self.bytes += column.get_array_memory_size();
        self.waiting.push(column);
        if self.bytes >= BATCH_BYTES || self.table.is_stream { self.put() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> Result<(), CliError> {
        self.put()?;
        let ended = self.table.encoder.finish();
        ended.map_err(|error| self.failed(&*error))?;
        self.output.write(&self.table.encoder.take())?;
        self.output.finish()
    }

    /// Writes the rows that wait.
    fn put(&mut self) -> Result<(), CliError> {
        let waiting = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        let results = match &waiting[..] {
            [] => return Ok(()),
            [one] => one.clone(),
            all => {
                let all: Vec<_> = all.iter().map(AsRef::as_ref).collect();
                concat(&all).map_err(|error| self.failed(&error))?
            }
        };
        let mut columns = match &mut self.table.kept {
            Some(kept) => kept.take(results.len())?,
            None => vec![],
        };
        columns.push(results);
        let rows = RecordBatch::try_new(self.table.schema.clone(), columns);
        let rows = rows.map_err(|error| self.failed(&error))?;
        let written = self.table.encoder.write(&rows);
        written.map_err(|error| self.failed(&*error))?;
        self.output.write(&self.table.encoder.take())?;
        self.output.flush()
    }

    fn failed(&self, error: &dyn std::error::Error) -> CliError {
        CliError::Columns { path: self.table.path.clone(), why: format!("cannot write: {error}") }
    }
}

impl Prepared {
    pub(super) fn start(self, output: Output) -> TableSink {
        TableSink { table: self, output, waiting: vec![], bytes: 0 }
    }
}

/// The columns of the first input that has some.
fn kept(job: &Job) -> Result<Option<Kept>, CliError> {
    let Some(names) = &job.arguments.keep else { return Ok(None) };
    let inputs = job.inputs().iter().enumerate();
    let found = inputs.filter_map(|(i, input)| Some((i, input, input.place.as_ref()?))).next();
    let Some((i, input, place)) = found else { return Ok(None) };
    let skip = job.part.as_ref().map_or(0, |part| part.skip(i));
    Kept::open(&input.path, place.kind, names, skip).map(Some)
}

/// Starts an encoder of a table by the run, the name of the results' column, and all columns.
type Start = fn(&Job, &str, &SchemaRef) -> Result<Box<dyn Encode>, Failed>;

fn encoder(job: &Job, kind: Kind, result: &str, schema: &SchemaRef) -> Result<Box<dyn Encode>, Failed> {
    let start: Start = match kind {
        #[cfg(feature = "parquet")]
        Kind::Parquet => |_, result, schema| super::parquet::encoder(result, schema),
        #[cfg(feature = "arrow")]
        Kind::Arrow => |_, _, schema| super::arrow::file(schema),
        #[cfg(feature = "arrow")]
        Kind::Stream => |_, _, schema| super::arrow::stream(schema),
        #[cfg(feature = "csv")]
        Kind::Csv => |job, _, schema| super::csv::encoder(job.arguments.format(), schema),
        #[allow(unreachable_patterns, reason = "with all features there is no other")]
        _ => return Err(kind.missing().unwrap_or_default().into()),
    };
    start(job, result, schema)
}
