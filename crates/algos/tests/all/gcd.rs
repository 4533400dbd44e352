//! The greatest common divisor against Euclid's algorithm of num-bigint, and its laws.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::gcd::lehmer::{WordMatrix, prefix_matrix};
use limbforge_algos::integer::gcd::{Thresholds, gcd, gcd_with};
use limbforge_limb::Base;
use limbforge_testing::operands::{integer, integer_pair, samples};
use limbforge_testing::oracle::{limbs, value};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use proptest::collection::vec;
use proptest::prelude::*;

fn euclid(mut a: BigUint, mut b: BigUint) -> BigUint {
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

fn check<B: Base>(a: &[B], b: &[B], scratch: &mut Scratch) -> Result<(), TestCaseError> {
    let mut out = vec![B::HIGHEST; a.len()];
    gcd(&mut out, a, b, scratch);
    prop_assert_eq!(value(&out), euclid(value(a), value(b)));
    let found = out.clone();
    gcd(&mut out, b, a, scratch);
    prop_assert_eq!(&out, &found, "commutative");
    for thresholds in SPLIT_EARLY {
        gcd_with(&mut out, a, b, thresholds, scratch);
        prop_assert_eq!(&out, &found, "{:?}", thresholds);
    }
    Ok(())
}

/// Half-gcds of numbers as short as possible, and thresholds above each other.
pub(crate) const SPLIT_EARLY: [Thresholds; 3] = [
    Thresholds { half: 0, whole: 0 },
    Thresholds { half: usize::MAX, whole: 0 },
    Thresholds { half: 9, whole: 14 },
];

/// Two numbers with these partial quotients, from the last to the first, and this greatest common divisor.
fn from_quotients(divisor: &BigUint, quotients: &[BigUint]) -> (BigUint, BigUint) {
    let start = (divisor.clone(), BigUint::zero());
    quotients.iter().fold(start, |(a, b), quotient| (quotient * &a + b, a))
}

/// A partial quotient: 1 mostly, or where one or two words, or half of one, end.
fn quotient() -> impl Strategy<Value = BigUint> {
    let edge = (proptest::sample::select(vec![1_u32, 31, 32, 33, 62, 63, 64, 65, 127, 128]), 0..3_u32);
    prop_oneof![
        6 => (1..4_u32).prop_map(BigUint::from),
        2 => any::<u64>().prop_map(|q| BigUint::from(q >> (q % 64)) + 1_u32),
        1 => edge.prop_map(|(bits, above)| (BigUint::from(1_u32) << bits) + above - 1_u32),
    ]
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
    check(a, &short, &mut scratch)
}

fn operands<B: Base>() -> impl Strategy<Value = ((Vec<B>, Vec<B>), Vec<B>, usize)> {
    (1..30_usize, 1..9_usize).prop_flat_map(|(m, n)| (integer_pair(m), integer(n), 0..m))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn u32_equals_euclid((pair, factor, cut) in operands::<u32>()) {
        check_limb(&pair, &factor, cut)?;
    }

    #[test]
    fn u64_equals_euclid((pair, factor, cut) in operands::<u64>()) {
        check_limb(&pair, &factor, cut)?;
    }

    #[test]
    fn chosen_quotients(quotients in vec(quotient(), 1..300), divisor in 1..u64::MAX) {
        let divisor = BigUint::from(divisor);
        let (a, b) = from_quotients(&divisor, &quotients);
        let len = (a.bits() / 64 + 2) as usize;
        let mut scratch = Scratch::default();
        check(&limbs::<u64>(&a, len), &limbs::<u64>(&b, len), &mut scratch)?;
        let mut out = vec![0; len];
        gcd(&mut out, &limbs::<u64>(&a, len), &limbs::<u64>(&b, len), &mut scratch);
        prop_assert_eq!(value(&out), divisor);
    }

    #[test]
    fn steps_of_prefixes(a in prefix(), b in prefix()) {
        check_prefixes(a, b)?;
    }

    #[test]
    fn u128_equals_euclid((pair, factor, cut) in operands::<u128>()) {
        check_limb(&pair, &factor, cut)?;
    }
}

/// Two words: uniform, of any length, or with edges in either word.
fn prefix() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        (any::<u128>(), 0..128_u32).prop_map(|(x, shift)| x >> shift),
        integer::<u64>(2).prop_map(|words| u128::from(words[1]) << 64 | u128::from(words[0])),
    ]
}

/// The laws of the matrix, and the remainders of the numbers with these prefixes that err most.
fn check_prefixes(a: u128, b: u128) -> Result<(), TestCaseError> {
    let Some(WordMatrix(m)) = prefix_matrix(a, b) else { return Ok(()) };
    let [[m00, m01], [m10, m11]] = m.map(|row| row.map(BigInt::from));
    prop_assert_eq!(&m00 * &m11 - &m01 * &m10, BigInt::one());
    prop_assert!(m.iter().flatten().all(|&entry| entry < 1 << 63));
    let unit = BigInt::one() << 64;
    for (a_low, b_low, least) in [(0, 0, 4), (u64::MAX, 0, 3), (0, u64::MAX, 3), (u64::MAX, u64::MAX, 3)] {
        let [a, b] = [(a, a_low), (b, b_low)].map(|(x, low)| BigInt::from(x) * &unit + low);
        // In halves of 2^64 units of the prefix.
        let least = &unit * &unit * least / 2;
        prop_assert!(&m11 * &a - &m01 * &b >= least && &m00 * &b - &m10 * &a >= least);
    }
    Ok(())
}

