//! Structured operands: runs, powers and their neighbours, reciprocals, multiples and their neighbours.

use limbforge_algos::div::Words;
use limbforge_limb::Base;
use limbforge_testing::division::division;
use num_bigint::BigUint;
use proptest::prelude::*;

use crate::{check_all, check_rungs};

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
