use limbforge_limb::convert::to_biguint;
use num_bigint::{BigInt, BigUint};

use super::*;

fn random(len: usize, seed: u64) -> Vec<u64> {
    (0..len as u64).map(|i| (seed + 3 * i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)).collect()
}

/// Divisors with their top bits set: a half and a little more, all ones, and others.
fn divisors(len: usize) -> Vec<Vec<u64>> {
    let mut half = vec![0; len];
    half[len - 1] = 1 << 63;
    let mut more = half.clone();
    more[0] |= 1;
    let mut other = random(len, 5);
    other[len - 1] |= 1 << 63;
    let mut ones_below = vec![u64::MAX; len];
    ones_below[len - 1] = 1 << 63;
    vec![half, more, vec![u64::MAX; len], other, ones_below]
}

fn words_of(number: &BigUint, len: usize) -> Vec<u64> {
    let mut words = number.to_u64_digits();
    words.resize(len, 0);
    words
}

/// Dividends below the divisor: the nearest ones, 0, exact multiples of it and their neighbours, and others.
fn dividends(k: usize, v: &[u64]) -> Vec<Vec<u64>> {
    let len = 2 * k + 5;
    let one = || BigUint::from(1_u32);
    let scaled = to_biguint(v) << (64 * (len - v.len()));
    let mut numbers = vec![BigUint::from(0_u32), one(), &scaled - 1_u32, &scaled >> 1, &scaled >> 65];
    numbers.push(&scaled - (one() << (64 * (len - k / 2 - 1))));
    for digits in [vec![u64::MAX; k], random(k, 11), [vec![0; k / 2], vec![u64::MAX; k - k / 2]].concat()] {
        let multiple = (to_biguint(&digits) * to_biguint(v)) << (64 * (len - v.len() - k));
        numbers.extend([&multiple - 1_u32, &multiple + 1_u32, multiple]);
    }
    numbers.push(to_biguint(&random(len, 3)) % &scaled);
    numbers.iter().map(|number| words_of(number, len)).collect()
}

#[test]
fn estimates_are_off_by_less_than_their_error() {
    let product = &mut Product::default();
    for k in [1, 2, 150, 200, 201, 256, 399, 400, 401, 577, 803] {
        for v in [k, k + 1, k + 4].into_iter().flat_map(divisors) {
            for u in dividends(k, &v) {
                let mut q = vec![9; k];
                assert!(estimate(&mut q, &u, &v, product));
                // B^k U / V = u / v B^(k + n - m).
                let (m, n) = (u.len(), v.len());
                let scaled = BigInt::from(to_biguint(&v)) << (64 * (m - n - k));
                let off = BigInt::from(to_biguint(&q)) * &scaled - BigInt::from(to_biguint(&u));
                assert!(*off.magnitude() < scaled.magnitude() * ERROR, "{k} words: {u:x?} by {v:x?}");
            }
        }
    }
}

#[test]
fn remainders_correct_quotients() {
    let product = &mut Product::default();
    for (k, n) in [(1, 2), (5, 9), (30, 23), (70, 70), (300, 292), (300, 500)] {
        for v in divisors(n) {
            let q = random(k, 7);
            let (divisor, quotient) = (to_biguint(&v), to_biguint(&q));
            for rest in [BigUint::from(0_u32), BigUint::from(1_u32), &divisor - 1_u32, &divisor / 3_u32] {
                let u = words_of(&(&quotient * &divisor + &rest), n + k);
                for off in -2..=2_i32 {
                    let start: BigInt = BigInt::from(quotient.clone()) + off;
                    let mut found = words_of(start.magnitude(), k);
                    let mut left = vec![9; n];
                    assert!(remainder(&mut found, &mut left, &u, &v, product));
                    assert_eq!((to_biguint(&found), to_biguint(&left)), (quotient.clone(), rest.clone()));
                }
            }
        }
    }
}
