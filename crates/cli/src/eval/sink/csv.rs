//! CSV: a header, and text without quotes where none are needed. Null is an empty field.

use std::mem;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use csv::{Writer, WriterBuilder};
use limbforge::limb::io::NumberFormat;
use limbforge_arrow::{Column, from_array, type_of};

use super::cells::{has_text, write_cell};
use super::table::{Encode, Failed};
use crate::eval::results::text_column;

struct Csv {
    writer: Writer<Vec<u8>>,
    /// That of integers.
    format: NumberFormat,
}

pub(super) fn encoder(format: NumberFormat, schema: &Schema) -> Result<Box<dyn Encode>, Failed> {
    let is_refused =
        |field: &&Arc<Field>| !has_text(field.data_type()) && !matches!(type_of(field), Ok(Some(_)));
    if let Some(field) = schema.fields().iter().find(is_refused) {
        let why = "expected text, numbers, truth values, dates or times in CSV: use Parquet or Arrow, or keep others";
        return Err(format!("column `{}` has the type {}: {why}", field.name(), field.data_type()).into());
    }
    let mut writer = new_writer();
    writer.write_record(schema.fields().iter().map(|field| field.name()))?;
    Ok(Box::new(Csv { writer, format }))
}

fn new_writer() -> Writer<Vec<u8>> {
    WriterBuilder::new().from_writer(vec![])
}

impl Csv {
    /// Integers as text; other columns as they are.
    fn text(&self, field: &Field, column: &ArrayRef) -> Result<ArrayRef, Failed> {
        let Some(ty) = type_of(field)? else { return Ok(column.clone()) };
        let Column { batch, nulls } = from_array::<u64>(column, ty)?;
        Ok(text_column(&batch, self.format, nulls.as_ref()))
    }
}

impl Encode for Csv {
    fn write(&mut self, rows: &RecordBatch) -> Result<(), Failed> {
        let schema = rows.schema();
        let mut columns = vec![];
        for (field, column) in schema.fields().iter().zip(rows.columns()) {
            columns.push(self.text(field, column)?);
        }
        let mut cell = String::new();
        for row in 0..rows.num_rows() {
            for column in &columns {
                cell.clear();
                write_cell(column, row, &mut cell)?;
                self.writer.write_field(&cell)?;
            }
            self.writer.write_record(None::<&[u8]>)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Failed> {
        Ok(())
    }

    fn take(&mut self) -> Vec<u8> {
        // Memory takes all that is written to it.
        mem::replace(&mut self.writer, new_writer()).into_inner().unwrap_or_default()
    }
}
