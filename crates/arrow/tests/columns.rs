//! Columns are batches and batches columns, for all limbs, types and widths of values.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]
#![allow(unsafe_code, reason = "the C data interface")]

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, FixedSizeBinaryArray, Int32Array};
use arrow_schema::{DataType, Field};
use limbforge_arrow::{
    ColumnError, arrow_array, arrow_schema, export, field, from_array, import, nulls_of, to_array,
    to_array_of, type_of,
};
use limbforge_limb::{Base, Batch, IntType, Layout};
use num_bigint::BigInt;
use proptest::prelude::*;

fn types() -> impl Strategy<Value = IntType> {
    (prop_oneof![1_u64..700, Just(64), Just(128), Just(2048)], any::<bool>())
        .prop_map(|(bits, signed)| IntType::new(bits, signed).unwrap())
}

/// Integers of the type, from bytes of all lengths.
fn integers(ty: IntType, images: &[Vec<u8>]) -> Vec<BigInt> {
    let modulus = BigInt::from(1) << ty.bits();
    let reduce = |image: &Vec<u8>| {
        let residue = ((BigInt::from_signed_bytes_le(image) % &modulus) + &modulus) % &modulus;
        let is_negative = ty.is_signed() && residue.bit(u64::from(ty.bits()) - 1);
        if is_negative { residue - &modulus } else { residue }
    };
    images.iter().map(reduce).collect()
}

/// The column of these integers with values of `width` bytes, by num-bigint.
fn column_of(integers: &[BigInt], width: usize) -> FixedSizeBinaryArray {
    let value = |integer: &BigInt| {
        let fill = if *integer < BigInt::ZERO { 0xff } else { 0 };
        let mut bytes = integer.to_signed_bytes_le();
        bytes.resize(width.max(bytes.len()), fill);
        bytes.truncate(width);
        Some(bytes)
    };
    FixedSizeBinaryArray::try_from_sparse_iter_with_size(integers.iter().map(value), width as i32).unwrap()
}

fn round_trip<B: Base>(
    ty: IntType,
    layout: Layout,
    integers: &[BigInt],
    extra: usize,
) -> Result<(), TestCaseError> {
    let batch = Batch::<B>::from_bigints(ty, layout, integers).unwrap();
    let column = to_array(&batch, None).unwrap();
    // Values of whole limbs are those of num-bigint.
    prop_assert_eq!(&column, &column_of(integers, ty.limbs::<B>() * B::BYTES));
    // As are those as wide as other limbs.
    for (column, width) in [
        (to_array_of::<u32, B>(&batch, None), ty.limbs::<u32>() * 4),
        (to_array_of::<u64, B>(&batch, None), ty.limbs::<u64>() * 8),
        (to_array_of::<u128, B>(&batch, None), ty.limbs::<u128>() * 16),
    ] {
        prop_assert_eq!(column.unwrap(), column_of(integers, width));
    }
    for width in [ty.bytes(), ty.bytes() + extra, ty.limbs::<B>() * B::BYTES] {
        let read = from_array::<B>(&column_of(integers, width), ty).unwrap();
        prop_assert_eq!(read.batch.to_bigints(), integers);
        prop_assert!(read.nulls.is_none());
    }
    Ok(())
}

proptest! {
    #[test]
    fn columns_are_the_integers_of_num_bigint(
        ty in types(),
        images in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..100), 0..8),
        interleaved in any::<bool>(),
        extra in 0_usize..20,
    ) {
        let integers = integers(ty, &images);
        let layout = if interleaved { Layout::Interleaved } else { Layout::InstanceMajor };
        round_trip::<u32>(ty, layout, &integers, extra)?;
        round_trip::<u64>(ty, layout, &integers, extra)?;
        round_trip::<u128>(ty, layout, &integers, extra)?;
    }

    #[test]
    fn slices_of_a_column_are_slices_of_the_batch(start in 0_usize..10, len in 0_usize..10) {
        let batch = Batch::<u64>::from_u64s(IntType::unsigned(192).unwrap(), Layout::InstanceMajor, &[7; 20]).unwrap();
        let column = to_array(&batch, nulls_of(20, [3, 11])).unwrap().slice(start, len);
        let read = from_array::<u64>(&column, batch.ty()).unwrap();
        let expected: Vec<u64> =
            (start..start + len).map(|row| if [3, 11].contains(&row) { 0 } else { 7 }).collect();
        prop_assert_eq!(read.batch.to_u64s().unwrap(), expected);
        prop_assert_eq!(read.nulls.map_or(0, |nulls| nulls.null_count()), column.null_count());
    }
}

