use num_bigint::BigUint;
use num_traits::{One, Zero};
use proptest::prelude::*;

use super::*;
use crate::crt::Crt;
use crate::modular::mul_mod;

fn known(name: &str) -> PrimeSet {
    PrimeSet::known().into_iter().find(|set| set.name() == name).unwrap()
}

/// Cyclic convolution by the definition, modulo p.
fn convolution(a: &[u64], b: &[u64], points: usize, p: u64) -> Vec<u64> {
    let mut sums = vec![0_u64; points];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            let sum = &mut sums[(i + j) % points];
            *sum = ((u128::from(*sum) + u128::from(mul_mod(x, y, p))) % u128::from(p)) as u64;
        }
    }
    sums
}

/// The product of two numbers of `digits` digits of `bits` bits, all of them ones, by convolution modulo the
/// primes.
fn product_of_ones(set: &PrimeSet, digits: usize, bits: u32, points: usize) -> BigUint {
    let digit = (BigUint::one() << bits) - 1_u32;
    let by_prime: Vec<Vec<u64>> = crate::crt::residues(set, &digit)
        .into_iter()
        .zip(set.primes())
        .map(|(digit, &p)| convolution(&vec![digit; digits], &vec![digit; digits], points, p))
        .collect();
    let crt = Crt::new(set);
    let coefficient =
        |i: usize| crt.recombine(&by_prime.iter().map(|sums| sums[i]).collect::<Vec<_>>()).unwrap();
    (0..points).rev().fold(BigUint::zero(), |sum, i| (sum << bits) + coefficient(i))
}

/// The bound is exact: with its digits the product of ones is right, with one bit more it is wrong.
#[test]
fn the_bound_is_tight() {
    for set in PrimeSet::known() {
        for digits in [1_usize, 2, 3, 16, 64, 100] {
            let points = set.shortest_length(2 * digits as u64 - 1).unwrap() as usize;
            let most = set.max_digit_bits(&digits.into());
            let square = |bits: u32| num_traits::pow((BigUint::one() << (bits * digits as u32)) - 1_u32, 2);
            for (bits, exact) in [(most, true), (most + 1, false)] {
                let found = product_of_ones(&set, digits, bits, points) == square(bits);
                assert_eq!(found, exact, "{} {digits} digits of {bits} bits", set.name());
                assert_eq!(set.check_digits(bits, digits).is_ok(), exact);
            }
        }
    }
}

/// The design's table: what the published fields really allow.
#[test]
fn widths_of_the_published_fields() {
    for (name, widths) in [("PrimeField32", [12, 10, 8]), ("PrimeField64", [27, 25, 23])] {
        let set = known(name);
        for (log2, width) in [6, 10, 14].into_iter().zip(widths) {
            assert_eq!(set.max_digit_bits(&(1_u32 << log2).into()), width, "{name} 2^{log2}");
            assert_eq!(max_digit_bits(set.primes()[0], 1 << log2), width, "{name} 2^{log2}");
        }
    }
}

/// The published choices overflow, and the error shows by how much.
#[test]
fn published_widths_are_refused() {
    let error = known("PrimeField32").check_digits(15, 1_u32 << 6).unwrap_err();
    let text = "PrimeField32: 15-bit digits are not exact: a sum of 64 products reaches 68715282496; expected less than \
                3221225473: use digits of at most 12 bits, or more primes";
    assert_eq!(error.to_string(), text);
    let error = known("PrimeField64").check_digits(31, 1_u32 << 10).unwrap_err();
    let largest = BigUint::from(1024_u32) * 2_147_483_647_u32 * 2_147_483_647_u32;
    let DigitError::Inexact { products, digit_bits: 31, most: 25, largest: found, modulus, .. } = error
    else {
        panic!("{error}");
    };
    assert_eq!((products, found), (1024_u32.into(), largest));
    assert_eq!(modulus, 4_179_340_454_199_820_289_u64.into());
    let request = DigitRequest::product(15 << 6);
    let refused = known("PrimeField32").plan_with_digit_bits(&request, 15);
    assert!(matches!(refused, Err(DigitError::Inexact { most: 12, .. })), "{refused:?}");
}

#[test]
fn five_primes_hold_words_up_to_two_to_the_twelve() {
    let set = known("5x28");
    assert!(set.product() > &(BigUint::one() << 140));
    assert!(set.check_digits(64, 1_u32 << 12).is_ok() && set.check_digits(64, (1_u32 << 12) + 25).is_err());
    let words = |log2: u32| {
        set.plan(&DigitRequest::product(1 << log2)).map(|plan| (plan.digit_bits(), plan.points()))
    };
    for log2 in 12..=18 {
        assert_eq!(words(log2), Ok((64, 2 << (log2 - 6))), "{log2}");
    }
    assert_ne!(words(19).map(|(bits, _)| bits), Ok(64));
}

#[test]
fn requests_that_are_none() {
    let set = known("Goldilocks");
    let plan = |a_bits, b_bits, terms| set.plan(&DigitRequest { a_bits, b_bits, terms }).unwrap_err();
    assert_eq!(plan(0, 5, 1), DigitError::Operand { bits: 0 });
    assert_eq!(plan(5, (1 << 40) + 1, 1), DigitError::Operand { bits: (1 << 40) + 1 });
    assert_eq!(plan(5, 5, 0), DigitError::NoTerms);
    assert_eq!(set.plan_with_digit_bits(&DigitRequest::product(8), 0), Err(DigitError::NoDigitBits));
    let error = known("5x28").plan(&DigitRequest::product(1 << 24)).unwrap_err();
    assert!(matches!(error, DigitError::Length { .. }), "{error}");
    let error = known("BabyBear").plan(&DigitRequest { a_bits: 8, b_bits: 8, terms: 1 << 40 }).unwrap_err();
    assert!(error.to_string().contains("no digits are exact"), "{error}");
}

