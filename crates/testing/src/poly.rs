//! Polynomials over a prime field: against schoolbook code on residues, and the laws they obey.

#![allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a suite panics on what it finds wrong")]

use limbforge_algos::poly::{Poly, PolyError, PolyRing};
use limbforge_algos::transform::context::Context;
use limbforge_field::{DynField, TwoAdicField};
use num_traits::{One, Zero};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::check::check;
use crate::field::residue;

pub mod optimised;
pub mod schoolbook;

use self::optimised::Optimised;

/// Tests the polynomials over a prime field: `conformance_poly!(BabyBear);`. With a name in front,
/// `conformance_poly!(name: BabyBear);`, the tests go into a module of that name.
#[macro_export]
macro_rules! conformance_poly {
    ($name:ident: $F:ty) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_poly!($F);
        }
    };
    ($F:ty) => {
        $crate::conformance!($crate::poly, [$F]: products quotients divisors cofactors laws values integers);
    };
}

/// Coefficients of up to `len` terms, also with zeros at the end: dense ones, ones with few terms, whose
/// degrees drop by more than one, all p - 1, and 0.
pub fn coefficients(p: u64, len: usize) -> BoxedStrategy<Vec<u64>> {
    let sparse = vec(prop_oneof![5 => Just(0), 1 => residue(p)], 0..=len);
    prop_oneof![
        5 => vec(residue(p), 0..=len),
        3 => sparse,
        1 => (0..=len).prop_map(move |len| vec![p - 1; len]),
        1 => (0..=len).prop_map(|len| vec![0; len]),
    ]
    .boxed()
}

/// Runs a property on three polynomials with coefficients as residues. It is not generic, so that proptest is
/// compiled once and not for every field.
fn check_three(p: u64, property: &dyn Fn([Vec<u64>; 3]) -> TestCaseResult) {
    let (long, short) = (coefficients(p, 20), coefficients(p, 8));
    check([long, coefficients(p, 14), short], property);
}

/// The ring with its field as a value.
fn run_time<F: TwoAdicField>() -> PolyRing<DynField> {
    PolyRing::new(DynField::new(F::MODULUS).expect("a field's modulus is prime"))
}

/// Every rung of the product.
pub fn products<F: TwoAdicField>() {
    let ring = run_time::<F>();
    check_three(F::MODULUS, &|[a, b, _]| {
        let expected = schoolbook::product(&a, &b, F::MODULUS);
        let [x, y] = [&a, &b].map(|a| Poly::<F>::from_integers(a));
        prop_assert_eq!((&x * &y).to_integers(), &expected[..]);
        // Untrimmed, and known at run time.
        let [u, v] = [&a, &b].map(|a| a.iter().map(|&x| ring.field().element(x)).collect::<Vec<_>>());
        let rungs = [ring.mul(&u, &v), ring.mul_schoolbook(&u, &v), ring.mul_by_integers(&u, &v)];
        let by_transform = ring.mul_by_transform(&u, &v);
        prop_assert!(by_transform.is_some() || a.len() + b.len() > 1 << F::ADICITY);
        for product in rungs.iter().chain(&by_transform) {
            prop_assert_eq!(ring.to_integers(product), &expected[..]);
        }
        Ok(())
    });
}

/// Every rung of the division.
pub fn quotients<F: TwoAdicField>() {
    let ring = run_time::<F>();
    check_three(F::MODULUS, &|[a, c, b]| {
        // A dividend with a quotient of many zeros, or the first one.
        for a in [&a, &schoolbook::product(&c, &b, F::MODULUS)] {
            let [x, y] = [a, &b].map(|a| Poly::<F>::from_integers(a));
            let found = x.div_rem(&y).map(|(q, r)| (q.to_integers(), r.to_integers()));
            let expected = schoolbook::div_rem(a, &b, F::MODULUS).ok_or(PolyError::ZeroDivisor);
            prop_assert_eq!(&found, &expected);
            let [u, v] = [a, &b].map(|a| ring.from_integers(a));
            let rungs = [
                ring.div_rem_naive(&u, &v),
                ring.div_rem_newton(&u, &v),
                Optimised::new(&ring, 1).div_rem(&u, &v),
                Optimised::new(&ring, 3).div_rem(&u, &v),
                Optimised::new(&ring, 4).div_rem(&u, &v),
                Optimised::new(&ring, 50).div_rem(&u, &v),
            ];
            for rung in rungs {
                let found = rung.map(|(q, r)| (ring.to_integers(&q), ring.to_integers(&r)));
                prop_assert_eq!(&found, &expected);
            }
        }
        Ok(())
    });
}

/// Every rung of the greatest common divisor, with a known common factor and without.
pub fn divisors<F: TwoAdicField>() {
    let ring = run_time::<F>();
    check_three(F::MODULUS, &|[a, b, common]| {
        let times = |a: &[u64]| schoolbook::product(a, &common, F::MODULUS);
        for (a, b) in [(a.clone(), b.clone()), (times(&a), times(&b)), (times(&b), a)] {
            let expected = schoolbook::gcd(&a, &b, F::MODULUS);
            let [x, y] = [&a, &b].map(|a| Poly::<F>::from_integers(a));
            prop_assert_eq!(x.gcd(&y).to_integers(), &expected[..]);
            prop_assert_eq!(y.gcd(&x), x.gcd(&y));
            let [u, v] = [&a, &b].map(|a| ring.from_integers(a));
            let mut rungs = vec![ring.gcd(&u, &v)];
            rungs.extend([0, 1, 2, 3, 7, 64].map(|s| Optimised::new(&ring, s).gcd(&u, &v)));
            for found in rungs {
                prop_assert_eq!(ring.to_integers(&found), &expected[..]);
            }
        }
        Ok(())
    });
}

