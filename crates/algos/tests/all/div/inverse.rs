//! How far the inverses are from the true value: the bounds that the proofs of `docs/div.md` give.

use std::collections::BTreeSet;

use limbforge_algos::integer::div::{lower, watt};
use limbforge_algos::integer::{Products, Schoolbook};
use limbforge_limb::Base;
use limbforge_reference::sample::{thinned, usual_or};
use limbforge_reference::toy::Toy;
use limbforge_testing::division::{pattern, power};
use limbforge_testing::operands::samples;
use limbforge_testing::oracle::value;
use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

use crate::div::digits::Digits;
use crate::div::limbs;

/// Structured divisors of each base.
const STRUCTURED: usize = 1500;

/// The error bound c of `lower` for inverses of t limbs, in millionths, rounded up.
fn bound<B: Base>(t: usize) -> u64 {
    // From 2^32 on it is closer to 1 than that.
    if B::BITS < 32 { Digits { base: 1 << B::BITS, short: B::BITS == 16 }.bound(t) } else { 1_000_001 }
}

/// `0 <= B^(k+t)/v - w < c`.
fn check_lower<B: Base, P: Products<B>>(v: &BigUint, precision: usize, seed: usize, products: &mut P) {
    let v_limbs = limbs::<B>(v);
    let w = value(&lower::inverse(&v_limbs, precision, seed, products));
    let numerator = BigInt::from(power::<B>(v_limbs.len() - 1 + precision)) - BigInt::from(v * w);
    assert!(numerator >= BigInt::ZERO, "{v:#x} to {precision} limbs: too large");
    let bound = BigInt::from(v * bound::<B>(precision));
    assert!(numerator * 1_000_000 < bound, "{v:#x} to {precision} limbs: too small");
}

fn is_power<B: Base>(v: &BigUint) -> bool {
    (0..=v.bits()).any(|j| *v == power::<B>(j as usize))
}

/// Divisors below `B^digits`, to all precisions from g + 1 to `longest`; all of them in a long run.
fn all_lower<B: Base>(digits: u32, longest: usize) {
    let guard = Digits { base: 1 << B::BITS, short: false }.guard();
    let divisors = thinned(1..1_u32 << (digits * B::BITS), 5).map(BigUint::from);
    for v in divisors.filter(|v| !is_power::<B>(v)) {
        for precision in guard + 1..=longest {
            check_lower::<B, _>(&v, precision, 0, &mut Schoolbook);
        }
    }
}

// What bases 2, 3, 5 and 6 have to do is in `any_base`.
#[test]
fn lower_inverses_of_base_4_keep_their_bound() {
    all_lower::<Toy<2>>(6, 11);
}

#[test]
fn lower_inverses_of_base_8_keep_their_bound() {
    all_lower::<Toy<3>>(5, 9);
}

#[test]
fn lower_inverses_of_base_16_keep_their_bound() {
    all_lower::<Toy<4>>(4, 9);
}

fn check_patterns<B: Base>() -> impl Strategy<Value = (BigUint, usize, usize)> {
    (1..40_usize, 4..90_usize, 3..20_usize)
        .prop_flat_map(|(digits, precision, seed)| (pattern::<B>(digits), Just(precision), Just(seed)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(usual_or(300, 1500)))]

    #[test]
    fn lower_inverses_of_toy_limbs_keep_their_bound(
        (v, precision, seed) in check_patterns::<Toy<6>>(),
        (bytes, bytes_precision, _) in check_patterns::<Toy<8>>(),
        (halves, halves_precision, _) in check_patterns::<Toy<16>>(),
    ) {
        prop_assume!(!is_power::<Toy<6>>(&v) && !is_power::<Toy<8>>(&bytes) && !is_power::<Toy<16>>(&halves));
        check_lower::<Toy<6>, _>(&v, precision, seed, &mut Schoolbook);
        check_lower::<Toy<8>, _>(&bytes, bytes_precision, seed, &mut Schoolbook);
        check_lower::<Toy<16>, _>(&halves, halves_precision, 0, &mut Schoolbook);
    }

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

/// How far Watt's inverse is from `floor(B^h / v)`.
fn deviation<B: Base>(v: &BigUint, h: usize) -> i64 {
    let inverse = value(&watt::shifted_inverse(&limbs::<B>(v), h, &mut Schoolbook));
    i64::try_from(BigInt::from(inverse) - BigInt::from(power::<B>(h) / v)).unwrap()
}

/// All divisors below `B^digits`, all powers up to `B^longest`.
fn all_deviations<B: Base>(digits: u32, longest: usize) -> BTreeSet<i64> {
    let divisors = (1..1_u32 << (digits * B::BITS)).map(BigUint::from);
    divisors
        .flat_map(|v| {
            (limbs::<B>(&v).len() - 1..=longest).map(move |h| deviation::<B>(&v, h)).collect::<Vec<_>>()
        })
        .collect()
}

// Watt's refinement is off by -1, 0 or 1, in every base, and each occurs.
#[test]
fn watt_s_inverses_of_bases_2_4_and_8_deviate_to_both_sides() {
    assert_eq!(all_deviations::<Toy<1>>(10, 14), [-1, 0, 1].into());
    assert_eq!(all_deviations::<Toy<2>>(6, 9), [-1, 0, 1].into());
    assert_eq!(all_deviations::<Toy<3>>(4, 8), [-1, 0, 1].into());
}

#[test]
fn watt_s_inverses_of_base_16_deviate_to_both_sides() {
    assert_eq!(all_deviations::<Toy<4>>(4, 8), [-1, 0, 1].into());
}

/// Divisors of up to 40 limbs, and such that are close to a reciprocal: from five limbs on, low products tell the power
/// difference.
fn structured_deviations<B: Base>(count: usize) -> BTreeSet<i64> {
    let strategy =
        (1..40_usize, 1..40_usize, any::<bool>(), 0..3_u32).prop_flat_map(|(d, n, reciprocal, nudge)| {
            (pattern::<B>(d), pattern::<B>(n)).prop_map(move |(v, q)| {
                let v =
                    if reciprocal { (power::<B>(d + n) / q + nudge).max(2_u32.into()) - 1_u32 } else { v };
                let h = limbs::<B>(&v).len() - 1 + n;
                (v, h)
            })
        });
    samples(strategy, count).map(|(v, h)| deviation::<B>(&v, h)).collect()
}

macro_rules! structured_deviations {
    ($($name:ident: $base:ty;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(structured_deviations::<$base>(STRUCTURED), [-1, 0, 1].into());
        }
    )*};
}

structured_deviations! {
    watt_s_inverses_of_long_operands_of_base_2_deviate_to_both_sides: Toy<1>;
    watt_s_inverses_of_long_operands_of_base_4_deviate_to_both_sides: Toy<2>;
    watt_s_inverses_of_long_operands_of_base_16_deviate_to_both_sides: Toy<4>;
    watt_s_inverses_of_long_operands_of_base_2_to_16_deviate_to_both_sides: Toy<16>;
    watt_s_inverses_of_long_operands_of_u32_deviate_to_both_sides: u32;
}
