//! Tests of primality against division, num-bigint, and published lists.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::primality::{
    is_prime, is_strong_lucas_probable_prime, is_strong_probable_prime,
};
use limbforge_limb::Base;
use limbforge_reference::primality;
use limbforge_testing::expr::number_theory;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
use proptest::prelude::*;

fn check<B: Base>(n: &[B], base: &[B]) -> Result<(), TestCaseError> {
    let mut scratch = Scratch::default();
    prop_assert_eq!(is_prime(n, &mut scratch), number_theory::is_prime(&value(n)));
    prop_assert_eq!(
        is_strong_probable_prime(n, base, &mut scratch),
        number_theory::is_strong_probable_prime(&value(n).into(), &value(base).into())
    );
    Ok(())
}

fn operands<B: Base>(longest: usize) -> impl Strategy<Value = (Vec<B>, Vec<B>)> {
    (1..longest).prop_flat_map(|n| (integer::<B>(n), integer::<B>(n)))
}

/// As they come, and odd.
fn check_both<B: Base>((mut n, base): (Vec<B>, Vec<B>)) -> Result<(), TestCaseError> {
    check(&n, &base)?;
    n[0] = n[0] | B::ONE;
    check(&n, &base)
}

proptest! {
    #[test]
    fn u32_equals_num_bigint(case in operands::<u32>(12)) {
        check_both(case)?;
    }

    #[test]
    fn u64_equals_num_bigint(case in operands::<u64>(6)) {
        check_both(case)?;
    }

    #[test]
    fn u128_equals_num_bigint(case in operands::<u128>(4)) {
        check_both(case)?;
    }
}

#[test]
fn all_small_numbers_by_division() {
    let mut scratch = Scratch::default();
    for n in 0..100_000_u64 {
        assert_eq!(is_prime(&[n], &mut scratch), primality::is_prime(n), "{n}");
    }
    // Around the square of the smallest prime that is not divided by.
    for n in 257 * 257 - 50..257 * 257 + 50 {
        assert_eq!(is_prime(&[n], &mut scratch), primality::is_prime(n), "{n}");
    }
}

/// The composite numbers below `end` that pass.
fn pseudoprimes(end: u64, mut passes: impl FnMut(u64) -> bool) -> Vec<u64> {
    (3..end).step_by(2).filter(|&n| passes(n) && !primality::is_prime(n)).collect()
}

/// OEIS A001262.
#[test]
fn strong_pseudoprimes_to_the_base_2() {
    let mut scratch = Scratch::default();
    let found = pseudoprimes(50_000, |n| is_strong_probable_prime(&[n], &[2], &mut scratch));
    assert_eq!(found, [2047, 3277, 4033, 4681, 8321, 15841, 29341, 42799, 49141]);
}

/// OEIS A217255, with Selfridge's parameters.
#[test]
fn strong_lucas_pseudoprimes() {
    let mut scratch = Scratch::default();
    let found = pseudoprimes(100_000, |n| is_strong_lucas_probable_prime(&[n], &mut scratch));
    assert_eq!(found, [5459, 5777, 10877, 16109, 18971, 22499, 24569, 25199, 40309, 58519, 75077, 97439]);
    for n in (3..100_000).step_by(2).filter(|&n| primality::is_prime(n)) {
        assert!(is_strong_lucas_probable_prime(&[n], &mut scratch), "{n} is prime");
    }
}

/// `psi_n`, the smallest composite number that is a strong probable prime to the first n prime bases: Jaeschke 1993, Jiang and Deng
/// 2014, Sorenson and Webster 2015 (OEIS A014233).
#[test]
fn smallest_strong_pseudoprimes_to_several_bases() {
    let psi: [(&str, usize); 10] = [
        ("2047", 1),
        ("1373653", 2),
        ("25326001", 3),
        ("3215031751", 4),
        ("2152302898747", 5),
        ("3474749660383", 6),
        ("341550071728321", 8),
        ("3825123056546413051", 11),
        ("318665857834031151167461", 12),
        ("3317044064679887385961981", 13),
    ];
    let primes = [2_u64, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43];
    let mut scratch = Scratch::default();
    for (number, bases) in psi {
        let n = limbs::<u64>(&number.parse::<BigUint>().expect("a number"), 4);
        for &base in &primes[..bases] {
            assert!(is_strong_probable_prime(&n, &[base], &mut scratch), "{number} passes {base}");
        }
        assert!(!is_prime(&n, &mut scratch), "{number} is composite");
    }
    // And not to the next.
    for (number, bases) in psi {
        let n = limbs::<u64>(&number.parse::<BigUint>().expect("a number"), 4);
        assert!(!is_strong_probable_prime(&n, &[primes[bases]], &mut scratch), "{number}");
    }
}

/// A strong pseudoprime to all prime bases below 100 (Bleichenbacher 1996).
#[test]
fn strong_pseudoprime_to_the_bases_below_100() {
    let mut scratch = Scratch::default();
    let number = "68528663395046912244223605902738356719751082784386681071";
    let n = limbs::<u64>(&number.parse::<BigUint>().expect("a number"), 3);
    for base in (2..100).filter(|&base| primality::is_prime(base)) {
        assert!(is_strong_probable_prime(&n, &[base], &mut scratch), "{base}");
    }
    assert!(!is_strong_probable_prime(&n, &[101], &mut scratch));
    assert!(!is_strong_lucas_probable_prime(&n, &mut scratch));
    assert!(!is_prime(&n, &mut scratch));
}

/// Numbers that pass Fermat's test to every base that is coprime to them.
#[test]
fn carmichael_numbers_are_composite() {
    let mut scratch = Scratch::default();
    let small = [
        561_u64, 1105, 1729, 2465, 2821, 6601, 8911, 10585, 15841, 29341, 41041, 46657, 52633, 62745, 63973,
        75361,
    ];
    for n in small {
        assert!(!is_prime(&[n], &mut scratch), "{n}");
    }
    // Chernick: (6k + 1)(12k + 1)(18k + 1), where all three are prime.
    let factors = |k: u64| [6 * k + 1, 12 * k + 1, 18 * k + 1];
    let mut found = 0;
    for k in 1 << 50.. {
        let primes = factors(k);
        if primes.iter().all(|&p| is_prime(&[p], &mut scratch)) {
            let product = primes.iter().map(|&p| BigUint::from(p)).product();
            assert!(!is_prime(&limbs::<u64>(&product, 3), &mut scratch), "{product}");
            found += 1;
            if found == 10 {
                break;
            }
        }
    }
}

/// `2^p - 1` is prime for these p below 1300 and no others; `2^n - c` is the largest prime below for these.
#[test]
fn published_primes() {
    let mut scratch = Scratch::default();
    let power = |n: u32| BigUint::from(1_u32) << n;
    let mersenne: Vec<u32> = (2..1300_u32)
        .filter(|&p| primality::is_prime(p.into()))
        .filter(|&p| is_prime(&limbs::<u64>(&(power(p) - 1_u32), 21), &mut scratch))
        .collect();
    assert_eq!(mersenne, [2, 3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279]);
    for (n, c) in [(64, 59_u32), (128, 159), (256, 189), (512, 569), (1024, 105)] {
        let largest = (1..).find(|&c| is_prime(&limbs::<u64>(&(power(n) - c), 16), &mut scratch));
        assert_eq!(largest, Some(c), "2^{n}");
    }
}