/// From the default thresholds on: random numbers, and Fibonacci numbers.
#[test]
fn long_numbers() {
    let mut scratch = Scratch::default();
    for (index, len) in [130, 399, 400, 620, 1300].into_iter().enumerate() {
        let mut numbers = samples(vec(any::<u64>(), len), index + 3).skip(index);
        let mut next = || numbers.next().expect("a number");
        let (a, b, factor) = (next(), next(), next());
        check(&a, &b, &mut scratch).expect("independent numbers");
        let (half, multiple) =
            (len / 2, |x: &[u64]| limbs::<u64>(&(value(x) * value(&factor[..len / 2])), len));
        check(&multiple(&a[..half]), &multiple(&b[..half]), &mut scratch).expect("a long common divisor");
    }
    let (mut a, mut b) = (BigUint::zero(), BigUint::from(1_u32));
    for _ in 0..45_000 {
        (a, b) = (b.clone(), a + b);
    }
    let [a, b] = [a, b].map(|number| limbs::<u64>(&number, 490));
    check(&a, &b, &mut scratch).expect("Fibonacci numbers");
}

/// Random numbers whose steps are halvings, whose upper words are equal or nearly so, or whose difference has many zeros
/// below: then the known bits do not tell the larger number, or no step is possible.
#[test]
fn halvings_of_numbers_that_are_nearly_equal() {
    let mut scratch = Scratch::default();
    for len in 3..12 {
        let numbers: Vec<_> = samples(vec(any::<u64>(), len), 40).collect();
        for (index, pair) in numbers.windows(2).enumerate() {
            let ([mut a, b], equal) = ([0, 1].map(|i| pair[i].clone()), index % (len + 1));
            a[len - equal..].copy_from_slice(&b[len - equal..]);
            check(&a, &b, &mut scratch).expect("equal words above");
            a[0] = b[0];
            check(&a, &b, &mut scratch).expect("equal lowest words, too");
            let [x, y] = [&a, &b].map(|x| value(x));
            for shift in [1, 30, 31, 32, 61, 62, 63, 64, 93] {
                let near = limbs::<u64>(&(&y + (BigUint::one() << shift)), len + 2);
                check(&near, &limbs::<u64>(&y, len + 2), &mut scratch).expect("a difference of a bit");
                let far = limbs::<u64>(&((&x << shift) + &y), len + 2);
                check(&far, &limbs::<u64>(&y, len + 2), &mut scratch).expect("zeros below");
            }
        }
    }
}

/// Fibonacci numbers take the most steps, all with the quotient 1; powers of two the longest quotients.
#[test]
fn worst_cases() {
    let mut scratch = Scratch::default();
    let (mut a, mut b) = (BigUint::zero(), BigUint::from(1_u32));
    for _ in 0..2900 {
        (a, b) = (b.clone(), a + b);
    }
    let [a, b] = [a, b].map(|number| limbs::<u64>(&number, 32));
    check(&a, &b, &mut scratch).expect("Fibonacci numbers");
    for (i, j) in [(2000, 1), (2000, 1999), (64, 63), (128, 64), (1000, 0)] {
        let power = |k: u32| BigUint::from(1_u32) << k;
        for (x, y) in
            [(power(i), power(j)), (power(i) - 1_u32, power(j) - 1_u32), (power(i) + 1_u32, power(j))]
        {
            check(&limbs::<u64>(&x, 32), &limbs::<u64>(&y, 32), &mut scratch).expect("powers");
        }
    }
    check::<u64>(&[0, 0], &[0, 0], &mut scratch).expect("zeros");
}

/// `(q b - 1, b)` for numbers b whose top word is followed by ones, so that the quotient of the prefixes is one too
/// large, with quotients of one word up to its limit.
pub(crate) fn estimates_above() -> impl Iterator<Item = [Vec<u64>; 2]> {
    let tops = [1_u64, 3, 0x1234_5678_9abc_def0, 1 << 63, u64::MAX];
    let quotients = [24_u32, 30, 45, 60, 61, 62, 63, 64, 65].map(|k| (BigUint::one() << k) - 1_u32);
    tops.into_iter().flat_map(move |top| {
        quotients.clone().into_iter().flat_map(move |quotient| {
            [2_usize, 3, 9].map(|len| {
                let b = (BigUint::from(top) << (64 * len)) + (BigUint::one() << (64 * len)) - 1_u32;
                let a = &quotient * &b - 1_u32;
                [a, b].map(|number| limbs::<u64>(&number, len + 3))
            })
        })
    })
}

#[test]
fn quotients_of_prefixes_that_are_too_large() {
    let mut scratch = Scratch::default();
    for [a, b] in estimates_above() {
        check(&a, &b, &mut scratch).expect("a gcd of 1");
    }
}

/// Such numbers need no steps of several words: wherever they begin and end within words.
#[test]
fn words_times_powers_of_two() {
    let mut scratch = Scratch::default();
    let others = samples(integer::<u64>(5), 8).collect::<Vec<_>>();
    for (word, shift) in
        [1_u64, 3, 0xffff_fffb, u64::MAX].into_iter().flat_map(|word| (0..256).map(move |k| (word, k)))
    {
        let number = limbs::<u64>(&(BigUint::from(word) << shift), 5);
        for other in &others {
            check(&number, other, &mut scratch).expect("a divisor of a word");
        }
        let multiple = limbs::<u64>(&((BigUint::from(word) << 150) * 15_u32), 5);
        check(&number, &multiple, &mut scratch).expect("a word times a power of two");
    }
}
