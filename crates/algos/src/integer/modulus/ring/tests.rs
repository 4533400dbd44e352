//! Products of long moduli, on both sides of the lengths from which transforms compute them.

use num_bigint::BigUint;

use super::{BY_TRANSFORMS, BY_TRANSFORMS_AFTER_ROWS};
use crate::integer::Scratch;
use crate::integer::modulus::constants::Ring;

fn value(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |sum, &word| (sum << 64) + word)
}

/// `x^exponent` and `1/x` by the ring, and by num-bigint.
fn check(modulus: &[u64], x: &[u64], scratch: &mut Scratch) {
    let (ring, exponent) = (Ring::montgomery(modulus, scratch).expect("odd"), 0x1_2345_u64);
    let (m, number) = (value(modulus), value(x));
    assert_eq!(value(&ring.leave(&ring.one, scratch)), 1_u32 % &m);
    assert_eq!(value(&ring.power_of(x, &[exponent], scratch)), number.modpow(&exponent.into(), &m), "{m:x}");
    let mut inverse = vec![0; modulus.len()];
    let found = ring.inverse(&mut inverse, &ring.enter(x, scratch), scratch);
    let expected = number.modinv(&m);
    assert_eq!(found.is_ok(), expected.is_some(), "{m:x}");
    if let Some(expected) = expected {
        assert_eq!(value(&ring.leave(&inverse, scratch)), expected, "{m:x}");
    }
}

#[test]
fn long_moduli() {
    let mut scratch = Scratch::default();
    let ((a, b), (c, d)) = (BY_TRANSFORMS, BY_TRANSFORMS_AFTER_ROWS);
    let lengths = [a, b, c, d].into_iter().flat_map(|n| [n - 1, n, n + 1]);
    for n in lengths.chain([128, 192, 256]) {
        let word = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i as u32 % 64);
        let mut random: Vec<u64> = (0..n).map(word).collect();
        random[0] |= 1;
        let mut sparse = vec![0; n];
        (sparse[0], sparse[n - 1]) = (1, 1);
        for modulus in [vec![u64::MAX; n], random, sparse] {
            let mut most = modulus.clone();
            most[0] -= 1;
            for x in [vec![u64::MAX; n + 1], most, (3..n + 3).map(word).collect(), vec![2]] {
                check(&modulus, &x, &mut scratch);
            }
        }
    }
}
