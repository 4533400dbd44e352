//! Powers modulo any number against num-bigint.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::powmod::powmod;
use limbforge_limb::{Base, DivisionByZero};
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::value;
use num_bigint::BigUint;
use num_traits::Zero;
use proptest::prelude::*;

fn check<B: Base>(
    base: &[B],
    exponent: &[B],
    modulus: &[B],
    scratch: &mut Scratch,
) -> Result<(), TestCaseError> {
    let mut out = vec![B::HIGHEST; base.len()];
    let result = powmod(&mut out, base, exponent, modulus, scratch);
    let modulus = value(modulus);
    if modulus.is_zero() {
        prop_assert_eq!(result, Err(DivisionByZero));
        return Ok(());
    }
    prop_assert_eq!((result, value(&out)), (Ok(()), value(base).modpow(&value(exponent), &modulus)));
    Ok(())
}

type Case<B> = (Vec<B>, Vec<B>, Vec<B>, usize);

fn operands<B: Base>(longest: usize) -> impl Strategy<Value = Case<B>> {
    (1..longest).prop_flat_map(|n| (integer(n), integer(n), integer(n), 0..n))
}

/// The modulus as it comes, an odd one, and a short one.
fn check_moduli<B: Base>((base, exponent, modulus, cut): Case<B>) -> Result<(), TestCaseError> {
    let mut scratch = Scratch::default();
    check(&base, &exponent, &modulus, &mut scratch)?;
    let mut other = modulus;
    other[0] = other[0] | B::ONE;
    check(&base, &exponent, &other, &mut scratch)?;
    other[cut + 1..].fill(B::ZERO);
    check(&base, &exponent, &other, &mut scratch)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn u32_equals_num_bigint(case in operands::<u32>(24)) {
        check_moduli(case)?;
    }

    #[test]
    fn u64_equals_num_bigint(case in operands::<u64>(12)) {
        check_moduli(case)?;
    }

    #[test]
    fn u128_equals_num_bigint(case in operands::<u128>(6)) {
        check_moduli(case)?;
    }
}

/// Moduli whose products are transforms, with a short exponent.
#[test]
fn long_moduli() {
    let mut scratch = Scratch::default();
    for len in [100, 255, 256, 300] {
        let number = |seed: u64| -> Vec<u64> {
            (1..=len).map(|i: u64| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)).collect()
        };
        let mut exponent = vec![0; len as usize];
        exponent[0] = 0b1_0110_1101;
        for modulus in [number(1), vec![u64::MAX; len as usize]] {
            check(&number(2), &exponent, &modulus, &mut scratch).expect("a power");
        }
    }
}

#[test]
fn all_small_numbers() {
    let mut scratch = Scratch::default();
    for modulus in 0..30_u32 {
        for base in 0..33 {
            for exponent in 0..20 {
                check(&[base], &[exponent], &[modulus], &mut scratch).expect("a power");
            }
        }
    }
    assert!(BigUint::zero().modpow(&BigUint::zero(), &BigUint::from(5_u32)) == BigUint::from(1_u32));
}
