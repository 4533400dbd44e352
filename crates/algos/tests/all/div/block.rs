//! Division in block form: against num-bigint and the slice forms, in blocks of every kind.

mod inverse;
mod small;

use std::collections::BTreeSet;

use limbforge_algos::block::LengthError;
use limbforge_algos::block::div::{Inverse, Lower, ShinvError, Watt, div_rem, shinv};
use limbforge_algos::integer::Schoolbook;
use limbforge_algos::integer::div::watt;
use limbforge_limb::{Base, DivisionByZero};
use limbforge_reference::toy::Toy;
use limbforge_testing::division::{division, known, pattern, power};
use limbforge_testing::oracle::value;
use num_bigint::BigUint;
use num_traits::Zero;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::div::limbs;

type Pairs = [(BigUint, BigUint)];

/// The numbers as a batch of `len` limbs each.
fn batch<'n, B: Base>(numbers: impl IntoIterator<Item = &'n BigUint>, len: usize) -> Vec<B> {
    let padded = |number| {
        let mut limbs = limbs::<B>(number);
        assert!(limbs.len() <= len, "{number:#x} has more than {len} limbs");
        limbs.resize(len, B::ZERO);
        limbs
    };
    numbers.into_iter().flat_map(padded).collect()
}

/// Divides all pairs as one batch; returns the corrections.
fn check<B: Base, I: Inverse, const M: usize, const W: usize, const Q: usize, const IPB: usize>(
    pairs: &Pairs,
) -> BTreeSet<i32> {
    let (u, v) =
        (batch::<B>(pairs.iter().map(|pair| &pair.0), M), batch(pairs.iter().map(|pair| &pair.1), M));
    let divided = div_rem::<B, I, M, W, Q, IPB>(pairs.len(), &u, &v).unwrap();
    assert_eq!((divided.quotients.len(), divided.remainders.len()), (u.len(), u.len()));
    assert_eq!(divided.corrections.len(), pairs.len());
    let mut corrections = BTreeSet::new();
    for (i, (u, v)) in pairs.iter().enumerate() {
        let found = [&divided.quotients, &divided.remainders].map(|results| value(&results[i * M..][..M]));
        if v.is_zero() {
            assert_eq!((found, divided.corrections[i]), ([BigUint::ZERO; 2], Err(DivisionByZero)));
            continue;
        }
        assert_eq!(found, [u / v, u % v], "{u:#x} by {v:#x}, (M, W, Q, IPB) = {:?}", (M, W, Q, IPB));
        let correction = divided.corrections[i].unwrap();
        assert!((-(I::ABOVE as i32)..=I::BELOW as i32).contains(&correction), "corrected by {correction}");
        corrections.insert(correction);
    }
    corrections
}

/// By both inverses, and by `watt` of slices, whose corrections are those of blocks with one instance: there the precision
/// is that of the quotient.
fn check_both<B: Base, const M: usize, const W: usize, const Q: usize, const IPB: usize>(
    pairs: &Pairs,
) -> BTreeSet<i32> {
    check::<B, Lower, M, W, Q, IPB>(pairs);
    let mut corrections = check::<B, Watt, M, W, Q, IPB>(pairs);
    for (u, v) in pairs.iter().filter(|(_, v)| IPB == 1 && !v.is_zero()) {
        let (u_limbs, v_limbs) = (limbs::<B>(u), limbs::<B>(v));
        let (mut q, mut r) = (vec![B::ZERO; u_limbs.len()], vec![B::ZERO; v_limbs.len()]);
        let correction = watt::div_rem(&mut q, &mut r, &u_limbs, &v_limbs, &mut Schoolbook);
        if u_limbs.len() > v_limbs.len() {
            let pair = [(u.clone(), v.clone())];
            assert_eq!(check::<B, Watt, M, W, Q, IPB>(&pair), [correction].into(), "{u:#x} by {v:#x}");
            corrections.insert(correction);
        }
    }
    corrections
}

/// The operands that others fail on, of up to M limbs and of more than `above`.
fn check_known<B: Base, const M: usize, const W: usize, const Q: usize, const IPB: usize>(above: usize) {
    let width = |limbs: usize| limbs as u64 * u64::from(B::BITS);
    let mut pairs = known::<B>(width(M));
    pairs.retain(|(u, v)| u.bits().max(v.bits()) > width(above));
    assert!(!pairs.is_empty());
    check_both::<B, M, W, Q, IPB>(&pairs);
}

#[test]
fn operands_that_others_fail_on_in_u32() {
    check_known::<u32, 6, 14, 3, 1>(0);
    check_known::<u32, 7, 16, 4, 3>(0);
    check_known::<u32, 64, 72, 5, 2>(6);
}

#[test]
fn operands_that_others_fail_on_in_u64() {
    check_known::<u64, 6, 15, 4, 5>(0);
    check_known::<u64, 64, 73, 2, 1>(6);
}

