//! [`Int`] against num-bigint: every form says whether the exact result fits.

#![allow(clippy::missing_panics_doc, reason = "a suite panics on what it finds wrong")]

use core::ops::Add;

use limbforge_limb::generic_array::ArrayLength;
use limbforge_limb::typenum::Sum;
use limbforge_limb::{Base, DivisionByZero, Int, Uint};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{CheckedEuclid, Euclid, Num, One, Signed, Zero};
use proptest::prelude::*;

use crate::check::check;
use crate::operands::{integer, integer_pair};
use crate::oracle::{limbs, residue, signed_value};

/// Tests [`Int`] at one limb and length: `conformance_int!(u64, typenum::U7);`, or in a module,
/// `conformance_int!(name: u64, typenum::U7);`.
#[macro_export]
macro_rules! conformance_int {
    ($name:ident: $B:ty, $N:ty) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_int!($B, $N);
        }
    };
    ($B:ty, $N:ty) => {
        $crate::conformance!($crate::int, [$B, $N]:
            sums products wide_products ring divisions shifts signs order text conversions widths);
    };
}

fn number<B: Base, N: ArrayLength>() -> impl Strategy<Value = Int<B, N>> {
    integer(N::USIZE).prop_map(|limbs| from_slice(&limbs))
}

fn pair<B: Base, N: ArrayLength>() -> impl Strategy<Value = (Int<B, N>, Int<B, N>)> {
    integer_pair(N::USIZE).prop_map(|(a, b)| (from_slice(&a), from_slice(&b)))
}

fn from_slice<B: Base, N: ArrayLength>(limbs: &[B]) -> Int<B, N> {
    let mut number = Int::zero();
    number.as_limbs_mut().copy_from_slice(limbs);
    number
}

fn big<B: Base, N: ArrayLength>(number: &Int<B, N>) -> BigInt {
    signed_value(number.as_limbs(), Int::<B, N>::BITS)
}

/// The value mod `2^BITS` as a number, by the definition of its limbs.
fn reduced<B: Base, N: ArrayLength>(value: &BigInt) -> Int<B, N> {
    from_slice(&limbs(&residue(value, Int::<B, N>::BITS), N::USIZE))
}

/// The four forms of an operation, given its exact result.
fn forms<B: Base, N: ArrayLength>(
    exact: &BigInt,
    overflowing: &(Int<B, N>, bool),
    checked: Option<Int<B, N>>,
    saturating: Option<Int<B, N>>,
) -> Result<(), TestCaseError> {
    let wrapped: Int<B, N> = reduced(exact);
    let fits = big(&wrapped) == *exact;
    prop_assert_eq!(overflowing, &(wrapped.clone(), !fits));
    prop_assert_eq!(checked, fits.then(|| wrapped.clone()));
    if let Some(saturating) = saturating {
        let limit = if exact.is_negative() { Int::min_value() } else { Int::max_value() };
        prop_assert_eq!(saturating, if fits { wrapped } else { limit });
    }
    Ok(())
}

/// Sums, differences and negation in every form.
pub fn sums<B: Base, N: ArrayLength>() {
    check(pair::<B, N>(), |(a, b)| {
        let (big_a, big_b) = (big(&a), big(&b));
        prop_assert_eq!((&a + &b, &a - &b), (reduced(&(&big_a + &big_b)), reduced(&(&big_a - &big_b))));
        prop_assert_eq!(-&a, reduced(&-&big_a));
        forms(&(&big_a + &big_b), &a.overflowing_add(&b), a.checked_add(&b), Some(a.saturating_add(&b)))?;
        forms(&(&big_a - &big_b), &a.overflowing_sub(&b), a.checked_sub(&b), Some(a.saturating_sub(&b)))?;
        forms(&-big_a, &a.overflowing_neg(), a.checked_neg(), None)
    });
}

/// Products in every form.
pub fn products<B: Base, N: ArrayLength>() {
    check((pair::<B, N>(), 0..Int::<B, N>::BITS), |((a, b), shift)| {
        for b in [&b >> shift, b] {
            let product = big(&a) * big(&b);
            prop_assert_eq!(&a * &b, reduced(&product));
            forms(&product, &a.overflowing_mul(&b), a.checked_mul(&b), Some(a.saturating_mul(&b)))?;
            let (low, high) = a.widening_mul(&b);
            prop_assert_eq!(low.cast_signed(), reduced(&product));
            prop_assert_eq!(big(&high), product >> Int::<B, N>::BITS);
            prop_assert_eq!(a.mul_high(&b), high);
        }
        Ok(())
    });
}

