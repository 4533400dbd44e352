//! Columns of every kind of file, in batches of any size: sums are those of `num-bigint`, and what is kept beside
//! them is what was there.

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

use super::files::{Random, number};
use super::reference::wrapped;
use super::{run, tiny};
use crate::eval::columns::{Table, split, type_of_column};
use crate::eval::sizes::Sizes;

/// Integers, or none.
type Values = Vec<Option<BigInt>>;

const KINDS: [&str; 4] = ["parquet", "arrow", "arrows", "csv"];

/// How a column has its integers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
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
fn write(path: &Path, kind: &str, values: &Values, ty: IntType, style: Style, batch: usize) {
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
fn read(path: &Path, kind: &str) -> Vec<(i64, Option<BigInt>)> {
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

fn check(seed: u64) {
    let mut random = Random::new(seed);
    let bits = random.pick(&[1, 8, 64, 100, 131, 192, 1000]);
    let is_signed = random.once_in(2);
    let ty = IntType::new(bits, is_signed).unwrap();
    let (rows, has_nulls) = (random.pick(&[1, 2, 5, 60, 300]), random.once_in(2));
    let counts = [rows, if random.once_in(3) { 1 } else { rows }];
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["a + b".to_owned(), "--keep=id".to_owned()];
    let (mut columns, mut names, mut is_typed) = (vec![], vec![], true);
    for (name, count) in ["a", "b"].into_iter().zip(counts) {
        let kind = random.pick(&KINDS);
        let style = random.pick(&[Style::Typed, Style::Digits, Style::Prefixed]);
        let style = if kind == "csv" { Style::Digits } else { style };
        is_typed &= style == Style::Typed;
        // The nulls of an integer that is used for all rows end the run.
        let mut value = |_| {
            let is_null = has_nulls && count > 1 && random.once_in(9);
            (!is_null).then(|| number(&mut random, bits, is_signed))
        };
        let values: Values = (0..count).map(&mut value).collect();
        let path = folder.path().join(format!("{name}.{kind}"));
        write(&path, kind, &values, ty, style, 1 + random.below(70));
        arguments.extend(["--in".to_owned(), format!("{name}={}:x", path.display())]);
        names.push((path, kind));
        columns.push(values);
    }
    if !is_typed || random.once_in(2) {
        arguments.extend(["--bits".to_owned(), bits.to_string()]);
        arguments.extend(is_signed.then(|| "--signed".to_owned()));
    }
    arguments.extend(["--format".to_owned(), "dec".to_owned()]);
    let marks = random.once_in(2);
    arguments.extend(marks.then(|| "--on-error=mark".to_owned()));
    let at = |column: usize, row: usize| columns[column][if counts[column] == 1 { 0 } else { row }].clone();
    let sum = |row| Some(wrapped(at(0, row)? + at(1, row)?, bits, is_signed));
    let expected: Vec<_> = (0..rows).map(|row| (row as i64, sum(row))).collect();
    let kind = random.pick(&KINDS);
    let out = folder.path().join(format!("out.{kind}"));
    let target = format!("{}:r", out.display());
    for sizes in [Sizes::default(), tiny(&mut random), tiny(&mut random)] {
        let about = format!("seed {seed}, {sizes:?}, {arguments:?} to {kind}");
        let outcome = run(&arguments, &target, sizes);
        let bad = (0..rows).find_map(|row| (0..2).find(|&i| at(i, row).is_none()).map(|i| (row, i)));
        let Some((row, column)) = bad.filter(|_| !marks) else {
            outcome.unwrap_or_else(|error| panic!("{error}: {about}"));
            assert_eq!(read(&out, kind), expected, "{about}");
            continue;
        };
        let (path, of_column) = &names[column];
        let number = if *of_column == "csv" { row + 2 } else { row + 1 };
        let why = format!("{}:x:{number}: expected an integer, found null", path.display());
        assert_eq!(outcome.unwrap_err().to_string(), why, "{about}");
        assert!(!out.exists(), "{about}");
        return;
    }
    let of = 1 + random.below(4);
    let mut all = vec![];
    for part in 1..=of {
        let shard = ["--shard".to_owned(), format!("{part}/{of}")];
        run(&[&arguments[..], &shard].concat(), &target, tiny(&mut random)).unwrap();
        all.extend(read(&out, kind));
    }
    assert_eq!(all, expected, "{of} parts: seed {seed}, {arguments:?} to {kind}");
}

#[test]
fn columns_of_every_kind() {
    (0..120).for_each(check);
}
