//! Parts of batches, and numbers from and to batches: against the lists of integers they stand for.

use std::borrow::Cow;

use limbforge_limb::typenum::{U2, U3};
use limbforge_limb::{Base, Batch, BatchError, FixedInt, Int, IntType, Layout, RangeError, U256, Uint};
use num_bigint::BigInt;
use num_traits::One;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

fn layout() -> impl Strategy<Value = Layout> {
    prop_oneof![Just(Layout::InstanceMajor), Just(Layout::Interleaved)]
}

fn ty() -> impl Strategy<Value = IntType> {
    (1..200_u64, any::<bool>()).prop_map(|(bits, signed)| IntType::new(bits, signed).unwrap())
}

/// The value in the range of a type that is equal to it mod `2^bits`.
fn wrapped(value: &BigInt, ty: IntType) -> BigInt {
    let modulus = BigInt::one() << ty.bits();
    let residue = ((value % &modulus) + &modulus) % &modulus;
    let is_high = residue.bit(u64::from(ty.bits()) - 1);
    if ty.is_signed() && is_high { residue - modulus } else { residue }
}

/// A batch and its integers, short ones among them.
fn batch<B: Base>() -> impl Strategy<Value = (Batch<B>, Vec<BigInt>)> {
    let value = (any::<[i128; 2]>(), 0..200_u32)
        .prop_map(|([a, b], shift)| ((BigInt::from(a) << 100) ^ BigInt::from(b)) >> shift);
    (ty(), layout(), vec(value, 0..12)).prop_map(|(ty, layout, values)| {
        let values: Vec<BigInt> = values.iter().map(|value| wrapped(value, ty)).collect();
        (Batch::from_bigints(ty, layout, &values).unwrap(), values)
    })
}

fn parts<B: Base>(
    (batch, values): &(Batch<B>, Vec<BigInt>),
    [i, j]: [Index; 2],
    picks: &[Index],
    other: IntType,
) -> Result<(), TestCaseError> {
    let (ty, layout, n) = (batch.ty(), batch.layout(), values.len());
    let of = |values: &[BigInt]| Batch::<B>::from_bigints(ty, layout, values).unwrap();
    let (i, j) = (i.index(n + 1), j.index(n + 1));
    let (start, end) = (i.min(j), i.max(j));

    let slice = batch.slice(start..end);
    prop_assert_eq!(&slice, &of(&values[start..end]));
    prop_assert_eq!(slice.slice(0..slice.instances()), slice.clone());
    let rest = [batch.slice(0..start), slice.clone(), batch.slice(end..n).into_layout(Layout::Interleaved)];
    prop_assert_eq!(&Batch::concat(&rest.each_ref()).unwrap(), batch);

    // What is written to a part stays in the part, and the other way round.
    let (mut written, mut whole) = (slice.clone(), batch.clone());
    let zeros = vec![B::ZERO; batch.limbs_per_instance()];
    for i in 0..written.instances() {
        written.set_instance(i, &zeros);
    }
    whole.limbs_mut().fill(B::ZERO);
    prop_assert_eq!(&batch.to_bigints(), values);
    prop_assert_eq!(slice.to_bigints(), &values[start..end]);
    prop_assert!(written.into_limbs().iter().chain(whole.limbs()).all(|&limb| limb == B::ZERO));
    prop_assert_eq!(slice.clone().into_limbs(), slice.limbs());

    let limbs: Vec<Vec<B>> = batch.iter().map(Cow::into_owned).collect();
    prop_assert_eq!(&limbs, &(0..n).map(|i| batch.instance(i)).collect::<Vec<_>>());
    let backwards: Vec<Vec<B>> = batch.into_iter().rev().map(Cow::into_owned).collect();
    prop_assert_eq!(backwards, limbs.iter().rev().cloned().collect::<Vec<_>>());
    prop_assert_eq!(batch.iter().nth(i).map(Cow::into_owned), limbs.get(i).cloned());
    prop_assert_eq!(batch.get(i).map(Cow::into_owned), limbs.get(i).cloned());

    if n > 0 {
        let indices: Vec<usize> = picks.iter().map(|pick| pick.index(n)).collect();
        let picked: Vec<BigInt> = indices.iter().map(|&i| values[i].clone()).collect();
        prop_assert_eq!(batch.take(&indices).unwrap(), of(&picked));
    }
    prop_assert_eq!(batch.take(&[n]), Err(BatchError::Index { index: n, instances: n }));

    let expected = Batch::from_bigints(other, layout, values);
    prop_assert_eq!(batch.resize(other), expected);
    let folded: Vec<BigInt> = values.iter().map(|value| wrapped(value, other)).collect();
    prop_assert_eq!(batch.wrapping_resize(other), Batch::from_bigints(other, layout, &folded));

    let words: Option<Vec<u64>> = values.iter().map(|value| value.try_into().ok()).collect();
    prop_assert_eq!(batch.to_u64s().ok(), words.clone());
    if let Some(words) = words {
        prop_assert_eq!(&Batch::from_u64s(ty, layout, &words).unwrap(), batch);
    }
    Ok(())
}

