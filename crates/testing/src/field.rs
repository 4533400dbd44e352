//! [`PrimeField`] and [`TwoAdicField`] against num-bigint and `%`, and the algebra that they must obey.

#![allow(clippy::missing_panics_doc, reason = "a suite panics on what it finds wrong")]

use limbforge_field::word::Base;
use limbforge_field::{PrimeField, TwoAdicField};
use num_bigint::BigUint;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::check::check;

pub mod dynamic;
pub mod forms;
pub mod lazy;
pub mod roots;

/// Tests a prime field: `conformance_field!(BabyBear);`. With a name in front, `conformance_field!(name:
/// BabyBear);`, the tests go into a module of that name.
#[macro_export]
macro_rules! conformance_field {
    ($name:ident: $F:ty) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_field!($F);
        }
    };
    ($F:ty) => {
        $crate::conformance!($crate::field, [$F]: sums products ring powers inverses batches);
        $crate::conformance!($crate::field::roots, [$F]: constants orders squares);
        $crate::conformance!($crate::field::forms, [$F]: integers text order traits);
        $crate::conformance!($crate::field::lazy, [$F]: reductions constants_times);
        $crate::conformance!($crate::field::dynamic, [$F]: same_as_run_time);
    };
}

/// A residue modulo p: uniform, or at one of the places where reductions are decided.
pub fn residue(p: u64) -> impl Strategy<Value = u64> {
    let edges = [0, 1, 2 % p, p / 2, p / 2 + 1, p - 2, p - 1];
    prop_oneof![
        4 => any::<u64>().prop_map(move |word| word % p),
        3 => proptest::sample::select(edges.to_vec()),
        1 => (0..64_u32, 0..3_u64).prop_map(move |(bit, delta)| ((1 << bit) + delta).saturating_sub(1) % p),
    ]
}

/// Runs a property on residues modulo p. It is not generic, so that proptest is compiled once and not for
/// every field.
pub(crate) fn check_residues(p: u64, property: &dyn Fn([u64; 3]) -> TestCaseResult) {
    check([residue(p), residue(p), residue(p)], property);
}

/// Runs a property on elements, by their values and by their raw forms.
pub(crate) fn check_field<F: PrimeField>(property: impl Fn([F; 3]) -> TestCaseResult) {
    check_residues(F::MODULUS, &|values| {
        property(values.map(F::from))?;
        property(values.map(|raw| F::from_raw(Base::from_word(raw))))
    });
}

/// The value of an element.
pub(crate) fn value<F: PrimeField>(element: F) -> u64 {
    element.value().low_word()
}

/// `a * b mod p` by `%`.
pub(crate) fn times(a: u64, b: u64, p: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(p)) as u64
}

/// `a + b mod p` by `%`.
pub(crate) fn plus(a: u64, b: u64, p: u64) -> u64 {
    ((u128::from(a) + u128::from(b)) % u128::from(p)) as u64
}

/// Sums, differences, negatives, doubles and halves.
pub fn sums<F: PrimeField>() {
    let p = F::MODULUS;
    check_field::<F>(|[a, b, _]| {
        let (a_value, b_value) = (value(a), value(b));
        prop_assert!(a_value < p && a.raw().low_word() < p);
        prop_assert_eq!(value(a + b), plus(a_value, b_value, p));
        prop_assert_eq!(value(a - b), plus(a_value, p - b_value, p));
        prop_assert_eq!(value(-a), (p - a_value) % p);
        prop_assert_eq!(value(a.double()), plus(a_value, a_value, p));
        prop_assert_eq!(a.halve().double(), a);
        prop_assert_eq!([a, b, a].iter().sum::<F>(), a.double() + b);
        prop_assert_eq!([a, b, a].into_iter().sum::<F>(), a.double() + b);
        Ok(())
    });
}

/// Products, squares, quotients.
pub fn products<F: PrimeField>() {
    let p = F::MODULUS;
    check_field::<F>(|[a, b, _]| {
        prop_assert_eq!(value(a * b), times(value(a), value(b), p));
        prop_assert_eq!(value(a.square()), times(value(a), value(a), p));
        prop_assert_eq!([a, b, a].iter().product::<F>(), a.square() * b);
        prop_assert_eq!([a, b, a].into_iter().product::<F>(), a.square() * b);
        if b != F::ZERO {
            prop_assert_eq!(a / b * b, a);
        }
        Ok(())
    });
}

/// The elements are a commutative ring, by value, by reference and in place.
#[allow(clippy::eq_op, clippy::op_ref, reason = "that is what is tested")]
pub fn ring<F: PrimeField>() {
    check_field::<F>(|[a, b, c]| {
        prop_assert_eq!((a + b) + c, a + (b + c));
        prop_assert_eq!((a * b) * c, a * (b * c));
        prop_assert_eq!((a + b, a * b), (b + a, b * a));
        prop_assert_eq!(a * (b + c), a * b + a * c);
        prop_assert_eq!((a + F::ZERO, a * F::ONE, a * F::ZERO), (a, a, F::ZERO));
        prop_assert_eq!((a - a, a + -a, a - b), (F::ZERO, F::ZERO, -(b - a)));
        prop_assert_eq!((a + &b, a - &b, a * &b), (a + b, a - b, a * b));
        let mut result = a;
        result += b;
        result -= &c;
        result *= a;
        result += &c;
        result *= &b;
        result -= a;
        prop_assert_eq!(result, ((a + b - c) * a + c) * b - a);
        if b != F::ZERO {
            prop_assert_eq!(a / &b, a / b);
            let (mut by_value, mut by_reference) = (a, a);
            by_value /= b;
            by_reference /= &b;
            prop_assert_eq!((by_value, by_reference), (a / b, a / b));
        }
        Ok(())
    });
}

/// Powers by any 64-bit exponent.
pub fn powers<F: PrimeField>() {
    let p = F::MODULUS;
    check_residues(p, &|[a, exponent, _]| {
        let exponents = [0, 1, 2, exponent, p - 1, u64::MAX - exponent];
        for exponent in exponents {
            let expected = BigUint::from(a).modpow(&exponent.into(), &p.into());
            prop_assert_eq!(BigUint::from(value(F::from(a).pow(exponent))), expected, "{}^{}", a, exponent);
        }
        Ok(())
    });
}

/// Inverses, of which 0 has none.
pub fn inverses<F: PrimeField>() {
    let p = F::MODULUS;
    assert_eq!((F::ZERO.inverse(), F::ONE.inverse()), (None, Some(F::ONE)));
    check_residues(p, &|[a, ..]| {
        let expected = BigUint::from(a).modinv(&p.into());
        prop_assert_eq!(F::from(a).inverse().map(|inverse| value(inverse).into()), expected);
        Ok(())
    });
}

/// Batches of inverses, with zeros among them and of every small length.
pub fn batches<F: PrimeField>() {
    let batch = proptest::collection::vec(residue(F::MODULUS), 0..20).boxed();
    let property: &dyn Fn(Vec<u64>) -> TestCaseResult = &|values| {
        let elements: Vec<F> = values.into_iter().map(F::from).collect();
        let expected: Vec<F> = elements.iter().map(|a| a.inverse().unwrap_or(F::ZERO)).collect();
        let mut inverses = elements;
        F::batch_inverse(&mut inverses);
        prop_assert_eq!(inverses, expected);
        Ok(())
    };
    check(batch, property);
}

/// The root of a field as a number.
pub(crate) fn root<F: TwoAdicField>() -> u64 {
    value(F::root())
}