/// The names mean the same primes as the types of that name.
#[test]
fn known_sets_are_the_presets() {
    use crate::PrimeField;
    use crate::presets::{BabyBear, Goldilocks, KoalaBear, PRIMES_28, PrimeField32, PrimeField64};
    assert_eq!(known("PrimeField32").primes(), [PrimeField32::MODULUS]);
    assert_eq!(known("PrimeField64").primes(), [PrimeField64::MODULUS]);
    assert_eq!(known("Goldilocks").primes(), [Goldilocks::MODULUS]);
    assert_eq!(known("BabyBear").primes(), [BabyBear::MODULUS]);
    assert_eq!(known("KoalaBear").primes(), [KoalaBear::MODULUS]);
    assert_eq!(known("5x28").primes(), PRIMES_28);
}

#[test]
fn sets_that_are_none() {
    assert_eq!(PrimeSet::known().len(), KNOWN_SETS.len());
    let error = |primes| PrimeSet::new("x", primes).unwrap_err();
    assert_eq!(error(&[]), PrimeSetError::Empty);
    assert_eq!(
        (error(&[15]), error(&[2]), error(&[0])),
        (PrimeSetError::NotPrime(15), PrimeSetError::NotPrime(2), PrimeSetError::NotPrime(0))
    );
    assert_eq!(error(&[3, 5, 3]), PrimeSetError::Repeated(3));
}

#[test]
fn ranking_is_by_cost_and_refusals_come_last() {
    let ranked = rank(PrimeSet::known(), &DigitRequest::product(1 << 17));
    assert_eq!(ranked.len(), KNOWN_SETS.len());
    let costs = ranked.iter().map(|ranked| ranked.outcome.as_ref().map_or(u64::MAX, |(_, cost)| cost.cycles));
    assert!(costs.is_sorted());
    // As measured: five small primes beat one of 64 bits, at 369 thousand butterflies.
    let (plan, cost) = ranked[0].outcome.as_ref().unwrap();
    assert_eq!((ranked[0].set.name(), plan.points(), cost.butterflies), ("5x28", 4096, 368_640));
    let refused = rank(PrimeSet::known(), &DigitRequest::product(1 << 40));
    assert!(refused.iter().all(|ranked| ranked.outcome.is_err() || ranked.set.adicity() >= 30));
}

/// A cyclic or negacyclic convolution gives the linear one exactly where the rule says so. Powers of 4 as
/// coefficients make every wrap visible.
#[test]
fn dropped_wraps() {
    for (a, b) in [(1_u64, 1), (4, 4), (8, 4), (5, 3), (7, 7)] {
        let linear = a + b - 1;
        let exact = |i: u64| 1_i64 << (2 * i);
        for length in 1..=linear + 2 {
            for sign in [1, -1] {
                let mut wrapped = vec![0; length as usize];
                for i in 0..linear {
                    wrapped[(i % length) as usize] += exact(i) * if i / length % 2 == 1 { sign } else { 1 };
                }
                for start in 0..linear {
                    for end in start + 1..=linear {
                        let right = (start..end).all(|i| wrapped.get(i as usize) == Some(&exact(i)));
                        assert_eq!(
                            wrap_is_dropped(linear, length, &(start..end)),
                            right,
                            "{a} {b} {length} {start}..{end}"
                        );
                    }
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn constant_and_big_bound_agree(p in 1_u64.., products in 1_u64.., bits in 1_u32..70) {
        let largest = largest_sum(&products.into(), bits);
        prop_assert_eq!(is_exact(p, products, bits), largest < p.into());
        let most = max_digit_bits(p, products);
        prop_assert!(most == 0 || is_exact(p, products, most));
        prop_assert!(!is_exact(p, products, most + 1));
    }

    #[test]
    fn widest_digits_of_sets(which in 0..KNOWN_SETS.len(), log2 in 0_u32..160, offset in 0_u32..3) {
        let (set, products) = (&PrimeSet::known()[which], (BigUint::one() << log2) + offset);
        let most = set.max_digit_bits(&products);
        prop_assert!(most == 0 || largest_sum(&products, most) < *set.product());
        prop_assert!(largest_sum(&products, most + 1) >= *set.product());
    }

    /// Plans are exact, and no width gives fewer points.
    #[test]
    fn plans_are_exact_and_shortest(
        which in 0..KNOWN_SETS.len(),
        a_bits in 1_u64..1 << 18,
        b_bits in 1_u64..1 << 18,
        terms in 1_u64..20,
    ) {
        let set = &PrimeSet::known()[which];
        let request = DigitRequest { a_bits, b_bits, terms };
        let all = (1..=100).map(|bits| set.plan_with_digit_bits(&request, bits)).filter_map(Result::ok);
        let shortest = all.map(|plan| plan.points()).min();
        match set.plan(&request) {
            Ok(plan) => {
                prop_assert!(plan.largest_coefficient() < *set.product());
                prop_assert!(plan.a_digits() * u64::from(plan.digit_bits()) >= a_bits);
                prop_assert!(plan.points() >= plan.coefficients());
                prop_assert_eq!(plan.products(), plan.a_digits().min(plan.b_digits()));
                let points = plan.points() >> plan.points().trailing_zeros();
                prop_assert!(points == 1 || points == 3);
                prop_assert!(set.primes().iter().all(|p| (p - 1) % plan.points() == 0));
                prop_assert_eq!(Some(plan.points()), shortest);
            }
            Err(_) => prop_assert_eq!(shortest, None),
        }
    }
}
