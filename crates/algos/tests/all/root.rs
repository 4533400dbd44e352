//! Roots against their definition, `r^k <= a < (r + 1)^k`.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::root::{ZeroDegree, root};
use limbforge_limb::Base;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
use proptest::prelude::*;

fn check<B: Base>(a: &[B], k: u32, scratch: &mut Scratch) -> Result<(), TestCaseError> {
    let mut out = vec![B::HIGHEST; a.len()];
    let exact = root(&mut out, a, k, scratch);
    if k == 0 {
        prop_assert_eq!(exact, Err(ZeroDegree));
        return Ok(());
    }
    let (a, found) = (value(a), value(&out));
    // 2^k is above a.
    let k = k.min(a.bits() as u32 + 1);
    let below = found.pow(k);
    prop_assert!(below <= a && (&found + 1_u32).pow(k) > a, "{found} is no root of degree {k} of {a}");
    prop_assert_eq!(exact, Ok(below == a));
    Ok(())
}

/// A number, and the powers around it.
fn check_powers<B: Base>(a: &[B], k: u32) -> Result<(), TestCaseError> {
    let mut scratch = Scratch::default();
    for k in [0, 1, 2, 3, k, u32::MAX] {
        check(a, k, &mut scratch)?;
    }
    let power = value(a).pow(k);
    let len = a.len() * k as usize + 1;
    check(&limbs::<B>(&power, len), k, &mut scratch)?;
    check(&limbs::<B>(&(&power + 1_u32), len), k, &mut scratch)?;
    if power > BigUint::ZERO {
        check(&limbs::<B>(&(power - 1_u32), len), k, &mut scratch)?;
    }
    Ok(())
}

fn operands<B: Base>() -> impl Strategy<Value = (Vec<B>, u32)> {
    prop_oneof![(1..20_usize, 1..9_u32), (1..3_usize, 1..200_u32)]
        .prop_flat_map(|(n, k)| (integer(n), Just(k)))
}

proptest! {
    #[test]
    fn u32_roots((a, k) in operands::<u32>()) {
        check_powers(&a, k)?;
    }

    #[test]
    fn u64_roots((a, k) in operands::<u64>()) {
        check_powers(&a, k)?;
    }

    #[test]
    fn u128_roots((a, k) in operands::<u128>()) {
        check_powers(&a, k)?;
    }
}

#[test]
fn all_small_numbers() {
    let mut scratch = Scratch::default();
    for a in 0..3000_u32 {
        for k in 0..15 {
            check(&[a], k, &mut scratch).expect("a root");
        }
    }
}

/// Every degree of one number, through roots of all lengths.
#[test]
fn all_degrees() {
    let mut scratch = Scratch::default();
    let a: Vec<u64> = (1..=20_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    for number in [a, vec![u64::MAX; 20]] {
        for k in 1..1300 {
            check(&number, k, &mut scratch).expect("a root");
        }
    }
}