#[test]
fn whole_limbs_are_not_copied_either_way() {
    let ty = IntType::unsigned(2048).unwrap();
    let batch = Batch::<u64>::from_u64s(ty, Layout::InstanceMajor, &[1, 2, 3]).unwrap();
    let column = to_array(&batch, None).unwrap();
    assert_eq!(column.value_data().as_ptr(), batch.limbs().as_ptr().cast());
    let read = from_array::<u64>(&column.slice(1, 2), ty).unwrap().batch;
    assert_eq!(read.limbs().as_ptr(), batch.limbs()[32..].as_ptr());
    // The memory lives as long as one of them.
    drop((batch, column));
    assert_eq!(read.to_u64s().unwrap(), [2, 3]);
}

#[test]
fn writing_to_a_batch_leaves_the_column_as_it_is() {
    let ty = IntType::unsigned(64).unwrap();
    let column =
        to_array(&Batch::<u64>::from_u64s(ty, Layout::InstanceMajor, &[1, 2]).unwrap(), None).unwrap();
    let mut read = from_array::<u64>(&column, ty).unwrap().batch;
    read.limbs_mut()[0] = 9;
    assert_eq!((column.value(0)[0], read.to_u64s().unwrap()), (1, vec![9, 2]));
}

#[test]
fn rows_without_an_integer_may_hold_anything() {
    let ty = IntType::unsigned(60).unwrap();
    let (width, values) = (8, vec![0xff_u8; 16]);
    let bad = FixedSizeBinaryArray::try_new(width, values.clone().into(), nulls_of(2, [1])).unwrap();
    let error = from_array::<u64>(&bad, ty).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 0: the number does not fit u60: it needs 64 bits; expected 0 to 2^60 - 1"
    );
    let null = FixedSizeBinaryArray::try_new(width, values.into(), nulls_of(2, [0, 1])).unwrap();
    assert_eq!(from_array::<u64>(&null, ty).unwrap().batch.to_u64s().unwrap(), [0, 0]);
}

#[test]
fn other_columns_are_refused_with_what_was_expected() {
    let ty = IntType::unsigned(64).unwrap();
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1]));
    let error = from_array::<u64>(&numbers, ty).unwrap_err();
    assert_eq!(error.to_string(), "expected a column of FixedSizeBinary, found Int32: `cast` the column");
    let batch = Batch::<u64>::from_u64s(ty, Layout::InstanceMajor, &[1, 2]).unwrap();
    let error = to_array(&batch, nulls_of(3, [0])).unwrap_err();
    assert_eq!(error.to_string(), "expected nulls for 2 rows, found 3");
    let metadata = [("ARROW:extension:name", "limbforge.int"), ("ARROW:extension:metadata", "2048")];
    let field = Field::new("n", DataType::FixedSizeBinary(8), false)
        .with_metadata(metadata.map(|(key, value)| (key.to_owned(), value.to_owned())));
    let error = type_of(&field).unwrap_err();
    let expected = r#"expected a type such as u2048 or i131 in the metadata of limbforge.int, found "2048""#;
    assert_eq!(error.to_string(), expected);
    assert!(matches!(type_of(&field.with_data_type(DataType::Int32)), Err(ColumnError::Metadata { .. })));
}

#[test]
fn the_c_data_interface_carries_type_and_nulls() {
    let ty: IntType = "i131".parse().unwrap();
    let batch =
        Batch::<u32>::from_bigints(ty, Layout::InstanceMajor, &[BigInt::from(-5), BigInt::from(7)]).unwrap();
    let (array, schema) = export(&batch, nulls_of(2, [1])).unwrap();
    // SAFETY: both are those of `export`.
    let (column, found) = unsafe { import::<u64>(array, &schema, None) }.unwrap();
    assert_eq!((found, column.batch.to_bigints()), (ty, vec![BigInt::from(-5), BigInt::ZERO]));
    assert!(column.nulls.unwrap().is_null(1));
    assert!(field::<u32>("n", ty, true).unwrap().is_nullable());
}
