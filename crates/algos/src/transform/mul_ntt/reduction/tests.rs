//! Products with their reduction against its definition.

use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::sub;
use num_bigint::BigUint;

use super::{MAX_PRODUCTS, Reduction, Scratch};
use crate::integer::{Schoolbook, modinv2k};

fn value(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |sum, &word| (sum << 64) + word)
}

fn words(value: &BigUint, len: usize) -> Vec<u64> {
    let mut words: Vec<u64> = value.iter_u64_digits().collect();
    words.resize(len, 0);
    words
}

/// All products of the factors, below `m B^n`.
fn check(modulus: &[u64], factors: &[Vec<u64>]) {
    let (n, m, mut scratch) = (modulus.len(), value(modulus), Scratch::default());
    let mut negated = vec![0; n];
    modinv2k::lift(&mut negated, modulus, &mut Schoolbook).unwrap();
    sub::neg_assign(&mut negated);
    let reduction = Reduction::new(modulus, &negated, &mut scratch).unwrap();
    let mut check = |product: BigUint, factors| {
        let found = value(reduction.product(factors, &mut scratch));
        assert!(found < &m * 2_u32 && (&found << (64 * n)) % &m == product % &m, "{n}: {m:x} {factors:x?}");
    };
    for (i, a) in factors.iter().enumerate() {
        check(value(a) * value(a), Factors::Square(a));
        for b in &factors[i..] {
            check(value(a) * value(b), Factors::Pair(a, b));
        }
    }
}

/// Lengths at whole digits, at whole lengths of transforms, and between.
const LENGTHS: [usize; 26] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 20, 23, 24, 30, 47, 48, 60, 96, 128, 191, 192, 193];

#[test]
fn products_are_reduced() {
    for n in LENGTHS {
        let word = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i as u32 % 64);
        let ones = vec![u64::MAX; n];
        let mut sparse = vec![0; n];
        sparse[n - 1] = 1 << 63;
        sparse[0] |= 1;
        let mut short = vec![0; n];
        short[n / 2] = 5;
        short[0] |= 1;
        let mut random: Vec<u64> = (0..n as u64).map(word).collect();
        random[0] |= 1;
        for modulus in [&ones, &sparse, &short, &random] {
            let m = value(modulus);
            let large = words(&(&m - 1_u32), n);
            let other = words(&(value(&random) * 3_u32 % &m), n);
            check(modulus, &[vec![0; n], words(&(BigUint::from(1_u32) % &m), n), large, other]);
        }
    }
}

/// Factors whose product is the largest below `m B^n`, and those whose product is m: q is `B^n - 1` there.
#[test]
fn products_at_the_bounds() {
    for n in LENGTHS {
        let ones = vec![u64::MAX; n];
        check(&ones, &[ones.clone(), words(&BigUint::from(1_u32), n)]);
        let mut modulus = vec![0; n];
        modulus[0] = 3;
        check(&modulus, &[words(&3_u32.into(), n), words(&1_u32.into(), n)]);
    }
}

/// Modulo `B^n - 1`, of which `-1/m` is 1, at the largest length whose sums of two products are exact.
#[test]
fn the_longest_modulus() {
    let (n, mut scratch) = (3 * (MAX_PRODUCTS / 2) - 1, Scratch::default());
    let (ones, mut one) = (vec![u64::MAX; n], vec![0; n]);
    one[0] = 1;
    let reduction = Reduction::new(&ones, &one, &mut scratch).unwrap();
    let found = reduction.product(Factors::Square(&ones), &mut scratch);
    assert!(found[..n] == ones && found[n] == 0);
    let longer = vec![u64::MAX; n + 1];
    assert_eq!(Reduction::new(&longer, &longer, &mut scratch), None);
}

#[test]
fn nothing_has_no_transforms() {
    assert_eq!(Reduction::new(&[], &[], &mut Scratch::default()), None);
}
