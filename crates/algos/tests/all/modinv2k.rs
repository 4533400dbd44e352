//! Inverses modulo powers of two against num-bigint and their definition.

use limbforge_algos::integer::modinv2k::{EvenNumber, lift, modinv2k};
use limbforge_algos::integer::{Schoolbook, Scratch};
use limbforge_limb::Base;
use limbforge_reference::reduction::inverse_modulo_power_of_two;
use limbforge_reference::toy::Toy;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
use num_traits::One;
use proptest::prelude::*;

fn check<B: Base>(a: &[B]) -> Result<(), TestCaseError> {
    let mut out = vec![B::HIGHEST; a.len()];
    let result = modinv2k(&mut out, a, &mut Scratch::default());
    if !value(a).bit(0) {
        prop_assert_eq!((result, inverse_modulo_power_of_two(a)), (Err(EvenNumber), None));
        return Ok(());
    }
    prop_assert_eq!(result, Ok(()));
    let modulus = BigUint::one() << (a.len() as u32 * B::BITS);
    prop_assert_eq!(Some(value(&out)), value(a).modinv(&modulus));
    prop_assert_eq!(inverse_modulo_power_of_two(a), Some(out));
    Ok(())
}

/// As it comes, and odd.
fn check_both<B: Base>(mut a: Vec<B>) -> Result<(), TestCaseError> {
    check(&a)?;
    a[0] = a[0] | B::ONE;
    check(&a)
}

proptest! {
    #[test]
    fn u32_inverses(a in (1..30_usize).prop_flat_map(integer::<u32>)) {
        check_both(a)?;
    }

    #[test]
    fn u64_inverses(a in (1..30_usize).prop_flat_map(integer::<u64>)) {
        check_both(a)?;
    }

    #[test]
    fn u128_inverses(a in (1..15_usize).prop_flat_map(integer::<u128>)) {
        check_both(a)?;
    }
}

#[test]
fn all_numbers_of_short_limbs() {
    fn all<B: Base>(longest: usize) {
        for len in 1..=longest {
            for a in (1..1_u32 << (B::BITS * len as u32)).step_by(2) {
                let a = limbs::<B>(&a.into(), len);
                let mut out = a.clone();
                lift(&mut out, &a, &mut Schoolbook).expect("odd");
                assert_eq!(inverse_modulo_power_of_two(&a), Some(out));
            }
        }
    }
    all::<Toy<1>>(11);
    all::<Toy<2>>(5);
    all::<Toy<3>>(4);
    all::<Toy<4>>(3);
    all::<Toy<6>>(2);
}

/// Lengths whose products are transforms.
#[test]
fn long_numbers() {
    let a: Vec<u64> =
        (0..700_u64).map(|i| (2 * i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(20) | 1).collect();
    let mut out = vec![0; a.len()];
    modinv2k(&mut out, &a, &mut Scratch::default()).expect("odd");
    let modulus = BigUint::one() << (64 * a.len());
    assert!(((value(&out) * value(&a)) % modulus).is_one());
}
