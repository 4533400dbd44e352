//! Apache Parquet.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::errors::ParquetError;

use super::table::{BATCH_BYTES, BATCH_ROWS, Batches, Read, Rows};
use crate::error::CliError;

pub(super) struct Parquet {
    path: PathBuf,
    builder: ParquetRecordBatchReaderBuilder<File>,
}

impl Parquet {
    pub(super) fn open(path: &Path) -> Result<Self, CliError> {
        let file = File::open(path).map_err(CliError::file(path, "open"))?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(file);
        let builder = builder.map_err(|error| failed(path, &error))?;
        Ok(Self { path: path.to_owned(), builder })
    }
}

impl Read for Parquet {
    fn schema(&self) -> &SchemaRef {
        self.builder.schema()
    }

    fn rows(&mut self) -> Result<u64, CliError> {
        let groups = self.builder.metadata().row_groups();
        Ok(groups.iter().map(|group| group.num_rows().unsigned_abs()).sum())
    }

    fn read(self: Box<Self>, columns: &[usize], skip: u64) -> Result<(Batches, u64), CliError> {
        let Self { path, builder } = *self;
        let mask = ProjectionMask::roots(builder.parquet_schema(), columns.iter().copied());
        let groups = builder.metadata().row_groups();
        // Whole groups before the first row are not read at all.
        let (mut first, mut before) = (0, 0);
        while let Some(rows) = groups.get(first).map(|group| group.num_rows().unsigned_abs())
            && before + rows <= skip
        {
            (first, before) = (first + 1, before + rows);
        }
        // Bytes of a row as it lies in memory: by types, or as many as are stored.
        let fields = builder.schema().fields();
        let by_type: usize = columns.iter().map(|&column| width(fields[column].data_type())).sum();
        let stored = groups.iter().enumerate().map(|(i, group)| {
            let leaves = group.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
            let bytes: u64 = leaves.map(|(_, leaf)| leaf.uncompressed_size().unsigned_abs()).sum();
            if i < first { 0 } else { bytes / group.num_rows().unsigned_abs().max(1) }
        });
        let bytes = by_type.max(stored.max().unwrap_or(0) as usize);
        let remaining = (first..groups.len()).collect();
        let reader = builder.with_projection(mask).with_row_groups(remaining).with_batch_size(rows_of(bytes));
        let reader = reader.build().map_err(|error| failed(&path, &error))?;
        let rows = move |batch: Result<RecordBatch, ArrowError>| match batch {
            Ok(batch) => Ok(Rows::new(batch.num_rows(), batch.columns().to_vec())),
            Err(error) => Err(CliError::Columns { path: path.clone(), why: format!("cannot read: {error}") }),
        };
        Ok((Box::new(reader.map(rows)), before))
    }
}

/// Rows of about so many bytes, by the bytes of a row.
fn rows_of(bytes: usize) -> usize {
    (BATCH_BYTES / bytes.max(1)).clamp(1, BATCH_ROWS)
}

/// Bytes of a value, where the type says so.
fn width(data_type: &DataType) -> usize {
    match data_type {
        DataType::FixedSizeBinary(width) => usize::try_from(*width).unwrap_or(0),
        other => other.primitive_width().unwrap_or(0),
    }
}

fn failed(path: &Path, error: &ParquetError) -> CliError {
    CliError::Columns { path: path.to_owned(), why: format!("expected Parquet data: {error}") }
}