/// A range, indices to take, and another type.
fn choices() -> impl Strategy<Value = ([Index; 2], Vec<Index>, IntType)> {
    (any::<[Index; 2]>(), vec(any::<Index>(), 0..9), ty())
}

/// A word of any length.
fn word() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0..64_u32).prop_map(|(x, n)| x >> n)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn parts_u32(batch in batch::<u32>(), (ij, picks, other) in choices()) {
        parts(&batch, ij, &picks, other)?;
    }

    #[test]
    fn parts_u64(batch in batch::<u64>(), (ij, picks, other) in choices()) {
        parts(&batch, ij, &picks, other)?;
    }

    #[test]
    fn parts_u128(batch in batch::<u128>(), (ij, picks, other) in choices()) {
        parts(&batch, ij, &picks, other)?;
    }

    #[test]
    fn words_of_any_type(ty in ty(), layout in layout(), values in vec(word(), 0..9)) {
        let bigs: Vec<BigInt> = values.iter().map(|&value: &u64| value.into()).collect();
        prop_assert_eq!(Batch::<u32>::from_u64s(ty, layout, &values), Batch::from_bigints(ty, layout, &bigs));
        prop_assert_eq!(Batch::<u128>::from_u64s(ty, layout, &values), Batch::from_bigints(ty, layout, &bigs));
    }
}

/// Numbers come back from batches of both layouts, and are mapped in them.
fn values<T: FixedInt>(numbers: &[T], one_more: fn(T) -> T) {
    let batch: Batch<T::Limb> = numbers.iter().cloned().collect();
    assert_eq!((batch.ty(), batch.instances()), (T::TYPE, numbers.len()));
    for layout in [Layout::InstanceMajor, Layout::Interleaved] {
        let batch = batch.clone().into_layout(layout);
        assert_eq!(batch.values::<T>().unwrap().collect::<Vec<_>>(), numbers);
        let mapped = batch.map(one_more).unwrap();
        assert_eq!(mapped.layout(), layout);
        assert_eq!(mapped.values::<T>().unwrap().next(), numbers.first().cloned().map(one_more));
        assert_eq!(mapped.values::<T>().unwrap().next_back(), numbers.last().cloned().map(one_more));
    }
}

#[test]
fn numbers_from_and_to_batches() {
    values::<Uint<u32, U3>>(&[1_u64, 2, u64::MAX].map(Uint::from), |a| a + 1);
    values::<Int<u64, U2>>(&[1, -2, i64::MIN].map(Int::from), |a| a + 1);
    values::<U256>(&[], |a| a + 1);
    let batch: Batch<u64> = [U256::ONE, U256::MAX].iter().collect();
    assert!(
        batch.values::<Int<u64, U2>>().is_err_and(|error| {
            error.to_string() == "the batch holds u256, the fixed-width integer i128"
        })
    );
}

#[test]
fn batches_that_do_not_go_together() {
    let [u8s, u9s] = [8, 9].map(|bits| IntType::unsigned(bits).unwrap());
    let (a, b) = (
        Batch::<u64>::zeros(u8s, Layout::InstanceMajor, 2).unwrap(),
        Batch::zeros(u9s, Layout::InstanceMajor, 0).unwrap(),
    );
    assert_eq!(Batch::concat(&[&a, &a, &b]), Err(BatchError::Types { batch: 2, expected: u8s, found: u9s }));
    assert_eq!(Batch::<u64>::concat(&[]), Err(BatchError::Empty));
    let minus_one = Batch::<u32>::from_bigints(
        IntType::signed(8).unwrap(),
        Layout::InstanceMajor,
        &[1.into(), (-1).into()],
    )
    .unwrap();
    assert_eq!(
        minus_one.resize(u9s),
        Err(BatchError::Value { instance: 1, source: RangeError { ty: u9s, needed: 1 } })
    );
}

/// Beyond the last instance an interleaved index is that of another limb, which must not be given out.
#[test]
#[should_panic(expected = "the batch has this limb")]
fn an_interleaved_limb_past_the_last_instance_is_none() {
    let batch = Batch::<u64>::zeros(IntType::unsigned(128).unwrap(), Layout::Interleaved, 2).unwrap();
    let _ = batch.limb(2, 0);
}

#[test]
#[should_panic(expected = "the range lies within the batch")]
fn a_slice_past_the_last_instance_is_none() {
    let batch = Batch::<u64>::zeros(IntType::unsigned(128).unwrap(), Layout::InstanceMajor, 4).unwrap();
    let _ = batch.slice(0..2).slice(1..3);
}
