//! Structured operands: runs, powers and their neighbours, reciprocals, multiples and their neighbours.

use limbforge_algos::integer::Scratch;
use limbforge_limb::Base;
use limbforge_limb::slice::div::schoolbook;
use limbforge_reference::sample::usual_or;
use limbforge_reference::toy::Toy;
use limbforge_testing::division::{division, pattern, power};
use limbforge_testing::operands::samples;
use limbforge_testing::oracle::value;
use num_bigint::BigUint;
use proptest::prelude::*;

use crate::div::{check_all, check_rungs, check_schoolbook, limbs};

fn check<B: Base>((dividends, v): &(Vec<BigUint>, BigUint)) {
    for u in dividends {
        check_all::<B>(u, v);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(usual_or(150, 400)))]

    #[test]
    fn u32_equals_num_bigint(case in division::<u32>(20)) {
        check::<u32>(&case);
    }

    #[test]
    fn u64_equals_num_bigint(case in division::<u64>(20)) {
        check::<u64>(&case);
        for u in &case.0 {
            check_rungs::<u64, _>(u, &case.1, &mut Scratch::default());
        }
    }

    #[test]
    fn u128_equals_num_bigint(case in division::<u128>(12)) {
        check::<u128>(&case);
    }
}

/// For divisors of d limbs and quotients of n, of all these lengths: both ends of a quotient's interval and its middle, their
/// neighbours below, and all ones, where the divisors are structured or next to the reciprocal of a structured quotient.
fn all_lengths<B: Base>() {
    for d in [1, 2, 3, 4, 5, 7, 8, 9, 16, 17] {
        for n in [1, 2, 3, 5, 6, 9, 18, 33] {
            let numbers = (pattern::<B>(d), pattern::<B>(n), 0..6_u32);
            for (v, q, nudge) in samples(numbers, usual_or(3, 10)) {
                let v = if nudge < 3 {
                    (power::<B>(d + n - 1) / &q + nudge).max(2_u32.into()) - 1_u32
                } else {
                    v
                };
                let v_len = limbs::<B>(&v).len();
                for r in [BigUint::ZERO, 1_u32.into(), &v >> 1, &v - 1_u32] {
                    check_all::<B>(&(&q * &v + r % &v), &v);
                }
                check_all::<B>(&(&q * &v - 1_u32), &v);
                check_all::<B>(&(power::<B>(v_len + n) - 1_u32), &v);
            }
        }
    }
}

#[test]
fn all_lengths_of_toy_limbs() {
    all_lengths::<Toy<16>>();
}

#[test]
fn all_lengths_of_u32() {
    all_lengths::<u32>();
}

#[test]
fn all_lengths_of_u64() {
    all_lengths::<u64>();
}

/// The schoolbook, which normalises divisors, on divisors of up to 39 limbs and quotients of up to 59; every third divisor is next to a
/// reciprocal.
fn normalised<B: Base>(count: usize) {
    let numbers = (1..40_usize, 1..60_usize)
        .prop_flat_map(|(d, n)| (pattern::<B>(d), pattern::<B>(n), Just(d + n), 0..9_u32));
    for (v, q, length, nudge) in samples(numbers, usual_or(count / 5, count)) {
        let v = if nudge < 3 { (power::<B>(length) / &q + nudge).max(2_u32.into()) - 1_u32 } else { v };
        for r in [BigUint::ZERO, &v >> 1, &v - 1_u32] {
            let u = &q * &v + r;
            check_schoolbook(&limbs::<B>(&u), &limbs::<B>(&v), &(&u / &v, &u % &v));
        }
    }
}

#[test]
fn normalised_divisors_of_toy_limbs() {
    normalised::<Toy<4>>(4000);
    normalised::<Toy<8>>(4000);
    normalised::<Toy<16>>(4000);
}

#[test]
fn normalised_divisors_of_words() {
    normalised::<u32>(4000);
    normalised::<u64>(4000);
}

/// Reciprocals of all normalised divisors of one limb and of two.
#[test]
fn reciprocals_of_normalised_divisors() {
    fn all<B: Base>() {
        let half = 1_u32 << (B::BITS - 1);
        for top in half..2 * half {
            for low in 0..2 * half {
                let d = [low, top].map(|limb| B::from_word(limb.into()));
                let exact = (power::<B>(3) - 1_u32) / (power::<B>(1) * top + low) - power::<B>(1);
                assert_eq!(value(&[schoolbook::inverse(&d)]), exact, "{d:?}");
            }
        }
    }
    all::<Toy<1>>();
    all::<Toy<2>>();
    all::<Toy<3>>();
    all::<Toy<4>>();
    all::<Toy<8>>();
}
