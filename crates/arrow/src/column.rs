//! A batch as a column, and a column as a batch.

use arrow_array::{Array, FixedSizeBinaryArray};
use arrow_buffer::NullBuffer;
use limbforge_limb::{Base, Batch, IntType, Layout, RangeError, convert};

use crate::error::ColumnError;
use crate::extension::width;
use crate::shared::{buffer_of, limbs_of};

/// The integers of a column.
#[derive(Clone, Debug)]
pub struct Column<B> {
    /// The integers, 0 where there is none.
    pub batch: Batch<B>,
    /// The rows without an integer; none if all have one.
    pub nulls: Option<NullBuffer>,
}

/// The nulls of a column of N rows: those of failed instances, as of a division by zero. None if none failed.
///
/// ```
/// use limbforge_arrow::arrow_array::Array;
/// use limbforge_arrow::{nulls_of, to_array};
/// use limbforge_limb::{Batch, U256};
///
/// let quotients: Batch<u64> = [3_u8, 0, 5].into_iter().map(U256::from).collect();
/// let column = to_array(&quotients, nulls_of(3, [1]))?; // 0 / 0 has no result
/// assert_eq!((column.is_null(0), column.is_null(1)), (false, true));
/// # Ok::<(), limbforge_arrow::ColumnError>(())
/// ```
///
/// # Panics
/// If a failed instance is N or more, as indexing does.
#[must_use]
pub fn nulls_of(instances: usize, failed: impl IntoIterator<Item = usize>) -> Option<NullBuffer> {
    let mut failed = failed.into_iter().peekable();
    let _ = failed.peek()?;
    let mut is_valid = vec![true; instances];
    failed.for_each(|instance| is_valid[instance] = false);
    Some(NullBuffer::from(is_valid))
}

/// The batch as a column of `M * B::BYTES` bytes per value.
///
/// The column shares the memory of the batch; it is a copy for an interleaved batch, for signed integers that
/// do not fill their limbs, and for limbs that do not lie as little-endian bytes.
///
/// ```
/// use limbforge_arrow::to_array;
/// use limbforge_limb::{Batch, I256};
///
/// let batch: Batch<u64> = [I256::from(-2), I256::from(5)].into_iter().collect();
/// let column = to_array(&batch, None)?;
/// assert_eq!(column.value(0)[..2], [0xfe, 0xff]);
/// assert_eq!(column.value_data().as_ptr(), batch.limbs().as_ptr().cast());
/// # Ok::<(), limbforge_arrow::ColumnError>(())
/// ```
///
/// # Errors
/// [`ColumnError::Nulls`] for nulls of another number of rows, [`ColumnError::TooWide`].
pub fn to_array<B: Base>(
    batch: &Batch<B>,
    nulls: Option<NullBuffer>,
) -> Result<FixedSizeBinaryArray, ColumnError> {
    to_array_of::<B, B>(batch, nulls)
}

/// The batch as a column as wide as one of limbs `L`, whatever its own limbs are: the column that belongs to
/// [`field::<L>`](crate::field).
///
/// The column shares the memory of the batch where [`to_array`] does and the widths are equal.
///
/// ```
/// use limbforge_arrow::{field, to_array_of};
/// use limbforge_limb::{Batch, IntType, Layout};
///
/// let batch = Batch::<u32>::from_u64s("u96".parse()?, Layout::InstanceMajor, &[7, 8])?;
/// let column = to_array_of::<u64, u32>(&batch, None)?;
/// assert_eq!(column.value_length(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`to_array`].
pub fn to_array_of<L: Base, B: Base>(
    batch: &Batch<B>,
    nulls: Option<NullBuffer>,
) -> Result<FixedSizeBinaryArray, ColumnError> {
    let (expected, width) = (batch.instances(), width::<L>(batch.ty())?);
    if let Some(found) = nulls.as_ref().map(NullBuffer::len).filter(|&found| found != expected) {
        return Err(ColumnError::Nulls { expected, found });
    }
    let is_same_width = width as usize == batch.limbs_per_instance() * B::BYTES;
    let values = if is_same_width && lies_as_values::<B>(batch.ty()) {
        buffer_of(batch.clone().into_layout(Layout::InstanceMajor))
    } else {
        values_of(batch, width as usize).into()
    };
    Ok(FixedSizeBinaryArray::try_new(width, values, nulls)?)
}

