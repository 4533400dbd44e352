//! Values of kept columns as text.

use std::fmt::{self, Write};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowTemporalType, Date32Type, Date64Type, Decimal128Type, Decimal256Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};

/// Whether columns of a type have values that [`write_cell`] writes.
pub(super) const fn has_text(data_type: &DataType) -> bool {
    use DataType::{
        Boolean, Date32, Date64, Decimal128, Decimal256, Float32, Float64, Int8, Int16, Int32, Int64,
        LargeUtf8, Null, Timestamp, UInt8, UInt16, UInt32, UInt64, Utf8, Utf8View,
    };
    matches!(
        data_type,
        Int8 | Int16
            | Int32
            | Int64
            | UInt8
            | UInt16
            | UInt32
            | UInt64
            | Float32
            | Float64
            | Boolean
            | Utf8
            | LargeUtf8
            | Utf8View
            | Decimal128(..)
            | Decimal256(..)
            | Date32
            | Date64
            | Timestamp(..)
            | Null
    )
}

/// Appends a value; nothing for null.
pub(super) fn write_cell(column: &ArrayRef, row: usize, text: &mut String) -> fmt::Result {
    use DataType::{
        Boolean, Date32, Date64, Decimal128, Decimal256, Float32, Float64, Int8, Int16, Int32, Int64,
        LargeUtf8, Null, Timestamp, UInt8, UInt16, UInt32, UInt64, Utf8, Utf8View,
    };
    macro_rules! number {
        ($type:ty) => {
            write!(text, "{:?}", column.as_primitive::<$type>().value(row))
        };
    }
    if column.is_null(row) {
        return Ok(());
    }
    match column.data_type() {
        Null => Ok(()),
        Int8 => number!(Int8Type),
        Int16 => number!(Int16Type),
        Int32 => number!(Int32Type),
        Int64 => number!(Int64Type),
        UInt8 => number!(UInt8Type),
        UInt16 => number!(UInt16Type),
        UInt32 => number!(UInt32Type),
        UInt64 => number!(UInt64Type),
        Float32 => number!(Float32Type),
        Float64 => number!(Float64Type),
        Boolean => write!(text, "{}", column.as_boolean().value(row)),
        Utf8 => text.write_str(column.as_string::<i32>().value(row)),
        LargeUtf8 => text.write_str(column.as_string::<i64>().value(row)),
        Utf8View => text.write_str(column.as_string_view().value(row)),
        Decimal128(..) => text.write_str(&column.as_primitive::<Decimal128Type>().value_as_string(row)),
        Decimal256(..) => text.write_str(&column.as_primitive::<Decimal256Type>().value_as_string(row)),
        Date32 => day::<Date32Type>(column, row, text),
        Date64 => day::<Date64Type>(column, row, text),
        Timestamp(TimeUnit::Second, zone) => time::<TimestampSecondType>(column, row, zone.is_some(), text),
        Timestamp(TimeUnit::Millisecond, zone) => {
            time::<TimestampMillisecondType>(column, row, zone.is_some(), text)
        }
        Timestamp(TimeUnit::Microsecond, zone) => {
            time::<TimestampMicrosecondType>(column, row, zone.is_some(), text)
        }
        Timestamp(TimeUnit::Nanosecond, zone) => {
            time::<TimestampNanosecondType>(column, row, zone.is_some(), text)
        }
        other => unreachable!("a column of {other} was accepted"),
    }
}

/// A day as in 2026-11-23.
fn day<T: ArrowTemporalType>(column: &ArrayRef, row: usize, text: &mut String) -> fmt::Result
where
    i64: From<T::Native>,
{
    column.as_primitive::<T>().value_as_date(row).map_or(Err(fmt::Error), |day| write!(text, "{day:?}"))
}

/// A time as in 2026-11-23T16:30:00.25, of a zone with the Z of UTC, in which it is stored.
fn time<T: ArrowTemporalType>(column: &ArrayRef, row: usize, has_zone: bool, text: &mut String) -> fmt::Result
where
    i64: From<T::Native>,
{
    let time = column.as_primitive::<T>().value_as_datetime(row).ok_or(fmt::Error)?;
    write!(text, "{time:?}{}", if has_zone { "Z" } else { "" })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{
        BooleanArray, Date32Array, Decimal128Array, Float64Array, Int8Array, StringArray,
        TimestampMillisecondArray,
    };

    use super::*;

    #[test]
    fn values_as_text() {
        let decimal = Decimal128Array::from(vec![Some(-12345), None]).with_precision_and_scale(9, 2).unwrap();
        let times = || TimestampMillisecondArray::from(vec![Some(1_795_000_000_250), None]);
        let columns: [(ArrayRef, &str); 8] = [
            (Arc::new(Int8Array::from(vec![Some(-5), None])), "-5"),
            (Arc::new(Float64Array::from(vec![Some(1e300), None])), "1e300"),
            (Arc::new(BooleanArray::from(vec![Some(true), None])), "true"),
            (Arc::new(StringArray::from(vec![Some("a,b"), None])), "a,b"),
            (Arc::new(decimal), "-123.45"),
            (Arc::new(Date32Array::from(vec![Some(20_780), None])), "2026-11-23"),
            (Arc::new(times()), "2026-11-18T11:06:40.250"),
            (Arc::new(times().with_timezone("Europe/Paris")), "2026-11-18T11:06:40.250Z"),
        ];
        for (column, expected) in columns {
            assert!(has_text(column.data_type()));
            let texts = [0, 1].map(|row| {
                let mut text = String::new();
                write_cell(&column, row, &mut text).map(|()| text)
            });
            assert_eq!(texts, [Ok(expected.to_owned()), Ok(String::new())], "{}", column.data_type());
        }
    }
}
