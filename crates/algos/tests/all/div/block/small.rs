//! All operands of small bases in block form, and all quotients by their intervals.

use std::collections::BTreeSet;

use limbforge_algos::block::div::{Lower, Watt};
use limbforge_limb::Base;
use limbforge_reference::toy::Toy;
use num_bigint::BigUint;

use super::{check, check_both};

/// All u, v of M limbs, in blocks of several.
fn all_pairs<B: Base, const M: usize, const W: usize, const Q: usize, const IPB: usize>() {
    let numbers: Vec<BigUint> = (0..1_u32 << (M as u32 * B::BITS)).map(BigUint::from).collect();
    let pairs: Vec<_> = numbers.iter().flat_map(|u| numbers.iter().map(|v| (u.clone(), v.clone()))).collect();
    check_both::<B, M, W, Q, IPB>(&pairs);
}

#[test]
fn all_pairs_of_small_bases() {
    all_pairs::<Toy<2>, 1, 9, 2, 7>();
    all_pairs::<Toy<2>, 2, 10, 3, 1>();
    all_pairs::<Toy<2>, 3, 11, 4, 16>();
    all_pairs::<Toy<3>, 1, 9, 9, 5>();
    all_pairs::<Toy<3>, 2, 10, 2, 4>();
    all_pairs::<Toy<4>, 1, 10, 3, 6>();
}

/// Both ends of the interval of each quotient, for every `step`-th divisor of M limbs: they decide for all dividends, as for
/// one divisor and one precision quotients grow with the dividend.
fn all_intervals<B: Base, const M: usize, const W: usize, const Q: usize>(step: u32) -> BTreeSet<i32> {
    let limit = 1_u32 << (M as u32 * B::BITS);
    let mut pairs = vec![];
    for v in (step..limit).step_by(step as usize) {
        let ends = (0..=limit / v).flat_map(|j| [(j * v).checked_sub(1), Some(j * v)]);
        let powers = (0..M as u32).flat_map(|j| [1 << (j * B::BITS), (1 << (j * B::BITS)) - 1]);
        let dividends = ends.flatten().chain(powers).filter(|&u| u < limit);
        pairs.extend(dividends.map(|u| (BigUint::from(u), BigUint::from(v))));
    }
    check::<B, Lower, M, W, Q, 1>(&pairs);
    check::<B, Watt, M, W, Q, 1>(&pairs)
}

#[test]
fn all_quotients_of_small_bases_by_their_intervals() {
    let mut corrections = all_intervals::<Toy<2>, 3, 11, 5>(1);
    corrections.extend(all_intervals::<Toy<3>, 3, 11, 2>(2));
    corrections.extend(all_intervals::<Toy<3>, 4, 12, 6>(61));
    corrections.extend(all_intervals::<Toy<4>, 2, 10, 3>(1));
    corrections.extend(all_intervals::<Toy<4>, 3, 11, 4>(61));
    assert!(corrections.is_superset(&[-1, 0, 1].into()), "{corrections:?}");
}
