//! The square root against its definition, `s^2 <= a < (s + 1)^2`.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::isqrt::isqrt_rem;
use limbforge_limb::Base;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
use proptest::prelude::*;

fn check<B: Base>(a: &[B], scratch: &mut Scratch) -> Result<(), TestCaseError> {
    let (mut root, mut rest) = (vec![B::HIGHEST; a.len()], vec![B::HIGHEST; a.len()]);
    isqrt_rem(&mut root, &mut rest, a, scratch);
    let (root, rest) = (value(&root), value(&rest));
    prop_assert_eq!(&root * &root + &rest, value(a));
    prop_assert!(rest <= root * 2_u32);
    Ok(())
}

/// A number, and the squares around it.
fn check_squares<B: Base>(a: &[B]) -> Result<(), TestCaseError> {
    let mut scratch = Scratch::default();
    check(a, &mut scratch)?;
    let square = value(a) * value(a);
    let len = 2 * a.len() + 1;
    check(&limbs::<B>(&square, len), &mut scratch)?;
    check(&limbs::<B>(&(&square + 1_u32), len), &mut scratch)?;
    check(&limbs::<B>(&(&square + value(a) * 2_u32), len), &mut scratch)?;
    if square > BigUint::ZERO {
        check(&limbs::<B>(&(square - 1_u32), len), &mut scratch)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn u32_roots((a, long) in (0..40_usize, 0..400_usize).prop_flat_map(|(n, m)| (integer::<u32>(n), integer::<u32>(m)))) {
        check_squares(&a)?;
        check_squares(&long)?;
    }

    #[test]
    fn u64_roots((a, long) in (0..20_usize, 0..400_usize).prop_flat_map(|(n, m)| (integer::<u64>(n), integer::<u64>(m)))) {
        check_squares(&a)?;
        check_squares(&long)?;
    }

    #[test]
    fn u128_roots(a in (0..20_usize).prop_flat_map(integer::<u128>)) {
        check_squares(&a)?;
    }
}

#[test]
fn all_small_numbers() {
    let mut scratch = Scratch::default();
    for a in 0..70_000_u32 {
        check(&[a], &mut scratch).expect("a root");
    }
}
