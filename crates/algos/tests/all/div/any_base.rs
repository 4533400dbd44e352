//! The method in bases that limbs have not, with all operands of a few digits, and with columns left out in bases so small that
//! it shows.

use std::collections::BTreeSet;

use limbforge_algos::integer::Schoolbook;
use limbforge_algos::integer::div::{lower, watt};
use limbforge_limb::Base;
use limbforge_reference::sample::usual_or;
use limbforge_reference::toy::Toy;
use limbforge_testing::division::{interval_ends, pattern};
use limbforge_testing::operands::{samples, uniform_limb};
use limbforge_testing::oracle::value;
use num_bigint::{BigInt, BigUint};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::div::digits::Digits;
use crate::div::limbs;

const fn digits(base: u32) -> Digits {
    Digits { base, short: false }
}

/// Below `base^len`, and no powers of the base.
fn divisors(base: u32, len: u32) -> impl Iterator<Item = BigUint> {
    (1..base.pow(len)).map(BigUint::from).filter(move |v| !digits(base).is_power(v))
}

/// `0 <= B^(k+t)/v - w < c`.
fn check_inverse(digits: &Digits, v: &BigUint, t: usize) {
    let w = digits.inverse(v, t);
    let rest = BigInt::from(digits.power(digits.len(v) - 1 + t)) - BigInt::from(v * w);
    assert!(rest >= BigInt::ZERO, "{v} to {t} digits in base {}: too large", digits.base);
    let bound = BigInt::from(v * digits.bound(t));
    assert!(rest * 1_000_000 < bound, "{v} to {t} digits in base {}: too small", digits.base);
}

/// All divisors of up to `len` digits, to all precisions up to `longest`.
fn all_inverses(base: u32, len: u32, longest: usize) {
    let digits = digits(base);
    for v in divisors(base, len) {
        for t in digits.guard() + 1..=longest {
            check_inverse(&digits, &v, t);
        }
    }
}

#[test]
fn lower_inverses_of_bases_2_and_3() {
    all_inverses(2, 10, 16);
    all_inverses(3, 6, 11);
}

#[test]
fn lower_inverses_of_bases_5_and_6() {
    all_inverses(5, 5, 10);
    all_inverses(6, 5, 9);
}

/// Quotient and remainder by an inverse that is as long as the quotient asks for; returns what the estimate was corrected by.
fn check_quotient(digits: &Digits, u: &BigUint, v: &BigUint, inverses: &mut Vec<BigUint>) -> bool {
    if u < v {
        return false;
    }
    let n = digits.len(u) + 1 - digits.len(v);
    while inverses.len() < n {
        inverses.push(digits.inverse(v, digits.precision(inverses.len() + 1)));
    }
    let (q, r, correction) = digits.divide(u, v, (&inverses[n - 1], digits.precision(n)));
    assert_eq!((q, r), (u / v, u % v), "{u} by {v} in base {}", digits.base);
    correction
}

/// All pairs below `base^pairs`, and all below `base^intervals` by the ends of their quotients' intervals.
fn all_quotients(base: u32, pairs: u32, intervals: u32) {
    let digits = digits(base);
    for v in divisors(base, intervals) {
        let mut inverses = vec![];
        let value = u32::try_from(&v).unwrap();
        let all = if value < base.pow(pairs) { 0..base.pow(pairs) } else { 0..0 };
        for u in all.chain(interval_ends(value, base, intervals)) {
            check_quotient(&digits, &u.into(), &v, &mut inverses);
        }
    }
}

#[test]
fn all_quotients_of_base_2() {
    all_quotients(2, 9, 12);
}

#[test]
fn all_quotients_of_base_3() {
    all_quotients(3, 5, 8);
}

#[test]
fn all_quotients_of_base_5() {
    all_quotients(5, 4, 5);
}

