//! Arrow IPC.

use std::mem;

use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::Schema;

use super::table::{Encode, Failed};

pub(super) fn file(schema: &Schema) -> Result<Box<dyn Encode>, Failed> {
    Ok(Box::new(FileWriter::try_new(vec![], schema)?))
}

pub(super) fn stream(schema: &Schema) -> Result<Box<dyn Encode>, Failed> {
    Ok(Box::new(StreamWriter::try_new(vec![], schema)?))
}

macro_rules! encode {
    ($writer:ident) => {
        impl Encode for $writer<Vec<u8>> {
            fn write(&mut self, rows: &RecordBatch) -> Result<(), Failed> {
                Ok($writer::write(self, rows)?)
            }

            fn finish(&mut self) -> Result<(), Failed> {
                Ok($writer::finish(self)?)
            }

            fn take(&mut self) -> Vec<u8> {
                mem::take(self.get_mut())
            }
        }
    };
}

encode!(FileWriter);
encode!(StreamWriter);
