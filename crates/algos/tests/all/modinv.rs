//! Inverses modulo any number against num-bigint.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::modinv::{ModInvError, modinv, modinv_with};
use limbforge_limb::{Base, DivisionByZero};
use limbforge_testing::operands::{integer, integer_pair, samples};
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use proptest::collection::vec;
use proptest::prelude::*;

use super::gcd::{SPLIT_EARLY, estimates_above};

fn check<B: Base>(a: &[B], m: &[B], scratch: &mut Scratch) -> Result<(), TestCaseError> {
    let mut out = vec![B::HIGHEST; a.len()];
    let result = modinv(&mut out, a, m, scratch);
    for thresholds in SPLIT_EARLY {
        let mut other = out.clone();
        prop_assert_eq!(modinv_with(&mut other, a, m, thresholds, scratch), result);
        prop_assert!(result.is_err() || other == out, "{:?}", thresholds);
    }
    let (a, m) = (value(a), value(m));
    if m.is_zero() {
        prop_assert_eq!(result, Err(ModInvError::Zero(DivisionByZero)));
        return Ok(());
    }
    if m.is_one() {
        prop_assert_eq!((result, value(&out)), (Ok(()), BigUint::zero()));
        return Ok(());
    }
    match a.modinv(&m) {
        Some(inverse) => prop_assert_eq!((result, value(&out)), (Ok(()), inverse)),
        None => prop_assert_eq!(result, Err(ModInvError::NotCoprime)),
    }
    Ok(())
}

fn operands<B: Base>() -> impl Strategy<Value = (Vec<B>, Vec<B>, usize)> {
    (1..30_usize).prop_flat_map(|n| {
        let pairs = prop_oneof![integer_pair(n), (integer(n), integer(n))];
        (pairs, 0..n).prop_map(|((a, m), cut)| (a, m, cut))
    })
}

/// Moduli as they come, odd ones, and short ones.
fn check_moduli<B: Base>((a, m, cut): (Vec<B>, Vec<B>, usize)) -> Result<(), TestCaseError> {
    let mut scratch = Scratch::default();
    check(&a, &m, &mut scratch)?;
    let mut other = m.clone();
    other[0] = other[0] | B::ONE;
    check(&a, &other, &mut scratch)?;
    other[cut..].fill(B::ZERO);
    check(&a, &other, &mut scratch)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn u32_equals_num_bigint(case in operands::<u32>()) {
        check_moduli(case)?;
    }

    #[test]
    fn u64_equals_num_bigint(case in operands::<u64>()) {
        check_moduli(case)?;
    }

    #[test]
    fn u128_equals_num_bigint(case in operands::<u128>()) {
        check_moduli(case)?;
    }
}

/// Random numbers of about one length, of which the steps are halvings modulo odd numbers: full words, one bit more than
/// words, common divisors, numbers next to each other and next to their double.
#[test]
fn random_numbers_of_like_lengths() {
    let mut scratch = Scratch::default();
    for len in (1..14).chain(18..21) {
        let numbers: Vec<_> = samples(vec(any::<u64>(), len), 90).collect();
        for (index, pair) in numbers.windows(2).enumerate() {
            let above = [0, 1, u64::MAX, 1 << 63][index % 4];
            let [mut a, mut m] = [0, 1].map(|i| [&pair[i][..], &[above, 0]].concat());
            m[0] |= 1;
            check(&a, &m, &mut scratch).expect("an inverse or none");
            a[len] = 0;
            check(&a, &m, &mut scratch).expect("an inverse or none");
            let number = value(&m[..len]);
            for (near, divisor) in [(0_u32, 1), (1, 1), (2, 1), (1 << 20, 1), (3, 0xffff_fffb_u32), (7, 3)] {
                let [x, y] = [&number * 2_u32 - near, number.clone()].map(|x| limbs(&(x * divisor), len + 2));
                check::<u64>(&x, &y, &mut scratch).expect("an inverse or none");
                let [x, y] = [&number + near, number.clone()].map(|x| limbs(&(x * divisor), len + 2));
                check::<u64>(&x, &y, &mut scratch).expect("an inverse or none");
            }
        }
    }
}

#[test]
fn long_moduli() {
    let mut scratch = Scratch::default();
    for len in [130, 310, 640] {
        let numbers: Vec<_> = samples(vec(any::<u64>(), len), 3).collect();
        let [a, m, other] = &numbers[..] else { panic!("three numbers") };
        check(a, m, &mut scratch).expect("an inverse or none");
        let odd: Vec<_> = other.iter().enumerate().map(|(i, word)| word | u64::from(i == 0)).collect();
        check(a, &odd, &mut scratch).expect("an inverse or none");
    }
}

#[test]
fn all_small_numbers() {
    let mut scratch = Scratch::default();
    for m in 0..200_u32 {
        for a in 0..220_u32 {
            check(&[a], &[m], &mut scratch).expect("an inverse or none");
        }
    }
}

#[test]
fn quotients_of_prefixes_that_are_too_large() {
    let mut scratch = Scratch::default();
    for [a, b] in estimates_above() {
        check(&a, &b, &mut scratch).expect("an inverse");
        check(&b, &a, &mut scratch).expect("an inverse");
    }
}