/// Watt's inverse is off by -1, 0 or 1 in bases that are no powers of two too.
#[test]
fn watt_s_inverses_of_odd_bases_deviate_to_both_sides() {
    for (base, len, longest) in [(3, 6, 9), (5, 5, 8)] {
        let digits = digits(base);
        let mut found = BTreeSet::new();
        for v in divisors(base, len) {
            for h in digits.len(&v) - 1..=longest {
                let deviation =
                    BigInt::from(digits.shifted_inverse(&v, h)) - BigInt::from(digits.power(h) / &v);
                found.insert(i64::try_from(deviation).unwrap());
            }
        }
        assert_eq!(found, [-1, 0, 1].into(), "base {base}");
    }
}

/// In bases that limbs have too, these are the limbs' inverses.
fn same_as_on_limbs<B: Base>(divisors: impl Iterator<Item = BigUint>, precisions: &[usize], short: bool) {
    let digits = Digits { base: 1 << B::BITS, short };
    for v in divisors.filter(|v| !digits.is_power(v)) {
        let v_limbs = limbs::<B>(&v);
        for &t in precisions {
            let w = lower::inverse(&v_limbs, t, 0, &mut Schoolbook);
            assert_eq!(value(&w), digits.inverse(&v, t), "{v:#x} to {t} limbs");
            let h = v_limbs.len() - 1 + t;
            let w = watt::shifted_inverse(&v_limbs, h, &mut Schoolbook);
            assert_eq!(value(&w), digits.shifted_inverse(&v, h), "B^{h} / {v:#x}");
        }
    }
}

#[test]
fn inverses_of_other_bases_are_those_of_limbs() {
    same_as_on_limbs::<Toy<2>>(divisors(4, 5), &[4, 5, 6, 7, 8, 9], false);
    same_as_on_limbs::<Toy<3>>(divisors(8, 3), &[3, 4, 5, 6, 7], false);
    same_as_on_limbs::<Toy<4>>(divisors(16, 3), &[3, 4, 5, 6], false);
    let long = (1..60_usize).prop_flat_map(pattern::<Toy<16>>);
    same_as_on_limbs::<Toy<16>>(samples(long, 200), &[3, 4, 7, 18, 50], true);
}

/// Divisors of all lengths up to six digits more than the precision, every other one structured, with columns left out.
fn short_inverses<B: Base>(longest: usize, count: usize) {
    let digits = Digits { base: 1 << B::BITS, short: true };
    let divisor = |d: usize| {
        prop_oneof![pattern::<B>(d), vec(uniform_limb::<B>(), d).prop_map(|limbs| value(&limbs) + 1_u32)]
    };
    let cases = (1..longest + 6).prop_flat_map(divisor).prop_flat_map(|v| (Just(v), 3..=longest));
    for (v, t) in samples(cases, usual_or(count / 5, count)) {
        if !digits.is_power(&v) {
            check_inverse(&digits, &v, t);
        }
    }
}

#[test]
fn inverses_without_columns_of_small_bases() {
    short_inverses::<Toy<6>>(6, 20_000);
    short_inverses::<Toy<8>>(14, 20_000);
}

#[test]
fn inverses_without_columns_of_base_2_to_10() {
    short_inverses::<Toy<10>>(40, 4000);
}

/// Exact multiples, and less by one, of quotients and divisors of fewer than `longest` digits.
fn short_quotients<B: Base>(longest: usize, count: usize) {
    let digits = Digits { base: 1 << B::BITS, short: true };
    let number = || (1..longest).prop_flat_map(pattern::<B>);
    for (q, v) in samples((number(), number()), usual_or(count / 5, count)) {
        if !digits.is_power(&v) {
            for u in [&q * &v, &q * &v + &v - 1_u32] {
                check_quotient(&digits, &u, &v, &mut vec![]);
            }
        }
    }
}

#[test]
fn quotients_without_columns_of_base_64() {
    short_quotients::<Toy<6>>(6, 20_000);
}

#[test]
fn quotients_without_columns_of_base_256() {
    short_quotients::<Toy<8>>(20, 20_000);
}
