//! The extended greatest common divisor: its equation, its range, and the pair that the definition gives.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::xgcd::{xgcd, xgcd_with};
use limbforge_limb::Base;
use limbforge_testing::expr::number_theory;
use limbforge_testing::operands::{integer, integer_pair, samples};
use limbforge_testing::oracle::{limbs, value};
use num_bigint::{BigInt, BigUint};
use proptest::collection::vec;
use proptest::prelude::*;

use super::gcd::SPLIT_EARLY;

fn check<B: Base>(a: &[B], b: &[B], scratch: &mut Scratch) -> Result<(), TestCaseError> {
    let [mut divisor, mut x, mut y] = [0; 3].map(|_| vec![B::HIGHEST; a.len()]);
    let signs = xgcd(&mut divisor, &mut x, &mut y, a, b, scratch);
    for thresholds in SPLIT_EARLY {
        let [mut other_divisor, mut other_x, mut other_y] = [0; 3].map(|_| vec![B::HIGHEST; a.len()]);
        let other = xgcd_with(&mut other_divisor, &mut other_x, &mut other_y, a, b, thresholds, scratch);
        prop_assert_eq!((&other_divisor, &other_x, &other_y, other), (&divisor, &x, &y, signs));
    }
    let signed = |magnitude: &[B], negative: bool| {
        let value = BigInt::from(value(magnitude));
        if negative { -value } else { value }
    };
    let (x, y, g) = (signed(&x, signs.x), signed(&y, signs.y), BigInt::from(value(&divisor)));
    let (a, b) = (BigInt::from(value(a)), BigInt::from(value(b)));
    prop_assert_eq!(&x * &a + &y * &b, g.clone());
    prop_assert_eq!((x.clone(), y.clone()), number_theory::xgcd(&a, &b));
    let zero = BigInt::ZERO;
    let divides = |n: &BigInt| if g == zero { *n == zero } else { n % &g == zero };
    prop_assert!(divides(&a) && divides(&b), "a common divisor, and a combination: the greatest");
    // As GMP documents it.
    let in_range = |x: &BigInt, b: &BigInt| x.magnitude() * g.magnitude() * 2_u32 < *b.magnitude();
    prop_assert!(in_range(&x, &b) || x.magnitude() <= &BigUint::from(1_u32));
    prop_assert!(in_range(&y, &a) || y.magnitude() <= &BigUint::from(1_u32));
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
    check(a, &short, &mut scratch)?;
    check(&short, a, &mut scratch)
}

fn operands<B: Base>() -> impl Strategy<Value = ((Vec<B>, Vec<B>), Vec<B>, usize)> {
    (1..24_usize, 1..9_usize).prop_flat_map(|(m, n)| (integer_pair(m), integer(n), 0..m))
}

proptest! {
    #[test]
    fn u32_equations((pair, factor, cut) in operands::<u32>()) {
        check_limb(&pair, &factor, cut)?;
    }

    #[test]
    fn u64_equations((pair, factor, cut) in operands::<u64>()) {
        check_limb(&pair, &factor, cut)?;
    }

    #[test]
    fn u128_equations((pair, factor, cut) in operands::<u128>()) {
        check_limb(&pair, &factor, cut)?;
    }
}

#[test]
fn all_small_numbers() {
    let mut scratch = Scratch::default();
    for a in 0..120_u32 {
        for b in 0..120_u32 {
            check(&[a], &[b], &mut scratch).expect("coefficients");
        }
    }
}

#[test]
fn long_numbers() {
    let mut scratch = Scratch::default();
    for len in [130, 310, 640] {
        let numbers: Vec<_> = samples(vec(any::<u64>(), len), 3).collect();
        let [a, b, factor] = &numbers[..] else { panic!("three numbers") };
        check(a, b, &mut scratch).expect("coefficients");
        let multiple = |x: &[u64]| limbs::<u64>(&(value(x) * value(&factor[..len / 3])), len);
        check(&multiple(&a[..len / 2]), &multiple(&b[..len / 3]), &mut scratch).expect("coefficients");
    }
}

/// Long records whose steps lead to multiples of a long divisor by small numbers: equal ones, doubles, and others, for
/// which the pair of least coefficients is at its bounds.
#[test]
fn rests_that_are_small_multiples_of_the_divisor() {
    let mut scratch = Scratch::default();
    let words: Vec<u64> = samples(any::<u64>(), 200).collect();
    for (len, p, q) in (1..5).flat_map(|len| (0..49_u32).map(move |pair| (len, pair / 7 + 1, pair % 7 + 1))) {
        let divisor = value(&words[..len]) | BigUint::from(1_u32);
        let quotients = &words[len..][..8 + 5 * len];
        let start = (&divisor * p, &divisor * q);
        let (a, b) = quotients.iter().fold(start, |(a, b), &quotient| (&a * (quotient | 1) + b, a));
        let width = (a.bits() / 64 + 1) as usize;
        let [a, b] = [a, b].map(|number| limbs::<u64>(&number, width));
        check(&a, &b, &mut scratch).expect("coefficients");
        check(&b, &a, &mut scratch).expect("coefficients");
    }
}

/// From the lengths on at which the rest of the steps has a record of its own.
#[test]
fn long_rests() {
    let mut scratch = Scratch::default();
    for (index, len) in [180, 256, 420].into_iter().enumerate() {
        let mut numbers = samples(vec(any::<u64>(), len), index + 3).skip(index);
        let mut next = || numbers.next().expect("a number");
        let (a, b) = (next(), next());
        check(&a, &b, &mut scratch).expect("coefficients");
        check(&vec![u64::MAX; len], &b, &mut scratch).expect("coefficients of all ones");
    }
}
