//! All operands of narrow types.

use limbforge_limb::IntType;
use limbforge_needs::needs;
use limbforge_reference::sample::usual_or;
use limbforge_testing::division::interval_ends;
use num_bigint::BigUint;

use super::{check_forms, check_pairs};

/// All pairs of a narrow type, zero divisors too.
fn check_narrow(forms: &[&str], bits: u64, signed: bool) {
    let ty = IntType::new(bits, signed).unwrap();
    let numbers: Vec<BigUint> = (0..1_u32 << bits).map(BigUint::from).collect();
    let pairs: Vec<_> = numbers.iter().flat_map(|u| numbers.iter().map(|v| (u.clone(), v.clone()))).collect();
    check_forms(forms, ty, 1, &pairs);
}

const FORMS: [&str; 6] =
    ["a / b", "a % b", "div_euclid(a, b)", "rem_euclid(a, b)", "div_floor(a, b)", "rem_floor(a, b)"];

#[needs(cxx)]
#[test]
fn all_pairs_of_narrow_unsigned_types() {
    for bits in 4..=6 {
        check_narrow(&FORMS, bits, false);
    }
}

#[needs(cxx)]
#[test]
fn all_pairs_of_narrow_signed_types() {
    for bits in 1..=5 {
        check_narrow(&FORMS, bits, true);
    }
}

#[needs(cxx)]
#[test]
fn all_exact_quotients_of_narrow_types() {
    for (bits, signed) in [(6, false), (5, true)] {
        check_narrow(&["div_exact(a, b)", "divisible(a, b)"], bits, signed);
    }
}

/// All pairs of seven bits, and all of ten by the ends of their quotients' intervals; two bits more in a long
/// run.
#[needs(cxx)]
#[test]
fn all_quotients_of_short_numbers() {
    let pairs = |u: u32, v: u32| (BigUint::from(u), BigUint::from(v));
    let bits = usual_or(7, 9);
    let all: Vec<_> = (1..1 << bits).flat_map(|v| (0..1 << bits).map(move |u| pairs(u, v))).collect();
    check_pairs(bits, 1, &all);
    let bits = usual_or(10, 12);
    let ends = (1..1 << bits).flat_map(|v| interval_ends(v, 2, bits).into_iter().map(move |u| pairs(u, v)));
    check_pairs(bits.into(), 1, &ends.collect::<Vec<_>>());
}

/// All pairs of four words that are 0, 1, B/2 or B - 1.
#[needs(cxx)]
#[test]
fn all_numbers_of_words_of_few_kinds() {
    let kinds = [0, 1, 1 << 31, u32::MAX];
    let number = |i: usize| BigUint::new((0..4).map(|j| kinds[i >> (2 * j) & 3]).collect());
    let numbers: Vec<BigUint> = (0..256).map(number).collect();
    // Divisors of a warp are alike in length.
    let pairs = numbers[1..].iter().flat_map(|v| numbers.iter().map(|u| (u.clone(), v.clone())));
    check_pairs(128, 4, &pairs.collect::<Vec<_>>());
}
