//! The greatest common divisor against Euclid's algorithm of num-bigint, and its laws.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::gcd::gcd;
use limbforge_limb::Base;
use limbforge_testing::operands::{integer, integer_pair};
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
use num_traits::Zero;
use proptest::prelude::*;

fn euclid(mut a: BigUint, mut b: BigUint) -> BigUint {
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

fn check<B: Base>(a: &[B], b: &[B], scratch: &mut Scratch) -> Result<(), TestCaseError> {
    let mut out = vec![B::HIGHEST; a.len()];
    gcd(&mut out, a, b, scratch);
    prop_assert_eq!(value(&out), euclid(value(a), value(b)));
    let found = out.clone();
    gcd(&mut out, b, a, scratch);
    prop_assert_eq!(out, found, "commutative");
    Ok(())
}

/// Independent numbers, related ones, and multiples of a common factor.
fn check_limb<B: Base>((a, b): &(Vec<B>, Vec<B>), factor: &[B], cut: usize) -> Result<(), TestCaseError> {
    let mut scratch = Scratch::default();
    check(a, b, &mut scratch)?;
    let len = a.len() + factor.len();
    let multiples = [a, b].map(|number| limbs::<B>(&(value(number) * value(factor)), len));
    check(&multiples[0], &multiples[1], &mut scratch)?;
    let mut short = b.clone();
    short[cut.min(b.len())..].fill(B::ZERO);
    check(a, &short, &mut scratch)
}

fn operands<B: Base>() -> impl Strategy<Value = ((Vec<B>, Vec<B>), Vec<B>, usize)> {
    (1..30_usize, 1..9_usize).prop_flat_map(|(m, n)| (integer_pair(m), integer(n), 0..m))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn u32_equals_euclid((pair, factor, cut) in operands::<u32>()) {
        check_limb(&pair, &factor, cut)?;
    }

    #[test]
    fn u64_equals_euclid((pair, factor, cut) in operands::<u64>()) {
        check_limb(&pair, &factor, cut)?;
    }

    #[test]
    fn u128_equals_euclid((pair, factor, cut) in operands::<u128>()) {
        check_limb(&pair, &factor, cut)?;
    }
}

/// Fibonacci numbers take the most steps, all with the quotient 1; powers of two the longest quotients.
#[test]
fn worst_cases() {
    let mut scratch = Scratch::default();
    let (mut a, mut b) = (BigUint::zero(), BigUint::from(1_u32));
    for _ in 0..2900 {
        (a, b) = (b.clone(), a + b);
    }
    let [a, b] = [a, b].map(|number| limbs::<u64>(&number, 32));
    check(&a, &b, &mut scratch).expect("Fibonacci numbers");
    for (i, j) in [(2000, 1), (2000, 1999), (64, 63), (128, 64), (1000, 0)] {
        let power = |k: u32| BigUint::from(1_u32) << k;
        for (x, y) in
            [(power(i), power(j)), (power(i) - 1_u32, power(j) - 1_u32), (power(i) + 1_u32, power(j))]
        {
            check(&limbs::<u64>(&x, 32), &limbs::<u64>(&y, 32), &mut scratch).expect("powers");
        }
    }
    check::<u64>(&[0, 0], &[0, 0], &mut scratch).expect("zeros");
}
