//! Files of every kind, written and read.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Field, Schema};
use limbforge::limb::{Batch, IntType, Layout};
use limbforge_arrow::{field, from_array, nulls_of, to_array};
use num_bigint::BigInt;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

use crate::eval::columns::{Table, split, type_of_column};

/// Integers, or none.
pub(super) type Values = Vec<Option<BigInt>>;

/// How a column has its integers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Style {
    Typed,
    Digits,
    Prefixed,
}

fn text(value: &BigInt, style: Style) -> String {
    let sign = if value.sign() == num_bigint::Sign::Minus { "-" } else { "" };
    match style {
        Style::Prefixed => format!("{sign}0x{:x}", value.magnitude()),
        _ => value.to_string(),
    }
}

fn column(values: &Values, ty: IntType, style: Style) -> (Field, ArrayRef) {
    if style != Style::Typed {
        let texts: StringArray = values.iter().map(|value| Some(text(value.as_ref()?, style))).collect();
        return (Field::new("x", DataType::Utf8, true), Arc::new(texts));
    }
    let integers: Vec<BigInt> = values.iter().map(|value| value.clone().unwrap_or_default()).collect();
    let batch = Batch::<u64>::from_bigints(ty, Layout::InstanceMajor, &integers).unwrap();
    let nulls = nulls_of(values.len(), (0..values.len()).filter(|&i| values[i].is_none()));
    (field::<u64>("x", ty, true).unwrap(), Arc::new(to_array(&batch, nulls).unwrap()))
}

/// A file with the column `id` of row numbers, and the integers in `x`.
pub(super) fn write(path: &Path, kind: &str, values: &Values, ty: IntType, style: Style, batch: usize) {
    if kind == "csv" {
        let mut lines = "id,x\n".to_owned();
        for (row, value) in values.iter().enumerate() {
            let value = value.as_ref().map_or(String::new(), |value| text(value, style));
            lines += &format!("{row},{value}\n");
        }
        return fs::write(path, lines).unwrap();
    }
    let (field, integers) = column(values, ty, style);
    let ids: Int64Array = (0..values.len() as i64).map(Some).collect();
    let schema = Arc::new(Schema::new(vec![Field::new("id", DataType::Int64, false), field]));
    let rows = RecordBatch::try_new(schema.clone(), vec![Arc::new(ids), integers]).unwrap();
    let starts = (0..values.len()).step_by(batch);
    let batches = starts.map(|start| rows.slice(start, batch.min(values.len() - start)));
    let file = File::create(path).unwrap();
    match kind {
        "parquet" => {
            let properties = WriterProperties::builder().set_max_row_group_row_count(Some(batch)).build();
            let mut writer = ArrowWriter::try_new(file, schema, Some(properties)).unwrap();
            batches.for_each(|rows| writer.write(&rows).unwrap());
            writer.close().unwrap();
        }
        "arrow" => {
            let mut writer = FileWriter::try_new(file, &schema).unwrap();
            batches.for_each(|rows| writer.write(&rows).unwrap());
            writer.finish().unwrap();
        }
        _ => {
            let mut writer = StreamWriter::try_new(file, &schema).unwrap();
            batches.for_each(|rows| writer.write(&rows).unwrap());
            writer.finish().unwrap();
        }
    }
}

/// The columns `id` and `r` of a file of results.
pub(super) fn read(path: &Path, kind: &str) -> Vec<(i64, Option<BigInt>)> {
    let (_, place) = split(path);
    let kind_of = place.unwrap().kind;
    let table = Table::open(path, kind_of).unwrap();
    let columns = [table.find("id").unwrap(), table.find("r").unwrap()];
    let ty = type_of_column(table.fields()[columns[1]]);
    assert_eq!(ty.is_none(), kind == "csv");
    let mut rows = vec![];
    for batch in table.read(&columns, 0).unwrap() {
        let batch = batch.unwrap();
        let [ids, results] = &batch.columns[..] else { panic!("two columns") };
        let Some(ty) = ty else {
            let digits = |column: &ArrayRef, row| {
                let column = column.as_binary::<i32>();
                (!column.is_null(row)).then(|| BigInt::parse_bytes(column.value(row), 10).unwrap())
            };
            let id = |row| i64::try_from(digits(ids, row).unwrap()).unwrap();
            rows.extend((0..batch.count).map(|row| (id(row), digits(results, row))));
            continue;
        };
        let read = from_array::<u64>(results, ty).unwrap();
        let is_null = |row| read.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        let ids: Vec<i64> = match ids.data_type() {
            // Kept from CSV.
            DataType::Utf8 => ids.as_string::<i32>().iter().map(|id| id.unwrap().parse().unwrap()).collect(),
            _ => ids.as_primitive::<Int64Type>().values().to_vec(),
        };
        let results = read.batch.to_bigints().into_iter().enumerate();
        let results = results.map(|(row, value)| (!is_null(row)).then_some(value));
        rows.extend(ids.into_iter().zip(results));
    }
    rows
}