/// s a + t b = g, with cofactors of the least degree.
pub fn cofactors<F: TwoAdicField>() {
    check_three(F::MODULUS, &|[a, b, common]| {
        let [a, b, common] = [a, b, common].map(|a| Poly::<F>::from_integers(&a));
        for (a, b) in [(&a * &common, &b * &common), (a, b)] {
            let Ok((g, s, t)) = a.xgcd(&b) else {
                prop_assert!(a.is_zero() && b.is_zero());
                prop_assert_eq!(a.xgcd(&b), Err(PolyError::BothZero));
                continue;
            };
            prop_assert_eq!(&s * &a + &t * &b, g.clone());
            prop_assert_eq!(&g, &a.gcd(&b));
            let degree = |a: &Poly<F>| a.degree().map_or(-1, |degree| degree as i64);
            // Where neither is 0 or divides the other.
            if degree(&g) < degree(&a).min(degree(&b)) {
                prop_assert!(degree(&s) < degree(&b) - degree(&g) && degree(&t) < degree(&a) - degree(&g));
            }
        }
        Ok(())
    });
}

/// The ring's laws, a = q b + r, and derivatives of products.
pub fn laws<F: TwoAdicField>() {
    check_three(F::MODULUS, &|[a, b, c]| {
        let [a, b, c] = [a, b, c].map(|a| Poly::<F>::from_integers(&a));
        prop_assert_eq!(&a * &(&b + &c), &a * &b + &a * &c);
        prop_assert_eq!(&a - &b, &a + &-&b);
        prop_assert_eq!((&a + &Poly::zero(), &a * &Poly::one()), (a.clone(), a.clone()));
        prop_assert_eq!((&a * &b).derivative(), &a.derivative() * &b + &a * &b.derivative());
        if let Ok((quotient, remainder)) = a.div_rem(&c) {
            prop_assert_eq!(&quotient * &c + remainder.clone(), a.clone());
            prop_assert!(remainder.is_zero() || remainder.degree() < c.degree());
        }
        prop_assert_eq!(a.monic().coefficients().last().copied(), a.degree().map(|_| F::ONE));
        Ok(())
    });
}

/// Values are those of the definition, and determine the polynomial.
pub fn values<F: TwoAdicField>() {
    let p = F::MODULUS;
    check_three(p, &|[a, points, _]| {
        let poly = Poly::<F>::from_integers(&a);
        let mut different = points.clone();
        different.sort_unstable();
        different.dedup();
        let points: Vec<F> = points.into_iter().map(F::from).collect();
        for &point in &points {
            let terms = a.iter().zip(0..).map(|(&x, i)| F::from(x) * point.pow(i));
            prop_assert_eq!(poly.evaluate(point), terms.sum::<F>());
        }
        let at = |points: &[F]| points.iter().map(|&point| poly.evaluate(point)).collect::<Vec<F>>();
        let found = Poly::interpolate(&points, &at(&points));
        if different.len() < points.len() {
            let Err(PolyError::RepeatedPoint { first, second }) = found else { panic!("{found:?}") };
            prop_assert!(first < second && points[first] == points[second]);
        }
        let points: Vec<F> = different.into_iter().map(F::from).collect();
        let found = Poly::interpolate(&points, &at(&points));
        let product = points.iter().fold(Poly::one(), |product, &x| product * Poly::new(vec![-x, F::ONE]));
        prop_assert_eq!(found, poly.div_rem(&product).map(|(_, remainder)| remainder));
        Ok(())
    });
    let refused = Poly::interpolate(&[F::ONE], &[F::ONE, F::ONE]);
    assert_eq!(refused, Err(PolyError::Values { points: 1, values: 2 }));
}

/// To one integer and back.
pub fn integers<F: TwoAdicField>() {
    let p = F::MODULUS;
    let least = (p - 1).ilog2() + 1;
    check_three(p, &|[a, b, _]| {
        let [a, b] = [a, b].map(|a| Poly::<F>::from_integers(&a));
        for bits in [least, least + 1, 64, 149] {
            let integer = a.to_integer(bits).expect("wide enough");
            prop_assert_eq!(Poly::from_integer(&integer, bits), Ok(a.clone()));
            let by_horner = a
                .to_integers()
                .into_iter()
                .rev()
                .fold(num_bigint::BigUint::zero(), |sum, x| (sum << bits) + x);
            prop_assert_eq!(integer, by_horner);
        }
        // Kronecker: 2 * 64 bits and the number of terms.
        let product = a.to_integer(140).expect("wide") * b.to_integer(140).expect("wide");
        prop_assert_eq!(Poly::from_integer(&product, 140), Ok(&a * &b));
        Ok(())
    });
    let error = Poly::<F>::zero().to_integer(least - 1);
    assert_eq!(error, Err(PolyError::NarrowDigits { bits: least - 1, least, modulus: p }));
}
