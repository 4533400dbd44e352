//! Structured operands: runs, powers and their neighbours, reciprocals, multiples and their neighbours.

use limbforge_algos::div::Words;
use limbforge_limb::Base;
use limbforge_testing::operands::{integer, uniform_limb};
use num_bigint::BigUint;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::{check_all, check_rungs, power, value};

/// A number of at most `digits` limbs, not zero: what breaks divisions.
pub(crate) fn pattern<B: Base>(digits: usize) -> BoxedStrategy<BigUint> {
    let (p, top) = (power::<B>(digits), power::<B>(digits - 1));
    let half = &p >> 1_u32;
    let middle = power::<B>(digits / 2);
    let named = [
        &p - 1_u32,
        top.clone(),
        &top + 1_u32,
        half.clone(),
        &half + 1_u32,
        &half - 1_u32,
        &p - &top,
        (&p - 1_u32) / value(&[B::HIGHEST]),
        &top * 2_u32 + 1_u32,
        &p - 2_u32,
        &top + &middle,
        &half + &top - 1_u32,
        &half + &middle - 1_u32,
    ];
    let named: Vec<BigUint> = named.into_iter().filter(|number| *number < p).collect();
    let below_top = vec(uniform_limb::<B>(), digits - 1).prop_map(|limbs| value(&limbs));
    let first = proptest::sample::select(vec![B::ONE, B::HIGHEST, B::ONE << (B::BITS - 1) as usize]);
    prop_oneof![
        4 => proptest::sample::select(named),
        4 => integer::<B>(digits).prop_map(|limbs| value(&limbs)),
        2 => (below_top, first).prop_map(move |(below, first)| value(&[first]) * &top + below),
    ]
    .prop_map(|number| number.max(BigUint::from(1_u32)))
    .boxed()
}

/// A divisor, and dividends at both ends of a quotient's interval, within it, and all ones.
fn division<B: Base>(longest: usize) -> impl Strategy<Value = (Vec<BigUint>, BigUint)> {
    (1..longest, 1..longest, any::<bool>(), 0..3_u32).prop_flat_map(move |(d, n, reciprocal, nudge)| {
        (pattern::<B>(d), pattern::<B>(n)).prop_map(move |(v, q)| {
            // A divisor close to the reciprocal of another number.
            let v = if reciprocal { power::<B>(d + n - 1) / &q + nudge } else { v };
            let v = v.max(BigUint::from(1_u32));
            let dividends = [
                &q * &v,
                &q * &v - 1_u32,
                &q * &v + (&v - 1_u32),
                &q * &v + &v / 2_u32,
                power::<B>(d + n) - 1_u32,
            ];
            (dividends.to_vec(), v)
        })
    })
}

fn check<B: Base>((dividends, v): &(Vec<BigUint>, BigUint)) {
    for u in dividends {
        check_all::<B>(u, v);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn u32_equals_num_bigint(case in division::<u32>(20)) {
        check::<u32>(&case);
    }

    #[test]
    fn u64_equals_num_bigint(case in division::<u64>(20)) {
        check::<u64>(&case);
        for u in &case.0 {
            check_rungs::<u64, _>(u, &case.1, &mut Words::default());
        }
    }

    #[test]
    fn u128_equals_num_bigint(case in division::<u128>(12)) {
        check::<u128>(&case);
    }
}
