//! Batches: layouts, conversions, and what they refuse.

use limbforge_limb::{Base, Batch, BatchError, IntType, Layout, RangeError};
use limbforge_testing::{operands, oracle};
use num_bigint::{BigInt, BigUint};
use proptest::collection::vec;
use proptest::prelude::*;

const LAYOUTS: [Layout; 2] = [Layout::InstanceMajor, Layout::Interleaved];

fn integers<B: Base>() -> impl Strategy<Value = (usize, Vec<Vec<B>>)> {
    (1..80_usize, 0..80_usize).prop_flat_map(|(m, n)| (Just(m), vec(operands::integer::<B>(m), n)))
}

/// Every way to look at a batch gives the same integers, in both layouts.
fn check_layouts<B: Base>(m: usize, integers: &[Vec<B>]) -> Result<(), TestCaseError> {
    let ty = IntType::unsigned(m as u64 * u64::from(B::BITS)).unwrap();
    let major = Batch::from_limbs(ty, Layout::InstanceMajor, integers.concat()).unwrap();
    let interleaved = major.clone().into_layout(Layout::Interleaved);
    for (i, integer) in integers.iter().enumerate() {
        prop_assert_eq!(&major.instance(i), integer);
        prop_assert_eq!(&interleaved.instance(i), integer);
        for (j, &limb) in integer.iter().enumerate() {
            prop_assert_eq!(interleaved.limbs()[j * integers.len() + i], limb);
            prop_assert_eq!((major.limb(i, j), interleaved.limb(i, j)), (limb, limb));
        }
    }
    let values: Vec<BigUint> = integers.iter().map(|limbs| oracle::value(limbs)).collect();
    for (layout, batch) in LAYOUTS.into_iter().zip([&major, &interleaved]) {
        prop_assert_eq!(&batch.to_biguints(), &values);
        prop_assert_eq!(&Batch::from_biguints(ty, layout, &values).unwrap(), batch);
    }
    prop_assert_eq!(interleaved.into_layout(Layout::InstanceMajor), major);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn layouts_hold_the_same_integers_u32((m, integers) in integers::<u32>()) {
        check_layouts(m, &integers)?;
    }

    #[test]
    fn layouts_hold_the_same_integers_u64((m, integers) in integers::<u64>()) {
        check_layouts(m, &integers)?;
    }

    #[test]
    fn layouts_hold_the_same_integers_u128((m, integers) in integers::<u128>()) {
        check_layouts(m, &integers)?;
    }

    #[test]
    fn signed_values_round_trip(bits in 1..200_u64, values in vec(any::<i128>(), 0..9), layout in 0..2_usize) {
        let ty = IntType::signed(bits).unwrap();
        let half = BigInt::from(1) << (bits - 1);
        let values: Vec<BigInt> = values.into_iter().map(|value| BigInt::from(value) % &half).collect();
        let batch = Batch::<u32>::from_bigints(ty, LAYOUTS[layout], &values).unwrap();
        prop_assert_eq!(batch.to_bigints(), values);
    }
}

#[test]
fn set_instance_reduces_to_the_width() {
    for layout in LAYOUTS {
        let mut batch = Batch::<u32>::zeros(IntType::unsigned(33).unwrap(), layout, 3).unwrap();
        batch.set_instance(1, &[5, u32::MAX]);
        assert_eq!(batch.instance(1), [5, 1]);
        batch.limbs_mut().fill(u32::MAX);
        batch.truncate();
        assert_eq!(batch.instance(2), [u32::MAX, 1]);
    }
}

#[test]
fn errors_name_the_instance_and_the_reason() {
    let u33 = IntType::unsigned(33).unwrap();
    assert_eq!(
        Batch::<u32>::from_limbs(u33, Layout::InstanceMajor, vec![0; 5]).unwrap_err(),
        BatchError::Length { expected: 4, instances: 2, limbs_per_instance: 2, found: 5 }
    );
    assert_eq!(
        Batch::<u32>::from_limbs(u33, Layout::Interleaved, vec![0, 0, 1, 2]).unwrap_err(),
        BatchError::Range { instance: 1, ty: u33 }
    );
    assert_eq!(
        Batch::<u64>::from_biguints(u33, Layout::InstanceMajor, &[1_u32.into(), BigUint::from(1_u32) << 33])
            .unwrap_err(),
        BatchError::Value { instance: 1, source: RangeError { ty: u33, needed: 34 } }
    );
    assert!(matches!(
        Batch::<u64>::zeros(u33, Layout::InstanceMajor, usize::MAX).unwrap_err(),
        BatchError::TooLarge { .. }
    ));
}

#[test]
fn int_types_are_text_and_bounded() {
    for text in ["u1", "i131", "u16777216"] {
        assert_eq!(text.parse::<IntType>().unwrap().to_string(), text);
    }
    for text in ["", "u", "u0", "131", "i16777217", "u99999999999999999999", "x8", "u8 ", "u-8"] {
        assert!(text.parse::<IntType>().is_err(), "{text}");
    }
    assert_eq!(IntType::unsigned(131).unwrap().limbs::<u32>(), 5);
    assert_eq!(IntType::unsigned(1 << 25).unwrap_err().bits, 1 << 25);
}
