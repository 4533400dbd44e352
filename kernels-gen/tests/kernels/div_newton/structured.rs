//! Operands that other implementations fail on, and structured ones.

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::newton::DivNewton;
use limbforge_limb::IntType;
use limbforge_needs::needs;
use limbforge_reference::sample::usual_or;
use limbforge_testing::division::{counterexamples, division, known, power};
use num_bigint::BigUint;
use proptest::strategy::{Strategy, ValueTree};

use super::{CYCLIC, SHORT_SEED, TRANSFORMS, WIDE_TRANSFORMS, subject};
use crate::harness::{check, instance_major, random_runner};

/// Known and structured pairs of at most this many bits, and such whose divisors end around the middle.
fn pairs(bits: u64) -> Vec<(BigUint, BigUint)> {
    let mut runner = random_runner();
    let words = bits as usize / 32;
    let digits = division::<u32>(words);
    // Structured divisors, each with five dividends.
    let structured = (0..usual_or(30, 60)).flat_map(|_| {
        let (dividends, v) = digits.new_tree(&mut runner).unwrap().current();
        dividends.into_iter().map(move |u| (u, v.clone()))
    });
    let named = counterexamples::<u32>(bits);
    let others = known::<u32>(bits).into_iter().filter(|pair| !named.contains(pair)).step_by(7);
    let mut pairs: Vec<_> = named.iter().cloned().chain(others).collect();
    pairs.extend(structured);
    let all_ones = (BigUint::from(1_u32) << bits) - 1_u32;
    for shift in [0, 1, 31, 32, bits / 2 - 1, bits / 2, bits / 2 + 1, bits - 32, bits - 2, bits - 1] {
        let v = BigUint::from(1_u32) << shift;
        let near = [v.clone(), &v - 1_u32, &v + 1_u32, (&v << 1) - 1_u32, &all_ones >> shift];
        let near = near.into_iter().filter(|v| *v != BigUint::ZERO);
        pairs.extend(near.flat_map(|v| [(all_ones.clone(), v.clone()), (&v - 1_u32, v)]));
    }
    let middle = power::<u32>(words / 2);
    pairs.push((&middle * &middle - 1_u32, middle));
    pairs.retain(|(u, v)| u.bits() <= bits && v.bits() <= bits && *v != BigUint::ZERO);
    pairs
}

fn check_structured(bits: u64, newton: DivNewton) {
    check_quotients(bits, newton, &pairs(bits));
}

/// Quotients and remainders of the pairs.
pub(super) fn check_quotients(bits: u64, newton: DivNewton, pairs: &[(BigUint, BigUint)]) {
    let ty = IntType::unsigned(bits).unwrap();
    let operands =
        [instance_major(ty, pairs.iter().map(|(u, _)| u)), instance_major(ty, pairs.iter().map(|(_, v)| v))];
    for text in ["a / b", "a % b"] {
        check(&subject(text, ty, newton), &operands, pairs.len(), &[Schedule::Random(5)]);
    }
}

#[needs(cxx)]
#[test]
fn known_and_structured_operands() {
    check_structured(512, SHORT_SEED);
}

#[needs(cxx)]
#[test]
fn widths_of_an_odd_number_of_words() {
    check_structured(1000, SHORT_SEED);
}

#[needs(cxx)]
#[test]
fn several_steps() {
    check_structured(2112, SHORT_SEED);
}

/// What is above whole tiles of tensor cores is multiplied by the sums around the products.
#[needs(cxx)]
#[test]
fn products_of_whole_tiles() {
    check_structured(2048, SHORT_SEED);
}

#[needs(cxx)]
#[test]
fn products_by_transforms() {
    check_structured(1024, TRANSFORMS);
    check_structured(2048, WIDE_TRANSFORMS);
}

#[needs(cxx)]
#[test]
fn products_by_cyclic_transforms() {
    check_structured(2048, CYCLIC);
    check_structured(4030, DivNewton { transforms_from: [u32::MAX; 2], ..CYCLIC });
}

/// The quotient of full operands is one too small before the last correction for exact multiples: every case
/// takes it.
#[needs(cxx)]
#[test]
fn wide_operands() {
    let ones = |bits: u64| (BigUint::from(1_u32) << bits) - 1_u32;
    let pairs = [
        (ones(40_000), ones(20_000)),
        (ones(19_000) * ones(21_000), ones(19_000)),
        (ones(39_999), (BigUint::from(1_u32) << 31_000) + 1_u32),
        (ones(40_000), BigUint::from(3_u32)),
    ];
    let ty = IntType::unsigned(40_000).unwrap();
    let operands =
        [instance_major(ty, pairs.iter().map(|(u, _)| u)), instance_major(ty, pairs.iter().map(|(_, v)| v))];
    let subject = subject("a % b", ty, DivNewton::default());
    check(&subject, &operands, pairs.len(), &[Schedule::Random(5)]);
}
