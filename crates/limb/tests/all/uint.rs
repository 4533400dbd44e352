//! `Uint` at every limb, at lengths from one limb up: against num-bigint, and at 128 bits against `u128`.

use limbforge_limb::generic_array::ArrayLength;
use limbforge_limb::typenum::{U1, U2, U3, U4, U5, U8, U17};
use limbforge_limb::{Base, IntType, U256, Uint, UintM};
use limbforge_testing::check::check;
use limbforge_testing::conformance_uint;
use proptest::prelude::*;

conformance_uint!(u32_1: u32, U1);
conformance_uint!(u32_2: u32, U2);
conformance_uint!(u32_17: u32, U17);
conformance_uint!(u64_1: u64, U1);
conformance_uint!(u64_3: u64, U3);
conformance_uint!(u64_8: u64, U8);
conformance_uint!(u128_1: u128, U1);
conformance_uint!(u128_2: u128, U2);
conformance_uint!(u128_5: u128, U5);

/// Everything that `u128` can, as `u128` does it.
fn as_std<B: Base, N: ArrayLength>() {
    let new = |value: u128| Uint::<B, N>::from(value);
    let edge = || {
        prop_oneof![
            any::<u128>(),
            (0..128_u32).prop_map(|k| 1 << k),
            Just(u128::MAX),
            any::<u32>().prop_map(u128::from)
        ]
    };
    check((edge(), edge(), any::<u32>()), move |(a, b, n)| {
        let (x, y) = (new(a), new(b));
        let back = |number: Uint<B, N>| u128::try_from(number).unwrap();
        prop_assert_eq!(back(&x + &y), a.wrapping_add(b));
        prop_assert_eq!(back(&x - &y), a.wrapping_sub(b));
        prop_assert_eq!(back(&x * &y), a.wrapping_mul(b));
        prop_assert_eq!(x.checked_add(&y).map(back), a.checked_add(b));
        prop_assert_eq!(x.checked_mul(&y).map(back), a.checked_mul(b));
        prop_assert_eq!(x.checked_div(&y).map(back), a.checked_div(b));
        prop_assert_eq!(x.checked_rem(&y).map(back), a.checked_rem(b));
        prop_assert_eq!(back(x.saturating_sub(&y)), a.saturating_sub(b));
        prop_assert_eq!(x.checked_shl(n % 150).map(back), a.checked_shl(n % 150));
        prop_assert_eq!(back(x.wrapping_shr(n)), a.wrapping_shr(n));
        prop_assert_eq!(back(&x << (n % 200)), a.unbounded_shl(n % 200));
        prop_assert_eq!(
            (x.leading_zeros(), x.trailing_zeros(), x.count_ones()),
            (a.leading_zeros(), a.trailing_zeros(), a.count_ones())
        );
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(format!("{x} {x:#x} {x:040o} {x:<50}|"), format!("{a} {a:#x} {a:040o} {a:<50}|"));
        prop_assert_eq!(x.to_be_bytes(), a.to_be_bytes());
        Ok(())
    });
}

#[test]
fn as_std_u128() {
    as_std::<u32, U4>();
    as_std::<u64, U2>();
    as_std::<u128, U1>();
}

#[test]
fn small_numbers_and_names() {
    let seven = UintM::<u32, 7>::from(7_u16);
    assert_eq!(seven, Uint::from_limbs([7, 0, 0, 0, 0, 0, 0]));
    assert_eq!((UintM::<u32, 7>::LIMBS, UintM::<u32, 7>::TYPE), (7, IntType::unsigned(224).unwrap()));
    assert_eq!(
        U256::try_from(-1_i32).unwrap_err().to_string(),
        "the number does not fit u256: it is negative; expected 0 to 2^256 - 1"
    );
    assert_eq!(u8::try_from(U256::from(300_u16)).unwrap_err().needed, 9);
    assert!(!std::mem::needs_drop::<U256>());
    let copied = seven;
    assert_eq!(copied << 3 >> 2, seven + seven);
}

#[test]
#[should_panic(expected = "division by zero")]
fn dividing_by_zero_panics_as_std_does() {
    let _ = U256::one() / U256::zero();
}
