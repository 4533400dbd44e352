//! Apache Parquet.

use std::mem;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::table::{Encode, Failed};

/// Bytes of a group of rows, which is in memory until it is complete.
const GROUP_BYTES: usize = 16 << 20;

pub(super) fn encoder(result: &str, schema: &SchemaRef) -> Result<Box<dyn Encode>, Failed> {
    // Bytes of integers, the least significant first, neither repeat nor have an order.
    let column = || ColumnPath::from(vec![result.to_owned()]);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("limbforge ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_column_dictionary_enabled(column(), false)
        .set_column_statistics_enabled(column(), EnabledStatistics::None)
        .build();
    Ok(Box::new(ArrowWriter::try_new(vec![], schema.clone(), Some(properties))?))
}

impl Encode for ArrowWriter<Vec<u8>> {
    fn write(&mut self, rows: &RecordBatch) -> Result<(), Failed> {
        Self::write(self, rows)?;
        if self.in_progress_size().max(self.memory_size()) >= GROUP_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Failed> {
        Self::finish(self)?;
        Ok(self.sync()?)
    }

    fn take(&mut self) -> Vec<u8> {
        mem::take(self.inner_mut())
    }
}
