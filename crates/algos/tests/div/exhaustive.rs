//! All pairs of operands in small bases, and all quotients by their intervals.

use std::collections::BTreeSet;

use limbforge_limb::Base;
use limbforge_limb::slice::div::LimbDivisor;
use limbforge_testing::toy::Toy;
use num_bigint::BigUint;

use crate::check_all;

/// All u, v below `2^bits`; returns the corrections that Watt's quotients took.
fn all_pairs<B: Base>(bits: u32) -> BTreeSet<i32> {
    let numbers: Vec<BigUint> = (0..1_u32 << bits).map(BigUint::from).collect();
    numbers[1..].iter().flat_map(|v| numbers.iter().map(|u| check_all::<B>(u, v))).collect()
}

#[test]
fn all_pairs_of_small_bases() {
    all_pairs::<Toy<1>>(8);
    all_pairs::<Toy<2>>(8);
    all_pairs::<Toy<3>>(8);
    all_pairs::<Toy<4>>(8);
}

/// Every u below B^digits for each v, by monotony: for a fixed v and number of digits of u, both the quotient and its
/// estimate grow with u, so that the ends `j v` and `(j + 1) v - 1` of the intervals decide for all u between.
fn all_intervals<B: Base>(digits: u32, step: u32) -> BTreeSet<i32> {
    let limit = 1_u32 << (digits * B::BITS);
    let mut corrections = BTreeSet::new();
    for v in (1..limit).step_by(step as usize) {
        let ends = (0..=limit / v).flat_map(|j| [(j * v).checked_sub(1), Some(j * v)]);
        let powers = (0..digits).flat_map(|j| [1 << (j * B::BITS), (1 << (j * B::BITS)) - 1]);
        for u in ends.flatten().chain(powers).filter(|&u| u < limit) {
            corrections.insert(check_all::<B>(&u.into(), &v.into()));
        }
    }
    corrections
}

#[test]
fn all_quotients_of_small_bases_by_their_intervals() {
    let mut corrections = all_intervals::<Toy<1>>(11, 1);
    corrections.extend(all_intervals::<Toy<2>>(5, 1));
    corrections.extend(all_intervals::<Toy<3>>(4, 3));
    corrections.extend(all_intervals::<Toy<4>>(3, 1));
    assert!(
        corrections.contains(&-1) && corrections.contains(&0) && corrections.contains(&1),
        "{corrections:?}"
    );
}

/// All divisors of one limb, and every `step`-th dividend of so many limbs.
fn all_of_one_limb<B: Base>(len: u32, step: usize) {
    let limb = |number: u64| B::from_word(number % (1 << B::BITS));
    for d in 1..1_u64 << B::BITS {
        let divisor = LimbDivisor::new(limb(d)).unwrap();
        for u in (0..1_u64 << (len * B::BITS)).step_by(step) {
            let digits = |number: u64| (0..len).map(|i| limb(number >> (i * B::BITS))).collect::<Vec<B>>();
            let (dividend, mut quotient) = (digits(u), digits(u));
            let rest = divisor.div_rem(&mut quotient);
            assert_eq!((quotient, rest), (digits(u / d), limb(u % d)), "{u} by {d}");
            assert_eq!(divisor.rem(&dividend), rest);
        }
    }
}

/// From eight limbs on a dividend is divided as two halves.
#[test]
fn long_dividends_by_one_limb_of_small_bases() {
    for len in [7, 8, 9, 12] {
        all_of_one_limb::<Toy<1>>(len, 1);
    }
    all_of_one_limb::<Toy<2>>(8, 1);
    all_of_one_limb::<Toy<3>>(8, 997);
    all_of_one_limb::<Toy<3>>(9, 10_007);
    all_of_one_limb::<Toy<4>>(8, 655_211);
    all_of_one_limb::<Toy<7>>(8, (1 << 44) - 17);
}
