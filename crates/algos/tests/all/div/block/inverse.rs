//! Shifted inverses in block form: those in registers against the slice forms, and exact ones.

use limbforge_algos::block::div::{Inverse, Lower, Watt, shinv};
use limbforge_algos::block::map_batch;
use limbforge_algos::integer::Schoolbook;
use limbforge_algos::integer::div::{lower, watt};
use limbforge_limb::Base;
use limbforge_reference::toy::Toy;
use limbforge_testing::division::{corners, pattern, power};
use limbforge_testing::oracle::value;
use num_bigint::{BigInt, BigUint};
use num_traits::CheckedDiv;
use proptest::collection::vec;
use proptest::prelude::*;

use super::batch;
use crate::div::limbs;

/// Inverses in registers of divisors in one block, `t` limbs, as numbers of W limbs.
fn inverses<B: Base, I: Inverse, const W: usize, const Q: usize, const IPB: usize>(
    divisors: &[BigUint],
    t: usize,
) -> Vec<BigUint> {
    let (w, _) = map_batch::<B, (), 1, W, Q, IPB>(divisors.len(), [&batch(divisors, W)], |block, [v]| {
        let lengths = divisors[block.first_instance()..].iter().take(block.instances());
        let k: Vec<usize> = lengths.map(|v| limbs::<B>(v).len() - 1).collect();
        (I::inverse(block, &v, &k, t), vec![])
    })
    .unwrap();
    w.chunks(W).map(value).collect()
}

fn is_power<B: Base>(v: &BigUint) -> bool {
    (0..=v.bits()).any(|j| *v == power::<B>(j as usize))
}

/// `watt` gives what it gives on slices; so does `lower` in small bases, where no columns are left out, and elsewhere it is
/// not above the true value and at most two below it.
fn check_inverses<B: Base, const W: usize, const Q: usize, const IPB: usize>(
    divisors: &[BigUint],
    precisions: core::ops::Range<usize>,
) {
    for t in precisions {
        let (from_below, both_sides) =
            (inverses::<B, Lower, W, Q, IPB>(divisors, t), inverses::<B, Watt, W, Q, IPB>(divisors, t));
        for (v, (below, watt)) in divisors.iter().zip(from_below.iter().zip(both_sides)) {
            let v_limbs = limbs::<B>(v);
            let h = v_limbs.len() - 1 + t;
            assert_eq!(watt, value(&watt::shifted_inverse(&v_limbs, h, &mut Schoolbook)), "B^{h} / {v:#x}");
            if B::BITS < 16 {
                assert_eq!(*below, value(&lower::inverse(&v_limbs, t, 0, &mut Schoolbook)), "B^{h} / {v:#x}");
            }
            let rest = BigInt::from(power::<B>(h)) - BigInt::from(v * below);
            assert!(rest >= BigInt::ZERO && rest < BigInt::from(v * 2_u32), "B^{h} / {v:#x}");
        }
    }
}

#[test]
fn inverses_are_those_of_slices() {
    fn all<B: Base, const W: usize, const Q: usize, const IPB: usize>(limbs: usize) {
        let divisors = (1..1_u32 << (limbs as u32 * B::BITS)).map(BigUint::from);
        let divisors: Vec<_> = divisors.filter(|v| !is_power::<B>(v)).collect();
        // Mixed, so that a block has divisors of all lengths.
        let mixed: Vec<_> =
            (0..divisors.len()).map(|i| divisors[i * 1009 % divisors.len()].clone()).collect();
        check_inverses::<B, W, Q, IPB>(&mixed, 3..limbs + 3);
    }
    all::<Toy<2>, 11, 2, 5>(3);
    all::<Toy<3>, 11, 4, 16>(3);
    all::<Toy<4>, 10, 3, 9>(2);
}

/// Divisors of up to `m` limbs, and a precision: longer ones are cut in the first steps or in all.
fn divisors<B: Base>(m: usize) -> impl Strategy<Value = (Vec<BigUint>, usize)> {
    let divisor = (1..=m).prop_flat_map(pattern::<B>).prop_filter("a power", |v| !is_power::<B>(v));
    (vec(divisor, 1..12), 3..m + 3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn structured_inverses_are_those_of_slices(
        (octal, octal_t) in divisors::<Toy<3>>(7),
        (toy, toy_t) in divisors::<Toy<4>>(13),
        (words, words_t) in divisors::<u32>(24),
    ) {
        check_inverses::<Toy<3>, 15, 4, 3>(&octal, octal_t..octal_t + 1);
        check_inverses::<Toy<4>, 21, 2, 5>(&toy, toy_t..toy_t + 1);
        check_inverses::<u32, 32, 3, 4>(&words, words_t..words_t + 1);
    }
}

#[test]
fn exact_shifted_inverses() {
    fn check<B: Base, const M: usize, const W: usize, const Q: usize, const IPB: usize>(
        divisors: &[BigUint],
    ) {
        let v = batch::<B>(divisors, M);
        for h in 0..M {
            let below = shinv::<B, Lower, M, W, Q, IPB>(divisors.len(), &v, h).unwrap();
            let watt = shinv::<B, Watt, M, W, Q, IPB>(divisors.len(), &v, h).unwrap();
            assert_eq!((&below.quotients, &below.remainders), (&watt.quotients, &watt.remainders));
            for (v, w) in divisors.iter().zip(below.quotients.chunks(M)) {
                assert_eq!(value(w), power::<B>(h).checked_div(v).unwrap_or_default(), "B^{h} / {v:#x}");
            }
        }
    }
    let small = |limit: u32| (0..limit).map(BigUint::from).collect::<Vec<_>>();
    check::<Toy<2>, 3, 11, 5, 4>(&small(64));
    check::<Toy<3>, 4, 12, 3, 9>(&small(512));
    check::<Toy<4>, 5, 13, 2, 1>(&small(512));
    check::<u32, 6, 14, 2, 3>(&corners::<u32>());
    check::<u64, 6, 15, 4, 2>(&corners::<u64>());
    check::<u128, 6, 14, 1, 5>(&corners::<u128>());
    // [1, 0, 0, 1] > B^3; and 2 v = B^2 gives 2.
    let v = [1_u32, 0, 0, 1, 0, 1 << 31, 0, 0];
    assert_eq!(shinv::<u32, Watt, 4, 12, 3, 2>(2, &v, 3).unwrap().quotients[..4], [0; 4]);
    assert_eq!(shinv::<u32, Watt, 4, 12, 3, 2>(2, &v, 2).unwrap().quotients[4..], [2, 0, 0, 0]);
}
