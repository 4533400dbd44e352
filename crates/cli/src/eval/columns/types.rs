//! Which columns hold integers, and the types that fields name.

use std::fs;

use arrow_schema::extension::ExtensionType;
use arrow_schema::{DataType, Field};
use limbforge::prelude::*;
use limbforge_arrow::{IntExtension, type_of};

use super::{Kind, Table};
use crate::error::CliError;
use crate::eval::arguments::InputArgument;

/// Why a column has no integers, if it has none.
pub(super) fn refused(field: &Field) -> Option<String> {
    if let Err(error) = type_of(field) {
        return Some(error.to_string());
    }
    let extension = field.extension_type_name().filter(|name| *name != IntExtension::NAME);
    let expected = "expected integers: limbforge.int, int8 to int64, uint8 to uint64, decimals of scale 0, binary, or text \
                    of digits";
    match (field.data_type(), extension) {
        (DataType::FixedSizeBinary(_), Some(name)) => {
            Some(format!("{expected}, found the extension type {name}: cast the column"))
        }
        (data_type, _) if is_taken(data_type) => None,
        (data_type, _) => Some(format!("{expected}, found {data_type}: cast the column")),
    }
}

fn is_taken(data_type: &DataType) -> bool {
    use DataType::{
        Binary, BinaryView, Decimal128, Decimal256, FixedSizeBinary, LargeBinary, LargeUtf8, Utf8, Utf8View,
    };
    match data_type {
        Decimal128(_, scale) | Decimal256(_, scale) => *scale == 0,
        FixedSizeBinary(_) | Binary | LargeBinary | BinaryView | Utf8 | LargeUtf8 | Utf8View => true,
        other => other.is_integer(),
    }
}

/// The type that a field gives its integers, if it does.
pub(in crate::eval) fn type_of_column(field: &Field) -> Option<IntType> {
    let data_type = field.data_type();
    if !data_type.is_integer() {
        return type_of(field).ok()?;
    }
    let bits = 8 * data_type.primitive_width()? as u64;
    IntType::new(bits, data_type.is_signed_integer()).ok()
}

/// The type that the column of an input names. A pipe can be read once, and names none.
pub(in crate::eval) fn type_of_input(input: &InputArgument) -> Result<Option<IntType>, CliError> {
    let Some(place) = input.place.as_ref().filter(|place| place.kind != Kind::Csv) else { return Ok(None) };
    if !fs::metadata(&input.path).map_err(CliError::file(&input.path, "open"))?.is_file() {
        return Ok(None);
    }
    let table = Table::open(&input.path, place.kind)?;
    let column = table.find(input.column(place))?;
    table.check(column)?;
    Ok(type_of_column(table.fields()[column]))
}