#[test]
fn operands_that_others_fail_on_in_u128() {
    check_known::<u128, 6, 14, 2, 7>(0);
    check_known::<u128, 16, 24, 4, 2>(6);
}

#[test]
fn operands_that_others_fail_on_in_toy_limbs() {
    check_known::<Toy<3>, 5, 13, 2, 3>(0);
    check_known::<Toy<4>, 6, 14, 4, 2>(0);
}

/// [1, 0, B/2] under B^6 - 1 and [1, 0, 0, 1] under a multiple less 1 take the corrections that others lack.
#[test]
fn watt_s_quotients_take_corrections_to_both_sides() {
    let half = 1_u32 << 31;
    let two = (power::<u32>(6) - 1_u32, value(&[1, 0, half]));
    assert_eq!(check::<u32, Watt, 6, 14, 2, 1>(&[two]), [2].into());
    let v = power::<u32>(3) + 1_u32;
    let down = ((power::<u32>(4) - 1_u32) / &v * &v - 1_u32, v);
    assert_eq!(check::<u32, Watt, 4, 12, 2, 1>(&[down]), [-1].into());
    // An exact multiple takes the one correction that there is from below.
    let multiple = (value(&[5_u32, 7, 9]) * value(&[3_u32, 1, 4]), value(&[3_u32, 1, 4]));
    assert_eq!(check::<u32, Lower, 6, 10, 3, 1>(&[multiple]), [1].into());
}

#[test]
fn zero_divisors_fail_their_instances_alone() {
    let (u, v) = ([7_u32; 12], [0, 0, 0, 2, 0, 0, 0, 0, 0, 5, 0, 0]);
    let divided = div_rem::<u32, Lower, 3, 7, 2, 3>(4, &u, &v).unwrap();
    let failed: Vec<bool> = divided.corrections.iter().map(Result::is_err).collect();
    assert_eq!(failed, [true, false, true, false]);
    assert_eq!(divided.quotients[..6], [0, 0, 0, 0x8000_0003, 0x8000_0003, 3]);
    assert_eq!(divided.remainders[..6], [0, 0, 0, 1, 0, 0]);
    let inverses = shinv::<u32, Watt, 3, 11, 2, 3>(4, &v, 1).unwrap();
    assert_eq!(inverses.corrections.iter().map(Result::is_err).collect::<Vec<_>>(), failed);
}

#[test]
fn wrong_lengths_and_powers_are_errors() {
    let error = |found| LengthError { expected: 6, instances: 2, limbs_per_instance: 3, found };
    assert_eq!(div_rem::<u32, Lower, 3, 8, 2, 1>(2, &[0; 6], &[0; 5]), Err(error(5)));
    assert_eq!(div_rem::<u32, Lower, 3, 8, 2, 1>(2, &[0; 7], &[0; 6]), Err(error(7)));
    assert_eq!(shinv::<u32, Lower, 3, 8, 2, 1>(2, &[0; 16], 2), Err(ShinvError::Length(error(16))));
    let power = shinv::<u32, Watt, 3, 11, 2, 1>(2, &[0; 6], 3);
    assert_eq!(power, Err(ShinvError::Power { h: 3, limbs: 3 }));
    assert!(div_rem::<u32, Watt, 3, 11, 2, 1>(0, &[], &[]).unwrap().corrections.is_empty());
}

/// Cases of several lengths in one batch, with divisions by zero among them.
fn cases<B: Base>(m: usize) -> impl Strategy<Value = Vec<(BigUint, BigUint)>> {
    let pairs = |(dividends, v): (Vec<BigUint>, BigUint)| {
        dividends.into_iter().map(move |u| (u, v.clone())).collect::<Vec<_>>()
    };
    let zero = pattern::<B>(m).prop_map(|u| vec![(u, BigUint::ZERO)]);
    let case = prop_oneof![6 => division::<B>(m / 2 + 1).prop_map(pairs), 1 => zero];
    vec(case, 1..6).prop_map(|cases| cases.concat())
}

macro_rules! structured_operands {
    ($($name:ident, $base:ty, $count:literal: $(($m:literal, $w:literal, $q:literal, $ipb:literal)),+;)+) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(12))]
            $(
                #[test]
                fn $name(cases in ($(cases::<$base>($m),)+)) {
                    let mut of_shape = <[Vec<_>; $count]>::from(cases).into_iter();
                    $(check_both::<$base, $m, $w, $q, $ipb>(&of_shape.next().unwrap());)+
                }
            )+
        }
    };
}

structured_operands! {
    u32_by_blocks, u32, 4: (2, 10, 4, 3), (13, 21, 2, 6), (24, 32, 1, 1), (31, 45, 1, 2);
    u64_by_blocks, u64, 3: (4, 13, 3, 5), (12, 20, 5, 1), (32, 40, 4, 2);
    u128_by_blocks, u128, 2: (5, 13, 2, 4), (14, 23, 3, 2);
    toy_by_blocks, Toy<4>, 3: (6, 14, 2, 3), (12, 21, 4, 1), (15, 23, 3, 4);
}
