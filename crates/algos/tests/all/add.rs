//! Addition by scan, by ballots and with deferred carries: the conformance suite on every limb.

mod on_u32 {
    limbforge_testing::conformance_block!(add, u32);
}
mod on_u64 {
    limbforge_testing::conformance_block!(add, u64);
}
mod on_u128 {
    limbforge_testing::conformance_block!(add, u128);
}

use limbforge_algos::block::add::ballot::carries_into_lanes;
use limbforge_algos::block::add::deferred::{Deferred, OwedError};
use limbforge_algos::block::add::{Carry, add_ballot, add_scan};
use limbforge_algos::block::{Block, map_batch};

/// The carries into the lanes, one after the other, and the carry out of the last.
fn ripple(lanes: &[(bool, bool)], mut carry: bool) -> (Vec<bool>, bool) {
    let into = lanes
        .iter()
        .map(|&(generate, propagate)| {
            let into = carry;
            carry = generate || propagate && carry;
            into
        })
        .collect();
    (into, carry)
}

/// Every combination of a generating, passing or absorbing lane for `len` lanes.
fn all_lanes(len: u32) -> impl Iterator<Item = Vec<(bool, bool)>> {
    (0..3usize.pow(len)).map(move |code| {
        let digit = |i| code / 3usize.pow(i) % 3;
        (0..len).map(|i| (digit(i) == 1, digit(i) == 2)).collect()
    })
}

#[test]
fn ballot_formula_equals_ripple_for_all_lanes() {
    // Nine lanes, at the bottom and at the top of the warp, where the carry out appears.
    for lanes in all_lanes(9) {
        let word = |pick: fn(&(bool, bool)) -> bool| {
            lanes.iter().rev().fold(0u32, |word, lane| word << 1 | u32::from(pick(lane)))
        };
        let (g, p) = (word(|lane| lane.0), word(|lane| lane.1));
        for carry in [false, true] {
            let (into, out) = ripple(&lanes, carry);
            let expected = into.iter().rev().fold(0u32, |word, &set| word << 1 | u32::from(set));
            let (carries, _) = carries_into_lanes(g, p, carry);
            assert_eq!(carries & 0x1ff, expected, "{lanes:?}, carry {carry}");
            let below = u32::MAX >> 9;
            let (carries, carry_out) = carries_into_lanes(g << 23, p << 23 | below, carry);
            assert_eq!((carries >> 23, carry_out), (expected, out), "{lanes:?}, carry {carry}, at the top");
        }
    }
}

#[test]
fn segments_equal_ripple_for_all_lanes() {
    // Instances of 3 threads, eleven of them, so one lies across two warps: thread 30, 31, 32.
    let block = Block::<3, 1, 11>::grid(11).next().unwrap();
    for lanes in all_lanes(6) {
        let lane = |at: usize, pick: fn(&(bool, bool)) -> bool| pick(&lanes[at % 6]);
        let generate: Vec<bool> = (0..64).map(|at| lane(at, |lane| lane.0)).collect();
        let propagate: Vec<bool> = (0..64).map(|at| lane(at, |lane| lane.1)).collect();
        let carries = block.carries_into_threads(&generate, &propagate);
        for instance in 0..11 {
            let states: Vec<_> = (0..3).map(|i| lanes[(3 * instance + i) % 6]).collect();
            assert_eq!(carries[3 * instance..3 * instance + 3], ripple(&states, false).0, "{lanes:?}");
        }
    }
}

#[test]
fn carry_out_does_not_enter_the_next_instance() {
    // As printed, figure 2 of the paper hands it on: the exclusive scan at the first limb of an instance is the
    // state of the instance before.
    let (a, b) = ([u32::MAX; 4], [1, 0, 1, 0]);
    let expected = (vec![0, 0, 0, 0], vec![true, true]);
    assert_eq!(add_scan::<u32, 2, 1, 2>(2, &a, &b), Ok(expected.clone()));
    assert_eq!(add_scan::<u32, 2, 3, 2>(2, &a, &b), Ok(expected.clone()));
    assert_eq!(add_ballot::<u32, 2, 1, 2>(2, &a, &b), Ok(expected));
}

#[test]
fn a_thread_with_carry_in_may_overflow_and_be_all_ones() {
    // (B - 1) + (B - 1) + 1 = B + (B - 1): the thread generates, and P must not flip the carry it sends on.
    let a = [u32::MAX; 3];
    let (sum, _) = map_batch::<u32, (), 1, 3, 1, 1>(1, [&a], |block, [a]| {
        (block.combine_padded(Carry, &a, &a, &[true]).0, Vec::new())
    })
    .unwrap();
    assert_eq!(sum, [u32::MAX; 3]);
}

#[test]
fn deferred_bounds_are_proved_and_checked() {
    let mut value = Deferred::<u32, 2>::new(vec![[u32::MAX; 2]; 32]);
    assert_eq!(value.bounds(), (0, 0));
    let difference = value.sub(&value.add(&value).unwrap()).unwrap();
    assert_eq!(difference.bounds(), (-2, 0));
    // Each doubling takes the bound h to 2h + 1.
    for doublings in 1..=31 {
        value = value.add(&value).unwrap();
        assert_eq!(value.bounds(), (0, ((1u32 << doublings) - 1) as i32));
    }
    let too_much = OwedError { lowest: 0, highest: (1 << 32) - 1 };
    assert_eq!(value.add(&value), Err(too_much));
    assert_eq!(value.bounds().1, i32::MAX);
}

#[test]
fn deferred_counts_at_capacity_resolve() {
    // 2^31 * (B^3 - 1) = (2^31 - 1) * B^3 + (B^3 - 2^31), and the same in padding.
    let a = [u32::MAX; 3];
    let doubled = |a: Vec<_>| (0..31).try_fold(Deferred::new(a), |sum, _| sum.add(&sum));
    let expected = (vec![1 << 31, u32::MAX, u32::MAX], vec![i32::MAX]);
    let one = map_batch::<u32, _, 1, 3, 1, 1>(1, [&a], |block, [a]| doubled(a).unwrap().resolve(block));
    assert_eq!(one, Ok(expected.clone()));
    let doubled = |a: Vec<_>| (0..31).try_fold(Deferred::new(a), |sum, _| sum.add(&sum));
    let padded = map_batch::<u32, _, 1, 3, 2, 1>(1, [&a], |block, [a]| doubled(a).unwrap().resolve(block));
    assert_eq!(padded, Ok(expected));
}
