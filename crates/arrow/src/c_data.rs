//! Columns through Arrow's C data interface.
#![allow(unsafe_code)]

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::{Array, FixedSizeBinaryArray, make_array};
use arrow_buffer::NullBuffer;
use arrow_schema::Field;
use limbforge_limb::{Base, Batch, IntType};

use crate::column::{Column, from_array, to_array};
use crate::error::ColumnError;
use crate::extension::{field, type_of};

/// The batch as a column of Arrow's C data interface, with its type in the schema. The column keeps the memory
/// until it is released.
///
/// ```
/// use limbforge_arrow::{export, import};
/// use limbforge_limb::{Batch, U256};
///
/// let batch: Batch<u64> = [3_u8, 4].into_iter().map(U256::from).collect();
/// let (array, schema) = export(&batch, None)?;
/// // SAFETY: both are those of `export`.
/// let (column, ty) = unsafe { import::<u64>(array, &schema, None) }?;
/// assert_eq!((column.batch, ty), (batch.clone(), batch.ty()));
/// # Ok::<(), limbforge_arrow::ColumnError>(())
/// ```
///
/// # Errors
/// Those of [`to_array`].
pub fn export<B: Base>(
    batch: &Batch<B>,
    nulls: Option<NullBuffer>,
) -> Result<(FFI_ArrowArray, FFI_ArrowSchema), ColumnError> {
    let schema = FFI_ArrowSchema::try_from(field::<B>("", batch.ty(), nulls.is_some())?)?;
    let (array, _) = to_ffi(&to_array(batch, nulls)?.to_data())?;
    Ok((array, schema))
}

/// A column of Arrow's C data interface, and the type of its integers: `ty`, else the one that the schema
/// names.
///
/// # Safety
/// Array and schema must keep to Arrow's C data interface and belong together.
///
/// # Errors
/// Those of [`from_array`] and [`type_of`]; [`ColumnError::Untyped`] without a type.
pub unsafe fn import<B: Base>(
    array: FFI_ArrowArray,
    schema: &FFI_ArrowSchema,
    ty: Option<IntType>,
) -> Result<(Column<B>, IntType), ColumnError> {
    let named = type_of(&Field::try_from(schema)?)?;
    // SAFETY: the caller promises that they belong together and keep to the interface.
    let array = make_array(unsafe { from_ffi(array, schema) }?);
    let kind = || ColumnError::Kind { found: array.data_type().clone() };
    let binary = array.as_any().downcast_ref::<FixedSizeBinaryArray>().ok_or_else(kind)?;
    let bytes = binary.value_length().unsigned_abs();
    let ty = ty.or(named).ok_or(ColumnError::Untyped { bytes })?;
    Ok((from_array(&array, ty)?, ty))
}
