use limbforge_limb::convert::to_biguint;
use num_bigint::{BigInt, BigUint};

use super::*;

/// All ones, so that every coefficient is as large as can be, or pseudorandom words.
fn words(len: usize, seed: u64) -> Vec<u64> {
    let random = |i: u64| (seed + 3 * i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    (0..len as u64).map(|i| if seed == 0 { u64::MAX } else { random(i) }).collect()
}

fn modulus(len: usize) -> BigUint {
    (BigUint::from(1_u32) << (64 * len)) - 1_u32
}

#[test]
fn products_are_those_modulo_the_power_less_one() {
    let mut scratch = Scratch::default();
    for (least, seed) in [1, 24, 25, 47, 100, 300, 577].into_iter().flat_map(|len| [(len, 0), (len, 1)]) {
        let wrapped = Wrapped::of_words(least).expect("a transform");
        let n = wrapped.len();
        assert!(n >= least);
        let (a, b) = (words(n, seed), words(n - n / 3, 5 * seed));
        let (mut out, mut again, mut square) = (vec![9; n], vec![9; n], vec![9; n]);
        wrapped.product(&mut out, Factors::Pair(&a, &b), &mut scratch);
        let kept = wrapped.transformed(&b, &mut scratch);
        wrapped.product_by(&mut again, &a, &kept, &mut scratch);
        assert_eq!(out, again);
        wrapped.product(&mut square, Factors::Square(&b), &mut scratch);
        let [x, y] = [&a, &b].map(|words| to_biguint(words));
        assert_eq!(to_biguint(&out) % modulus(n), &x * &y % modulus(n), "{least} words");
        assert_eq!(to_biguint(&square) % modulus(n), &y * &y % modulus(n), "{least} words");
    }
}

#[test]
fn differences_have_the_least_magnitude() {
    let wrapped = Wrapped::of_words(24).expect("a transform");
    let n = wrapped.len();
    let one = || BigInt::from(1);
    let half = one() << (64 * n - 1);
    let numbers = [BigInt::from(0), one(), BigInt::from(5), one() << 64, half.clone() - 1, modulus(n).into()];
    for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b))) {
        let [mut x, y] = [a, b].map(|a| {
            let mut words = a.magnitude().to_u64_digits();
            words.resize(n, 0);
            words
        });
        wrapped.difference(&mut x, &y);
        let mut found = BigInt::from(to_biguint(&x));
        if is_negative(&x) {
            found -= half.clone() * 2;
        }
        assert!(found.magnitude() <= half.magnitude());
        let modulus = BigInt::from(modulus(n));
        assert_eq!((found - a + b) % modulus, BigInt::from(0), "{a} - {b}");
    }
}

#[test]
fn numbers_of_any_length_are_folded() {
    let wrapped = Wrapped::of_words(24).expect("a transform");
    let n = wrapped.len();
    for (len, seed) in
        [0, 1, n - 1, n, n + 1, 2 * n, 3 * n + 5].into_iter().flat_map(|len| [(len, 0), (len, 1)])
    {
        let (a, mut out) = (words(len, seed), vec![9; n]);
        wrapped.fold(&mut out, &a);
        assert_eq!(to_biguint(&out) % modulus(n), to_biguint(&a) % modulus(n));
    }
}
