//! How far the inverses are from the true value: the bounds that the proofs of `docs/div.md` give.

use std::collections::BTreeSet;

use limbforge_algos::div::{Products, Schoolbook, lower, watt};
use limbforge_limb::Base;
use limbforge_testing::division::{pattern, power};
use limbforge_testing::oracle::value;
use limbforge_testing::toy::Toy;
use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

use crate::limbs;

/// The error bound c of `lower`, in thousandths, rounded up: the fixed point of `c^2 B^(1-g) + 1 + 2/B`.
fn bound<B: Base>() -> u32 {
    match B::BITS {
        2 => 1675,
        3 => 1434,
        4 => 1218,
        _ => 1001,
    }
}

/// `0 <= B^(k+t)/v - w < c`.
fn check_lower<B: Base, P: Products<B>>(v: &BigUint, precision: usize, seed: usize, products: &mut P) {
    let v_limbs = limbs::<B>(v);
    let w = value(&lower::inverse(&v_limbs, precision, seed, products));
    let numerator = BigInt::from(power::<B>(v_limbs.len() - 1 + precision)) - BigInt::from(v * w);
    assert!(numerator >= BigInt::ZERO, "{v:#x} to {precision} limbs: too large");
    assert!(numerator * 1000 < BigInt::from(v * bound::<B>()), "{v:#x} to {precision} limbs: too small");
}

fn is_power<B: Base>(v: &BigUint) -> bool {
    (0..=v.bits()).any(|j| *v == power::<B>(j as usize))
}

fn all_lower<B: Base>(bits: u32) {
    for v in (1..1_u32 << bits).map(BigUint::from).filter(|v| !is_power::<B>(v)) {
        for precision in 4..10 {
            check_lower::<B, _>(&v, precision, 3, &mut Schoolbook);
        }
    }
}

#[test]
fn lower_inverses_of_small_bases_keep_their_bound() {
    all_lower::<Toy<2>>(12);
    all_lower::<Toy<3>>(12);
    all_lower::<Toy<4>>(12);
}

fn check_patterns<B: Base>() -> impl Strategy<Value = (BigUint, usize, usize)> {
    (1..40_usize, 3..40_usize, 3..20_usize)
        .prop_flat_map(|(digits, precision, seed)| (pattern::<B>(digits), Just(precision), Just(seed)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn lower_inverses_of_u32_keep_their_bound((v, precision, seed) in check_patterns::<u32>()) {
        prop_assume!(!is_power::<u32>(&v));
        check_lower::<u32, _>(&v, precision, seed, &mut Schoolbook);
    }

    #[test]
    fn lower_inverses_of_u64_keep_their_bound((v, precision, seed) in check_patterns::<u64>()) {
        prop_assume!(!is_power::<u64>(&v));
        check_lower::<u64, _>(&v, precision, seed, &mut Schoolbook);
    }
}

/// Watt's refinement is off by -1, 0 or 1, in every base, and each occurs.
#[test]
fn watt_s_inverses_deviate_to_both_sides() {
    fn deviations<B: Base>(bits: u32) -> BTreeSet<i64> {
        let mut found = BTreeSet::new();
        for v in (1..1_u32 << bits).map(BigUint::from) {
            let v_limbs = limbs::<B>(&v);
            for h in v_limbs.len() - 1..9 {
                let inverse = value(&watt::shifted_inverse(&v_limbs, h, &mut Schoolbook));
                let deviation = BigInt::from(inverse) - BigInt::from(power::<B>(h) / &v);
                found.insert(i64::try_from(deviation).unwrap());
            }
        }
        found
    }
    assert_eq!(deviations::<Toy<4>>(13), [-1, 0, 1].into());
    assert!(deviations::<Toy<3>>(11).is_subset(&[-1, 0, 1].into()));
    assert!(deviations::<Toy<2>>(10).is_subset(&[-1, 0, 1].into()));
    assert!(deviations::<Toy<1>>(7).is_subset(&[-1, 0, 1].into()));
}
