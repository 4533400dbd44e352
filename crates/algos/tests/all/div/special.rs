//! Special cases, and the operands that other implementations fail on.

use limbforge_algos::integer::div::{div_rem, is_multiple, watt};
use limbforge_algos::integer::{Schoolbook, Scratch};
use limbforge_limb::{Base, DivisionByZero};
use limbforge_reference::toy::Toy;
use limbforge_testing::division::{add_back, corners, short_divisors};
use num_bigint::BigUint;

use crate::div::{check_all, limbs, power, value};

fn special<B: Base>() {
    for v in corners::<B>() {
        let v_limbs = limbs::<B>(&v);
        for h in v_limbs.len() - 1..8 {
            let inverse = value(&watt::shifted_inverse(&v_limbs, h, &mut Schoolbook));
            let exact = power::<B>(h) / &v;
            assert!(inverse.clone() + 1_u32 >= exact && inverse <= exact + 1_u32, "B^{h} / {v:#x}");
        }
        for u in corners::<B>().into_iter().chain([BigUint::ZERO]) {
            check_all::<B>(&u, &v);
        }
    }
    // v > B^h is not "a digit from the h-th on exceeds": [1, 0, 0, 1] > B^3.
    let inverse = watt::shifted_inverse(&[B::ONE, B::ZERO, B::ZERO, B::ONE], 3, &mut Schoolbook);
    assert!(inverse.is_empty());
    // 2 v = B^h gives 2, though the top digit is B/2.
    let half = B::ONE << (B::BITS - 1) as usize;
    let inverse = watt::shifted_inverse(&[B::ZERO, half], 2, &mut Schoolbook);
    assert_eq!(value(&inverse), BigUint::from(2_u32));
}

#[test]
fn special_cases_on_every_limb() {
    special::<u32>();
    special::<u64>();
    special::<u128>();
    special::<Toy<1>>();
    special::<Toy<2>>();
    special::<Toy<3>>();
    special::<Toy<4>>();
    special::<Toy<16>>();
}

/// v = [1, 0, B/2], u = B^6 - 1: Watt's quotient is two too small.
#[test]
fn a_correction_by_two_is_needed() {
    fn check<B: Base>() {
        let v = [B::ONE, B::ZERO, B::ONE << (B::BITS - 1) as usize];
        assert_eq!(check_all::<B>(&(power::<B>(6) - 1_u32), &value(&v)), 2);
    }
    check::<u32>();
    check::<u64>();
    check::<u128>();
}

/// v = [1, 0, 0, 1], u = floor((B^4 - 1) / v) v - 1: Watt's quotient is one too large.
#[test]
fn a_correction_downwards_is_needed() {
    fn check<B: Base>() {
        let v = power::<B>(3) + 1_u32;
        let u = (power::<B>(4) - 1_u32) / &v * &v - 1_u32;
        assert_eq!(check_all::<B>(&u, &v), -1);
    }
    check::<u32>();
    check::<u64>();
    check::<u128>();
}

/// B = 2^32, where a published kernel's quotient is one too small.
#[test]
fn all_ones_by_sparse_divisors() {
    let u = power::<u32>(6) - 1_u32;
    let v = BigUint::parse_bytes(b"100000000040000000010000000004000", 16).unwrap();
    for v in [v.clone(), &v - 1_u32, v + 1_u32] {
        check_all::<u32>(&u, &v);
        check_all::<u64>(&u, &v);
        check_all::<u128>(&u, &v);
    }
}

/// Divisors of one to three limbs under a full dividend of M limbs: the inverse has more than M limbs.
#[test]
fn short_divisors_under_full_dividends() {
    fn check<B: Base>() {
        for (u, v) in [4, 16, 64].into_iter().flat_map(short_divisors::<B>) {
            check_all::<B>(&u, &v);
        }
    }
    check::<u32>();
    check::<u64>();
    check::<u128>();
}

/// Knuth's step D6.
#[test]
fn knuth_s_add_back() {
    fn check<B: Base>() {
        for (u, v) in add_back::<B>() {
            check_all::<B>(&u, &v);
        }
    }
    check::<u32>();
    check::<u64>();
    check::<u128>();
    check::<Toy<3>>();
}

#[test]
fn zero_divisors_are_errors_and_leave_the_results() {
    let (mut q, mut r) = ([7_u64; 300], [7; 200]);
    let result = div_rem(&mut q, &mut r, &[u64::MAX; 300], &[0; 200], &mut Scratch::default());
    assert_eq!((result, q, r), (Err(DivisionByZero), [7; 300], [7; 200]));
}

#[test]
fn multiples() {
    let mut scratch = Scratch::default();
    for len in [1, 2, 5, 200] {
        let v: Vec<u32> = (1..=len).map(|i: u32| i.wrapping_mul(0x9e37_79b9) | 1).collect();
        let u = limbs::<u32>(&(value(&v) * (power::<u32>(3) + 5_u32)));
        assert!(is_multiple(&u, &v, &mut scratch) && is_multiple::<u32>(&[], &v, &mut scratch));
        let more = limbs::<u32>(&(value(&u) + 1_u32));
        assert_eq!(is_multiple(&more, &v, &mut scratch), value(&v) == BigUint::from(1_u32));
        assert!(!is_multiple(&u, &[0, 0], &mut scratch));
    }
    assert!(is_multiple(&[0_u64], &[0], &mut scratch), "of 0, 0 is a multiple");
    assert!(!is_multiple(&[3_u64, 1], &[2, 1], &mut scratch), "odd numbers are no multiples of even ones");
}
