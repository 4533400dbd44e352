//! `Int` at every limb, at lengths from one limb up: against num-bigint, and at 128 bits against `i128`.

use limbforge_limb::generic_array::ArrayLength;
use limbforge_limb::typenum::{U1, U2, U3, U4, U5, U8, U17};
use limbforge_limb::{Base, I256, Int};
use limbforge_testing::check::check;
use limbforge_testing::conformance_int;
use num_traits::Euclid;
use proptest::prelude::*;

conformance_int!(u32_2: u32, U2);
conformance_int!(u32_3: u32, U3);
conformance_int!(u32_17: u32, U17);
conformance_int!(u64_1: u64, U1);
conformance_int!(u64_5: u64, U5);
conformance_int!(u64_8: u64, U8);
conformance_int!(u128_1: u128, U1);
conformance_int!(u128_2: u128, U2);
conformance_int!(u128_3: u128, U3);

/// Everything that `i128` can, as `i128` does it.
fn as_std<B: Base, N: ArrayLength>() {
    let new = |value: i128| Int::<B, N>::from(value);
    let edge = || prop_oneof![any::<i128>(), (0..128_u32).prop_map(|k| -1 << k), Just(i128::MAX), -3..4_i128];
    check((edge(), edge(), any::<u32>()), move |(a, b, n)| {
        let (x, y) = (new(a), new(b));
        let back = |number: Int<B, N>| i128::try_from(number).unwrap();
        prop_assert_eq!(back(&x + &y), a.wrapping_add(b));
        prop_assert_eq!(back(&x * &y), a.wrapping_mul(b));
        prop_assert_eq!(x.checked_sub(&y).map(back), a.checked_sub(b));
        prop_assert_eq!(x.checked_mul(&y).map(back), a.checked_mul(b));
        prop_assert_eq!(x.checked_div(&y).map(back), a.checked_div(b));
        prop_assert_eq!(x.checked_rem(&y).map(back), a.checked_rem(b));
        if b != 0 {
            prop_assert_eq!(back(&x / &y), a.wrapping_div(b));
            prop_assert_eq!(back(&x % &y), a.wrapping_rem(b));
            prop_assert_eq!(back(x.rem_euclid(&y)), a.wrapping_rem_euclid(b));
            prop_assert_eq!(back(x.div_euclid(&y)), a.wrapping_div_euclid(b));
        }
        prop_assert_eq!(back(x.saturating_mul(&y)), a.saturating_mul(b));
        prop_assert_eq!(back(&x >> (n % 200)), a.unbounded_shr(n % 200));
        prop_assert_eq!(x.clone().wrapping_abs(), new(a.wrapping_abs()));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(format!("{x} {x:#x} {x:+} {x:<50}|"), format!("{a} {a:#x} {a:+} {a:<50}|"));
        prop_assert_eq!(x.to_be_bytes(), a.to_be_bytes());
        Ok(())
    });
}

#[test]
fn as_std_i128() {
    as_std::<u32, U4>();
    as_std::<u64, U2>();
    as_std::<u128, U1>();
}

#[test]
fn ends_of_the_range() {
    let (min, max) = (I256::min_value(), I256::max_value());
    assert_eq!((min - I256::one(), min / -I256::one(), min % -I256::one()), (max, min, I256::zero()));
    assert_eq!(I256::try_from(&min.cast_unsigned()).unwrap_err().needed, 257);
    assert_eq!(i8::try_from(I256::from(-129)).unwrap_err().needed, 9);
    assert_eq!(u8::try_from(I256::from(-1)).unwrap_err().needed, 1);
    assert_eq!(Int::<u32, U2>::from(-5) >> 1, -3);
}
