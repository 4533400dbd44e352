//! The integers of a column as limbs.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal128Type, Decimal256Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use limbforge::limb::convert::from_le_record;
use limbforge::limb::io::{NumberFormat, RecordError, parse_record};
use limbforge::prelude::*;
use rayon::prelude::*;

/// Bytes of limbs that are worth a task of a thread.
const TASK_BYTES: usize = 8 << 10;

/// How the integers of a column become those of the run.
#[derive(Clone, Copy, Debug)]
pub(in crate::eval) struct Values {
    /// The type of the run.
    pub(in crate::eval) ty: IntType,
    /// Whether values of fixed size are in two's complement.
    pub(in crate::eval) is_signed: bool,
    /// The format of text.
    pub(in crate::eval) format: NumberFormat,
    /// Whether text is hexadecimal after 0x in any format.
    pub(in crate::eval) knows_prefix: bool,
}

/// A value as a column stores it.
enum Cell<'a> {
    Text(&'a [u8]),
    Record(&'a [u8]),
    Small(i128),
    Wide([u8; 32]),
}

impl Values {
    /// Parses rows from `first` on into all of `out`; those that are not integers, whose limbs are 0.
    pub(in crate::eval) fn parse<B: Base>(
        self,
        array: &ArrayRef,
        first: usize,
        out: &mut [B],
    ) -> Vec<(usize, RecordError)> {
        use DataType::{
            Binary, BinaryView, Decimal128, Decimal256, FixedSizeBinary, Int8, Int16, Int32, Int64,
            LargeBinary, LargeUtf8, UInt8, UInt16, UInt32, UInt64, Utf8, Utf8View,
        };
        macro_rules! small {
            ($type:ty) => {{
                let array = array.as_primitive::<$type>();
                self.parse_all(array, first, out, |i| Cell::Small(array.value(i).into()))
            }};
        }
        macro_rules! text {
            ($array:expr) => {{
                let array = $array;
                self.parse_all(array, first, out, |i| Cell::Text(array.value(i).as_ref()))
            }};
        }
        match array.data_type() {
            Int8 => small!(Int8Type),
            Int16 => small!(Int16Type),
            Int32 => small!(Int32Type),
            Int64 => small!(Int64Type),
            UInt8 => small!(UInt8Type),
            UInt16 => small!(UInt16Type),
            UInt32 => small!(UInt32Type),
            UInt64 => small!(UInt64Type),
            Decimal128(..) => small!(Decimal128Type),
            Decimal256(..) => {
                let array = array.as_primitive::<Decimal256Type>();
                self.parse_all(array, first, out, |i| Cell::Wide(array.value(i).to_le_bytes()))
            }
            FixedSizeBinary(_) => {
                let array = array.as_fixed_size_binary();
                self.parse_all(array, first, out, |i| Cell::Record(array.value(i)))
            }
            Binary => text!(array.as_binary::<i32>()),
            LargeBinary => text!(array.as_binary::<i64>()),
            BinaryView => text!(array.as_binary_view()),
            Utf8 => text!(array.as_string::<i32>()),
            LargeUtf8 => text!(array.as_string::<i64>()),
            Utf8View => text!(array.as_string_view()),
            other => unreachable!("a column of {other} was accepted"),
        }
    }

    fn parse_all<'a, B: Base>(
        self,
        array: &'a dyn Array,
        first: usize,
        out: &mut [B],
        cell: impl Fn(usize) -> Cell<'a> + Sync,
    ) -> Vec<(usize, RecordError)> {
        let m = self.ty.limbs::<B>();
        let task = (TASK_BYTES / (m * B::BYTES)).max(1);
        let parse_task = |(i, limbs): (usize, &mut [B])| {
            let mut bad = vec![];
            for (j, limbs) in limbs.chunks_exact_mut(m).enumerate() {
                let row = first + i * task + j;
                let is_null = array.is_null(row);
                let parsed =
                    if is_null { Err(RecordError::Null) } else { self.parse_cell(&cell(row), limbs) };
                if let Err(error) = parsed {
                    limbs.fill(B::ZERO);
                    bad.push((row, error));
                }
            }
            bad
        };
        let bad: Vec<Vec<_>> = out.par_chunks_mut(task * m).enumerate().map(parse_task).collect();
        bad.concat()
    }

    fn parse_cell<B: Base>(self, cell: &Cell<'_>, out: &mut [B]) -> Result<(), RecordError> {
        match cell {
            Cell::Text(text) => self.parse_text(text, out),
            Cell::Record(bytes) => self.parse_bytes(bytes, self.is_signed, out),
            Cell::Small(value) => self.parse_bytes(&value.to_le_bytes(), true, out),
            Cell::Wide(bytes) => self.parse_bytes(bytes, true, out),
        }
    }

    fn parse_text<B: Base>(self, text: &[u8], out: &mut [B]) -> Result<(), RecordError> {
        let digits = text.trim_ascii_start();
        let digits = digits.strip_prefix(b"-").unwrap_or(digits);
        let is_prefixed = self.knows_prefix && matches!(digits, [b'0', b'x' | b'X', ..]);
        match self.format {
            NumberFormat::Bin => self.parse_bytes(text, self.ty.is_signed(), out),
            _ if is_prefixed => parse_record(text, NumberFormat::Hex, self.ty, out),
            format => parse_record(text, format, self.ty, out),
        }
    }

    /// An integer by its bytes, least significant first, whose sign need not be that of the run's type.
    fn parse_bytes<B: Base>(self, bytes: &[u8], is_signed: bool, out: &mut [B]) -> Result<(), RecordError> {
        let ty = self.ty;
        let has_top_bit = bytes.last().is_some_and(|&top| top >> 7 == 1);
        if !has_top_bit || is_signed == ty.is_signed() {
            return Ok(from_le_record(bytes, ty, out)?);
        }
        if is_signed {
            return Err(RecordError::Negative { ty });
        }
        Ok(from_le_record(&[bytes, &[0]].concat(), ty, out)?)
    }
}
