//! The front: every width from 2^9 to 2^18 bits, every limb, and lengths of every relation.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::div::div_rem;
use limbforge_limb::Base;
use limbforge_reference::sample::{sample, usual_or};
use limbforge_testing::division::{pattern, power};
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::value;
use num_bigint::BigUint;
use num_traits::Zero;
use proptest::prelude::*;

use crate::div::limbs;

fn check<B: Base>(u: &[B], v: &[B], scratch: &mut Scratch) {
    let (mut q, mut r) = (vec![B::HIGHEST; u.len()], vec![B::HIGHEST; v.len()]);
    let result = div_rem(&mut q, &mut r, u, v, scratch);
    let (u, v) = (value(u), value(v));
    if v.is_zero() {
        assert!(result.is_err());
        return;
    }
    assert_eq!(result, Ok(()));
    assert!(value(&q) == &u / &v && value(&r) == &u % &v, "{u:#x} by {v:#x}");
}

/// The operands as limbs, with zeros at their tops.
fn check_padded<B: Base>(u: &BigUint, v: &BigUint, scratch: &mut Scratch) {
    let (mut u, mut v) = (limbs::<B>(u), limbs::<B>(v));
    u.resize(u.len() + 3, B::ZERO);
    v.resize(v.len() + 2, B::ZERO);
    check(&u, &v, scratch);
}

/// Pseudo-random bits, or runs of them.
fn number(bits: usize, seed: u64, runs: bool) -> BigUint {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if runs { if state.is_multiple_of(3) { u32::MAX } else { 0 } } else { state as u32 }
    };
    let number = BigUint::new((0..bits.div_ceil(32)).map(|_| next()).collect());
    let number = number % (BigUint::from(1_u32) << bits);
    number | BigUint::from(1_u32) << (bits - 1)
}

fn all_widths_are_exact<B: Base>() {
    let mut scratch = Scratch::default();
    for k in 9..=18 {
        let bits = 1_usize << k;
        let parts = [(1, 2), (1, 2), (1, 4), (9, 10), (1, 3), (31, 32), (1, 64)].into_iter().enumerate();
        for (i, part) in sample(&format!("{bits} {}", B::BITS), parts, 2) {
            let i = i as u64;
            let v = number((bits * part.0 / part.1).max(1), 2 * i + 1, i % 3 == 1);
            let u = number(bits - 17 * (i as usize % 2), 2 * i + 2, i % 3 == 2);
            let multiple = (&u / &v).max(BigUint::from(1_u32)) * &v;
            let below = &multiple - 1_u32;
            for u in [u, multiple, below] {
                check_padded::<B>(&u, &v, &mut scratch);
            }
        }
    }
}

#[test]
fn all_widths_of_u32() {
    all_widths_are_exact::<u32>();
}

#[test]
fn all_widths_of_u64() {
    all_widths_are_exact::<u64>();
}

#[test]
fn all_widths_of_u128() {
    all_widths_are_exact::<u128>();
}

/// The inverse of a divisor is kept for the next dividends, of any lengths; another divisor has another.
#[test]
fn divisors_that_return() {
    let mut scratch = Scratch::default();
    let divisors = [number(64 * 300, 3, false), number(64 * 300, 4, false), number(64 * 300 - 64, 3, false)];
    for (i, m) in [(0, 600), (0, 600), (0, 900), (1, 600), (0, 600), (2, 600), (0, 500), (0, 600)] {
        check_padded::<u64>(&number(64 * m, m as u64, false), &divisors[i], &mut scratch);
    }
}

/// Dividends of many times the divisor's length, and of twice (2M limbs by M).
#[test]
fn long_dividends() {
    let mut scratch = Scratch::default();
    let lengths = [(4096, 192), (5000, 600), (1200, 600), (700, 699), (700, 350), (20_000, 170)];
    for (m, n) in sample("long dividends", lengths, 2) {
        let (u, v) = (number(64 * m, 5, false), number(64 * n - 3, 7, true));
        check_padded::<u64>(&u, &v, &mut scratch);
        check_padded::<u64>(&(power::<u64>(m) - 1_u32), &v, &mut scratch);
        check_padded::<u64>(&u, &power::<u64>(n), &mut scratch);
    }
}

fn lengths<B: Base>(longest: usize) -> impl Strategy<Value = (Vec<B>, Vec<B>)> {
    (0..longest, 0..longest).prop_flat_map(|(m, n)| (integer(m), integer(n)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(usual_or(60, 300)))]

    #[test]
    fn u32_equals_num_bigint((u, v) in lengths::<u32>(1000)) {
        check(&u, &v, &mut Scratch::default());
    }

    #[test]
    fn u64_equals_num_bigint((u, v) in lengths::<u64>(700)) {
        check(&u, &v, &mut Scratch::default());
    }

    #[test]
    fn u128_equals_num_bigint((u, v) in lengths::<u128>(300)) {
        check(&u, &v, &mut Scratch::default());
    }

    /// Quotients and divisors of the lengths at which transforms do the products, at the ends of their intervals.
    #[test]
    fn structured_operands_by_transforms(
        (v, q) in (160..260_usize, 160..260_usize).prop_flat_map(|(d, n)| (pattern::<u64>(d), pattern::<u64>(n))),
    ) {
        let mut scratch = Scratch::default();
        for u in [&q * &v, &q * &v - 1_u32, &q * &v + (&v - 1_u32)] {
            check_padded::<u64>(&u, &v, &mut scratch);
        }
    }
}
