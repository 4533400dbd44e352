//! The file and the stream of Arrow IPC.

mod sizes;

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, FileReaderBuilder, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};

use self::sizes::{Checked, check_file};
use super::Kind;
use super::table::{Batches, Read, Rows};
use crate::error::CliError;
use crate::input::{self, Content};

/// The first bytes of a file; a stream has none.
const MAGIC: &[u8] = b"ARROW1";

enum Reader {
    File(FileReader<BufReader<File>>),
    Stream(StreamReader<Checked<Content>>),
}

pub(super) struct Arrow {
    path: PathBuf,
    schema: SchemaRef,
    reader: Reader,
}

impl Arrow {
    pub(super) fn open(path: &Path, kind: Kind) -> Result<Self, CliError> {
        let path_of_error = path.to_owned();
        let failed = |error| failed(&path_of_error, "expected Arrow data: ", &error);
        let (schema, reader) = if kind == Kind::Arrow && is_file(path)? {
            let mut file = File::open(path).map_err(CliError::file(path, "open"))?;
            check_file(&mut BufReader::new(&mut file)).map_err(CliError::file(path, "read"))?;
            let reader = FileReaderBuilder::new().build(BufReader::new(file)).map_err(failed)?;
            (reader.schema(), Reader::File(reader))
        } else {
            let content = input::open(path, input::Kind::Text)?;
            let reader = StreamReader::try_new(Checked::new(content), None).map_err(failed)?;
            (reader.schema(), Reader::Stream(reader))
        };
        Ok(Self { path: path.to_owned(), schema, reader })
    }
}

/// Whether the file begins as an Arrow file does: the same name may be that of a stream.
fn is_file(path: &Path) -> Result<bool, CliError> {
    let failed = CliError::file(path, "open");
    if !std::fs::metadata(path).map_err(&failed)?.is_file() {
        return Ok(false);
    }
    let mut head = vec![];
    let file = File::open(path).map_err(failed)?;
    file.take(MAGIC.len() as u64).read_to_end(&mut head).map_err(CliError::file(path, "read"))?;
    Ok(head == MAGIC)
}

impl Read for Arrow {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn rows(&mut self) -> Result<u64, CliError> {
        let Self { path, reader, .. } = self;
        let rows = |batch: Result<RecordBatch, ArrowError>| match batch {
            Ok(batch) => Ok(batch.num_rows() as u64),
            Err(error) => Err(failed(path, "cannot read: ", &error)),
        };
        match reader {
            Reader::File(reader) => reader.map(rows).sum(),
            Reader::Stream(reader) => reader.map(rows).sum(),
        }
    }

    fn read(self: Box<Self>, columns: &[usize], _: u64) -> Result<(Batches, u64), CliError> {
        let Self { path, reader, .. } = *self;
        let columns = columns.to_vec();
        let file = match reader {
            Reader::Stream(stream) => {
                // A stream was opened with all its columns, and a pipe cannot be opened again.
                let rows = move |batch| rows(&path, batch, |batch| batch.project(&columns));
                return Ok((Box::new(stream.map(rows)), 0));
            }
            Reader::File(file) => file,
        };
        // The others need not be decompressed.
        let file = file.get_ref().get_ref().try_clone().map_err(CliError::file(&path, "read"))?;
        let reader = FileReaderBuilder::new().with_projection(columns).build(BufReader::new(file));
        let reader = reader.map_err(|error| failed(&path, "expected Arrow data: ", &error))?;
        Ok((Box::new(reader.map(move |batch| rows(&path, batch, Ok))), 0))
    }
}

fn rows(
    path: &Path,
    batch: Result<RecordBatch, ArrowError>,
    select: impl FnOnce(RecordBatch) -> Result<RecordBatch, ArrowError>,
) -> Result<Rows, CliError> {
    let batch = batch.and_then(select).map_err(|error| failed(path, "cannot read: ", &error))?;
    Ok(Rows::new(batch.num_rows(), batch.columns().to_vec()))
}

fn failed(path: &Path, what: &str, error: &ArrowError) -> CliError {
    CliError::Columns { path: path.to_owned(), why: format!("{what}{error}") }
}
