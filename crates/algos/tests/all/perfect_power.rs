//! Squares and perfect powers against num-bigint's roots, and published counts.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::perfect_power::{is_odd_perfect_power, is_perfect_power, is_square};
use limbforge_limb::Base;
use limbforge_testing::expr::number_theory;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

fn check<B: Base>(a: &[B]) -> Result<(), TestCaseError> {
    let mut scratch = Scratch::default();
    let number = BigInt::from(value(a));
    prop_assert_eq!(is_square(a, &mut scratch), number.sqrt().pow(2) == number);
    prop_assert_eq!(is_perfect_power(a, &mut scratch), number_theory::is_perfect_power(&number));
    prop_assert_eq!(is_odd_perfect_power(a, &mut scratch), number_theory::is_perfect_power(&-number));
    Ok(())
}

/// A number, and the powers around it.
fn check_powers<B: Base>(a: &[B], k: u32) -> Result<(), TestCaseError> {
    check(a)?;
    let power = value(a).pow(k);
    let len = a.len() * k as usize + 1;
    check(&limbs::<B>(&power, len))?;
    check(&limbs::<B>(&(&power + 1_u32), len))?;
    check(&limbs::<B>(&(power * 2_u32), len))
}

fn operands<B: Base>() -> impl Strategy<Value = (Vec<B>, u32)> {
    prop_oneof![(1..4_usize, 1..8_u32), (1..2_usize, 1..14_u32)].prop_flat_map(|(n, k)| (integer(n), Just(k)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn u32_powers((a, k) in operands::<u32>()) {
        check_powers(&a, k)?;
    }

    #[test]
    fn u64_powers((a, k) in operands::<u64>()) {
        check_powers(&a, k)?;
    }

    #[test]
    fn u128_powers((a, k) in operands::<u128>()) {
        check_powers(&a, k)?;
    }
}

/// Perfect powers up to 10^k, 1 among them and 0 not: 4, 13, 41, 125, 367 (sequence A070428 of the OEIS).
#[test]
fn published_counts() {
    let mut scratch = Scratch::default();
    let mut count = 0;
    let mut counts = vec![];
    for n in 1..=100_000_u32 {
        count += u32::from(is_perfect_power(&[n], &mut scratch));
        if [10, 100, 1000, 10_000, 100_000].contains(&n) {
            counts.push(count);
        }
    }
    assert_eq!(counts, [4, 13, 41, 125, 367]);
}

/// Every exponent of 2, 3 and 6 up to 900 bits: prime powers, and the number after each.
#[test]
fn all_exponents() {
    let mut scratch = Scratch::default();
    for base in [2_u32, 3, 6] {
        for k in 2..300 {
            let power = BigUint::from(base).pow(k);
            assert!(is_perfect_power(&limbs::<u64>(&power, 16), &mut scratch), "{base}^{k}");
            let odd = (3..=k).step_by(2).any(|divisor| k % divisor == 0);
            assert_eq!(is_odd_perfect_power(&limbs::<u64>(&power, 16), &mut scratch), odd, "{base}^{k}");
            // Catalan: 8 and 9 are the only powers that are neighbours.
            let next = is_perfect_power(&limbs::<u64>(&(power + 1_u32), 16), &mut scratch);
            assert_eq!(next, (base, k) == (2, 3), "{base}^{k} + 1");
        }
    }
}