/// The products that have room.
pub fn wide_products<B: Base, N: ArrayLength + Add<N, Output: ArrayLength>>() {
    check(pair::<B, N>(), |(a, b)| {
        let wide: Int<B, Sum<N, N>> = a.wide_mul(&b);
        prop_assert_eq!(big(&wide), big(&a) * big(&b));
        prop_assert_eq!(a.wide_square(), a.wide_mul(&a));
        prop_assert_eq!(wide.resize::<N>(), a * b);
        Ok(())
    });
}

/// Distributivity and what subtraction means; the rest is the ring of [`Uint`].
pub fn ring<B: Base, N: ArrayLength>() {
    check((pair::<B, N>(), number::<B, N>()), |((a, b), c)| {
        prop_assert_eq!(&a * (&b - &c), &a * &b - &a * &c);
        prop_assert_eq!(-(&a * &b), (-&a) * &b);
        prop_assert_eq!((&a + &b).cast_unsigned(), a.clone().cast_unsigned() + b.clone().cast_unsigned());
        prop_assert_eq!((&a * &b).cast_unsigned(), a.cast_unsigned() * b.cast_unsigned());
        Ok(())
    });
}

/// Quotients rounded towards zero and down, remainders with their signs.
pub fn divisions<B: Base, N: ArrayLength>() {
    check((pair::<B, N>(), 0..Int::<B, N>::BITS), |((u, v), shift)| {
        for v in [&v >> shift, v, -Int::one(), Int::zero()] {
            if v.is_zero() {
                prop_assert_eq!(u.div_rem(&v), Err(DivisionByZero));
                prop_assert_eq!((u.checked_div(&v), u.checked_div_rem_euclid(&v)), (None, None));
                continue;
            }
            let (quotient, remainder) = (big(&u) / big(&v), big(&u) % big(&v));
            let fits = big(&reduced::<B, N>(&quotient)) == quotient;
            prop_assert_eq!((&u / &v, &u % &v), (reduced(&quotient), reduced(&remainder)));
            prop_assert_eq!(u.checked_div(&v), fits.then(|| reduced(&quotient)));
            prop_assert_eq!(u.checked_rem(&v), fits.then(|| reduced(&remainder)));
            prop_assert_eq!(&u / &v * &v + &u % &v, u.clone());

            let (quotient, remainder) = big(&u).div_rem_euclid(&big(&v));
            prop_assert_eq!((u.div_euclid(&v), u.rem_euclid(&v)), (reduced(&quotient), reduced(&remainder)));
            let floor = big(&u).div_mod_floor(&big(&v));
            prop_assert_eq!(u.div_rem_floor(&v), Ok((reduced(&floor.0), reduced(&floor.1))));
            prop_assert_eq!(u.checked_div_euclid(&v), fits.then(|| reduced(&quotient)));
        }
        Ok(())
    });
}

/// Shifts below, at and beyond the width; to the right they round down.
pub fn shifts<B: Base, N: ArrayLength>() {
    let bits = Int::<B, N>::BITS;
    check((number::<B, N>(), 0..2 * bits), |(a, n)| {
        let (left, right) = (reduced(&(big(&a) << n)), reduced(&(big(&a) >> n)));
        prop_assert_eq!((&a << n, &a >> n), (left.clone(), right.clone()));
        prop_assert_eq!(a.checked_shl(n), (n < bits).then_some(left));
        prop_assert_eq!(a.checked_shr(n), (n < bits).then_some(right));
        prop_assert_eq!(a.wrapping_shr(n), &a >> (n % bits));
        let unsigned = a.clone().cast_unsigned();
        prop_assert_eq!(a.rotate_left(n).cast_unsigned(), unsigned.rotate_left(n));
        prop_assert_eq!(a.rotate_right(n).cast_unsigned(), unsigned.rotate_right(n));
        prop_assert_eq!(
            (a.leading_ones(), a.trailing_ones()),
            (unsigned.leading_ones(), unsigned.trailing_ones())
        );
        Ok(())
    });
}

/// Signs and absolute values.
pub fn signs<B: Base, N: ArrayLength>() {
    check(pair::<B, N>(), |(a, b)| {
        let expected = big(&a);
        prop_assert_eq!((a.is_negative(), a.is_positive()), (expected.is_negative(), expected.is_positive()));
        prop_assert_eq!(big(&a.signum()), expected.signum());
        prop_assert_eq!(a.unsigned_abs(), Uint::try_from(expected.magnitude()).unwrap_or_default());
        prop_assert_eq!(a.abs(), reduced(&expected.abs()));
        prop_assert_eq!(a.checked_abs().is_none(), a == Int::min_value());
        let distance = if a <= b { BigInt::zero() } else { expected - big(&b) };
        prop_assert_eq!(a.abs_sub(&b), reduced(&distance));
        Ok(())
    });
}

