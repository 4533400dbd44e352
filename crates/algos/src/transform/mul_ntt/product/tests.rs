//! Cases that the public products do not reach: every vector width, short transforms, the limits of
//! exactness.

use fearless_simd::Level;
use limbforge_field::digits::PrimeSet;
use limbforge_limb::slice::mul::Factors;
use num_bigint::BigUint;

use super::super::basis::P;
use super::super::digits::MAX_PRODUCTS;
use super::super::recombination::{Sums, store};
use super::super::transform::negated_inverse;
use super::*;

fn value(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |sum, &word| (sum << 64) + word)
}

/// Every level of this machine, the slowest first.
fn levels() -> Vec<Level> {
    let mut levels = vec![Level::baseline()];
    #[cfg(target_arch = "x86_64")]
    levels.extend(Level::new().as_avx2().map(Level::Avx2));
    levels.push(Level::new());
    levels
}

fn check(level: Level, a: &[u64], b: &[u64], longest: usize) {
    let mut scratch = Scratch::default();
    let mut out = vec![1; a.len() + b.len()];
    low(level, &mut out, Factors::Pair(a, b), &mut scratch, longest);
    assert_eq!(value(&out), value(a) * value(b));
    let mut out = vec![1; 2 * a.len()];
    low(level, &mut out, Factors::Square(a), &mut scratch, longest);
    assert_eq!(value(&out), value(a) * value(a));
}

#[test]
fn every_vector_width_gives_the_same() {
    for level in levels() {
        for len in [1, 2, 3, 10, 29, 50, 101] {
            check(level, &vec![u64::MAX; len], &vec![u64::MAX - 1; len + 7], usize::MAX);
        }
    }
}

#[test]
fn products_beyond_the_longest_transform_are_cut() {
    let a: Vec<u64> = (1..90).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    for longest in [1, 4, 20] {
        check(Level::new(), &a, &[u64::MAX; 40], longest);
    }
}

#[test]
fn digits_are_as_wide_as_is_exact() {
    // Twice the products: a coefficient must be below P/2.
    let set = PrimeSet::new("8x50", &P).unwrap();
    assert_eq!(set.max_digit_bits(&(2 * MAX_PRODUCTS as u64).into()), 192);
    assert_eq!(set.max_digit_bits(&(2 * MAX_PRODUCTS as u64 + 2).into()), 191);
    assert!(set.max_digit_bits(&(1_u64 << 60).into()) >= 168);
    let words = 3 * MAX_PRODUCTS;
    assert_eq!(Shape::new(words, words).unwrap().digit_bits(), 192);
    assert_eq!(Shape::new(words + 1, words + 1).unwrap().digit_bits(), 168);
    assert_eq!(Shape::new(words + 1, 1).unwrap().digit_bits(), 192);
}

/// All coefficients at their largest, on both sides of the limit.
#[test]
fn the_largest_digits_are_exact_at_the_limit() {
    for len in [3 * MAX_PRODUCTS, 3 * MAX_PRODUCTS + 1] {
        let ones = vec![u64::MAX; len];
        let mut out = vec![0; 2 * len];
        low(Level::new(), &mut out, Factors::Square(&ones), &mut Scratch::default(), usize::MAX);
        // (B^m - 1)^2 = B^2m - 2 B^m + 1.
        let (lower, upper) = out.split_at(len);
        assert!(lower[0] == 1 && lower[1..].iter().all(|&word| word == 0));
        assert!(upper[0] == u64::MAX - 1 && upper[1..].iter().all(|&word| word == u64::MAX));
    }
}

/// The Chinese remainder theorem gives all numbers below P/2, and not those of 4/5 P: a wider digit would be
/// wrong.
#[test]
fn recombination_has_the_range_it_claims() {
    let product: BigUint = P.iter().map(|&p| BigUint::from(p)).product();
    let recombine = |x: &BigUint| {
        let residues = P.map(|p| {
            let residue = u64::try_from(x % p).unwrap() as f64;
            if residue > p as f64 / 2.0 { residue - p as f64 } else { residue }
        });
        let context = Context { level: Level::new(), basis: &BASIS, roots: roots(0) };
        let shape = Shape::new(3, 3).unwrap();
        let mut out = [0; 9];
        store(context, &mut out, &[Residues(residues)], shape, &mut Sums::default());
        value(&out)
    };
    let half = &product / 2_u32;
    for x in [BigUint::ZERO, 1_u32.into(), half.clone(), &half - 1_u32, &half / 3_u32, &product >> 200] {
        assert_eq!(recombine(&x), x);
    }
    let too_large = &product / 5_u32 * 4_u32;
    assert_ne!(recombine(&too_large), too_large);
}

/// The sums of the Chinese remainder theorem stay below 2^51: eight parts by the high halves of y, at most
/// 2^25, and 5 P's part, at most 2^23.
#[test]
fn sums_of_parts_stay_exact() {
    for half in 0..2 {
        for k in 0..P.len() {
            let sum: f64 = BASIS.cofactors.iter().map(|parts| parts[half].0[k].abs()).sum();
            assert!(sum * f64::from(1 << 25) + 5.0 * f64::from(1 << 23) < (1_u64 << 51) as f64);
        }
    }
    assert!(BASIS.product_top.abs() <= f64::from(1 << 23));
}

#[test]
fn roots_split_the_polynomials() {
    let table = roots(6);
    let (mul, p) = (|x: f64, y: f64, p: u64| (x as i128 * y as i128).rem_euclid(p.into()) as u64, P[3]);
    for j in 1..16 {
        let root = |j: usize| table[j].0[3];
        assert_eq!(mul(root(2 * j), root(2 * j), p), mul(root(j), 1.0, p));
        assert_eq!(mul(root(2 * j + 1), root(2 * j + 1), p), mul(root(j), -1.0, p));
        assert_eq!(mul(root(j), root(negated_inverse(j)), p), p - 1);
    }
}

#[test]
fn lengths_are_close() {
    for words in 1..2000 {
        let shape = Shape::new(words, words).unwrap();
        assert!(shape.points() >= shape.coefficients && (1..=7).contains(&shape.degree));
        assert!(shape.points() <= shape.coefficients * 5 / 4 + 3, "{shape:?}");
    }
}