/// Whether limbs in memory are the bytes of a value.
fn lies_as_values<B: Base>(ty: IntType) -> bool {
    convert::lies_as_bytes::<B>() && (!ty.is_signed() || fills_limbs::<B>(ty))
}

fn fills_limbs<B: Base>(ty: IntType) -> bool {
    ty.bits() as usize == ty.limbs::<B>() * B::BYTES * 8
}

/// The bytes of all values, with signs up to their last bit.
fn values_of<B: Base>(batch: &Batch<B>, width: usize) -> Vec<u8> {
    let mut values = vec![0; batch.instances() * width];
    let (ty, mut limbs) = (batch.ty(), vec![B::ZERO; batch.limbs_per_instance()]);
    let sign = ty.bits() as usize - 1;
    for (i, value) in values.chunks_exact_mut(width).enumerate() {
        batch.read_instances(i, &mut limbs);
        convert::to_le_bytes(&limbs, value);
        if ty.is_signed() && value[sign / 8] >> (sign % 8) & 1 == 1 {
            value[sign / 8] |= 0xff << (sign % 8);
            value[sign / 8 + 1..].fill(0xff);
        }
    }
    values
}

/// The integers of a column, whose values may have any number of bytes.
///
/// The batch shares the memory of the column if its values are whole limbs, aligned as limbs are, and no
/// signed integers that do not fill their limbs; else it is a copy.
///
/// ```
/// use limbforge_arrow::arrow_array::FixedSizeBinaryArray;
/// use limbforge_arrow::from_array;
///
/// let column = FixedSizeBinaryArray::try_from_sparse_iter_with_size([Some([7, 1]), None].into_iter(), 2)?;
/// let read = from_array::<u64>(&column, "u2048".parse()?)?;
/// assert_eq!(read.batch.to_u64s()?, [0x107, 0]);
/// assert_eq!(read.nulls.map(|nulls| nulls.null_count()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ColumnError::Kind`] for other columns, [`ColumnError::Value`] for an integer that is not of the type.
pub fn from_array<B: Base>(array: &dyn Array, ty: IntType) -> Result<Column<B>, ColumnError> {
    let kind = || ColumnError::Kind { found: array.data_type().clone() };
    let array = array.as_any().downcast_ref::<FixedSizeBinaryArray>().ok_or_else(kind)?;
    let nulls = array.nulls().filter(|nulls| nulls.null_count() > 0).cloned();
    let batch = if nulls.is_none() { shared_batch(array, ty)? } else { None };
    let batch = batch.map_or_else(|| copied_batch(array, ty), Ok)?;
    Ok(Column { batch, nulls })
}

/// The batch in the memory of the column; none if its values do not lie as limbs.
fn shared_batch<B: Base>(array: &FixedSizeBinaryArray, ty: IntType) -> Result<Option<Batch<B>>, ColumnError> {
    let bytes = ty.limbs::<B>() * B::BYTES;
    if array.value_length() as usize != bytes || !lies_as_values::<B>(ty) {
        return Ok(None);
    }
    let Some(limbs) = limbs_of(array.values().slice_with_length(0, array.len() * bytes)) else {
        return Ok(None);
    };
    match Batch::from_shared(ty, Layout::InstanceMajor, limbs) {
        Ok(batch) => Ok(Some(batch)),
        // The copy finds the row and the number of its bits.
        Err(limbforge_limb::BatchError::Range { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn copied_batch<B: Base>(array: &FixedSizeBinaryArray, ty: IntType) -> Result<Batch<B>, ColumnError> {
    let mut batch = Batch::zeros(ty, Layout::InstanceMajor, array.len())?;
    let mut limbs = vec![B::ZERO; batch.limbs_per_instance()];
    for row in (0..array.len()).filter(|&row| array.is_valid(row)) {
        convert::from_le_record(array.value(row), ty, &mut limbs)
            .map_err(|source: RangeError| ColumnError::Value { row, source })?;
        batch.set_instance(row, &limbs);
    }
    Ok(batch)
}