/// The numeric order.
pub fn order<B: Base, N: ArrayLength>() {
    check(pair::<B, N>(), |(a, b)| {
        prop_assert_eq!(a.cmp(&b), big(&a).cmp(&big(&b)));
        prop_assert!(Int::min_value() <= a && a <= Int::max_value());
        Ok(())
    });
    let limit = BigInt::one() << (Int::<B, N>::BITS - 1);
    assert_eq!((big(&Int::<B, N>::min_value()), big(&Int::<B, N>::max_value())), (-&limit, limit - 1));
}

/// Text with signs, and back; one past either end does not fit.
pub fn text<B: Base, N: ArrayLength>() {
    check((number::<B, N>(), 2..=36_u32), |(a, radix)| {
        let expected = big(&a);
        let sign = if a.is_negative() { "-" } else { "" };
        prop_assert_eq!(a.to_string(), expected.to_string());
        prop_assert_eq!(format!("{a:+} {a:>90}"), format!("{expected:+} {expected:>90}"));
        prop_assert_eq!(format!("{a:x} {a:b}"), {
            let a = a.clone().cast_unsigned();
            format!("{a:x} {a:b}")
        });
        let hex = format!("{sign}{:#x}", expected.magnitude());
        prop_assert_eq!(format!("{a:?}"), format!("Int({hex})"));
        prop_assert_eq!((a.to_string().parse(), hex.parse()), (Ok(a.clone()), Ok(a.clone())));
        prop_assert_eq!(Num::from_str_radix(&expected.to_str_radix(radix), radix), Ok(a));
        Ok(())
    });
    let (min, max) = (Int::<B, N>::min_value(), Int::<B, N>::max_value());
    for beyond in [big(&min) - BigInt::one(), big(&max) + BigInt::one()] {
        assert!(beyond.to_string().parse::<Int<B, N>>().is_err());
    }
}

/// num-bigint, bytes and the language's integers.
pub fn conversions<B: Base, N: ArrayLength>() {
    check((number::<B, N>(), 0..4_usize, any::<i32>(), any::<u128>()), |(a, more, small, large)| {
        let expected = big(&a);
        prop_assert_eq!(BigInt::from(&a), expected.clone());
        prop_assert_eq!(Int::try_from(&expected), Ok(a.clone()));
        let beyond = if a.is_negative() { Int::<B, N>::min_value() } else { Int::max_value() };
        prop_assert!(a.is_zero() || Int::<B, N>::try_from(big(&beyond) + &expected).is_err());

        let mut bytes = a.to_le_bytes();
        bytes.resize(bytes.len() + more, if a.is_negative() { 0xff } else { 0 });
        prop_assert_eq!(Int::from_le_bytes(&bytes), Ok(a.clone()));
        prop_assert_eq!(Int::from_be_bytes(&a.to_be_bytes()), Ok(a.clone()));
        let shortest = Int::<B, N>::from_le_bytes(&expected.to_signed_bytes_le());
        prop_assert_eq!(shortest, Ok(a.clone()));

        prop_assert_eq!(i64::try_from(&a).ok(), i64::try_from(&expected).ok());
        prop_assert_eq!(i128::try_from(&a).ok(), i128::try_from(&expected).ok());
        prop_assert_eq!(u128::try_from(&a).ok(), u128::try_from(&expected).ok());
        prop_assert_eq!(big(&Int::<B, N>::from(small)), BigInt::from(small));
        prop_assert_eq!(Int::<B, N>::from_primitive(large).ok(), Int::try_from(BigInt::from(large)).ok());
        prop_assert_eq!(
            Int::<B, N>::from_primitive(large as i128).ok(),
            Int::try_from(BigInt::from(large as i128)).ok()
        );
        Ok(())
    });
}

/// Other lengths and the other signedness.
pub fn widths<B: Base, N: ArrayLength + Add<N, Output: ArrayLength>>() {
    check((number::<B, N>(), number::<B, Sum<N, N>>()), |(a, wide)| {
        prop_assert_eq!(big(&a.resize::<Sum<N, N>>()), big(&a));
        prop_assert_eq!(wide.resize::<N>(), reduced(&big(&wide)));
        let fits = big(&wide.resize::<N>()) == big(&wide);
        prop_assert_eq!(Int::try_from(&wide).ok(), fits.then(|| wide.resize::<N>()));
        prop_assert_eq!(Int::try_from(&a), Ok(a.resize::<Sum<N, N>>()));
        prop_assert_eq!(Uint::<B, N>::try_from(&a).is_ok(), !a.is_negative());
        prop_assert_eq!(
            Int::try_from(&a.clone().cast_unsigned()).ok(),
            (!a.is_negative()).then(|| a.clone())
        );
        Ok(())
    });
}
