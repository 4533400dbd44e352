//! Products modulo n whose numbers a lane holds alone, with the planned mapping.

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::LimbKind;
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use limbforge_testing::oracle;
use num_bigint::BigUint;

use super::numbers;
use crate::common;
use crate::harness::{Subject, check, planned};

/// Lanes of 12, 20 and 24 words, which are all in use or not.
const WIDTHS: [u64; 11] = [300, 384, 513, 544, 576, 600, 640, 672, 704, 736, 768];

/// Operations alone.
const ALONE: [&str; 9] = [
    "mulmod(a, b, c)",
    "div_wide(a, b, c)",
    "rem_wide(a, b, c)",
    "modinv2k(a)",
    "to_mont(a, b)",
    "from_mont(a, b)",
    "mont_mul(a, b, c)",
    "mont_reduce(a, b, c)",
    "powmod(a, b & 0xfffff, c)",
];

/// Operations beside others in one kernel.
const FUSED: [&str; 5] = [
    "mulmod(a, b, c) ^ addmod(b, c, a | 1)",
    "mulmod(a + b, a - b, c) * a / (b | 1)",
    "mont_reduce(to_mont(a, c | 1), mont_mul(a, b, c | 1), c | 1)",
    "powmod(mulmod(a, b, c | 1), b & 0x1ff, c | 1) + gcd(a, b)",
    "isqrt(a >> 1) ^ powmod(a, c & 0x3ff, b)",
];

/// Operations that go along all bits of an operand.
const LONG: [&str; 3] = ["powmod(a, b, c)", "is_prime(a)", "is_strong_probable_prime(a | 1, b)"];

/// Triples of the numbers, a step apart.
fn triples(bits: u64, count: usize) -> Vec<[BigUint; 3]> {
    let numbers = numbers(bits);
    let n = numbers.len();
    // Primes of 16, 17, 19, 20 and 24 words, or their lowest bits.
    let two_to = |exponent: u64| BigUint::from(1_u32) << exponent;
    let primes =
        [(512, 569_u32), (521, 1), (607, 1), (640, 305), (768, 825)].map(|(n, less)| two_to(n) - less);
    let of = |i: usize| match i % 5 {
        4 => primes[i / 5 % 5].clone() & (two_to(bits) - 1_u32),
        _ => numbers[i % n].clone(),
    };
    (0..count).map(|i| [of(7 * i + 3), of(5 * i + i / n), of(3 * i + i / 4)]).collect()
}

fn check_triples<B: Base>(text: &str, ty: IntType, count: usize) {
    let spec = planned(text, ty, LimbKind::of::<B>(), Layout::InstanceMajor);
    let words = spec.words().div_ceil(4) * 4;
    assert_eq!((spec.mapping.lanes, spec.mapping.run_words), (1, words), "{text} of {ty}");
    let triples = triples(ty.bits().into(), count);
    let subject = Subject::kernel(spec);
    let m = ty.limbs::<B>();
    let batch = |k: usize| {
        let limbs = triples.iter().flat_map(|triple| oracle::limbs::<B>(&triple[k], m)).collect();
        Batch::from_limbs(ty, Layout::InstanceMajor, limbs).unwrap()
    };
    let batches: Vec<Batch<B>> =
        subject.inputs.iter().map(|input| batch(usize::from(input.name.as_bytes()[0] - b'a'))).collect();
    check(&subject, &batches, count, &[Schedule::Random(23)]);
}

/// Some widths, limbs and signs for each text: all of them in a long run.
fn check_some(texts: &[&str], of_each: usize, count: usize) {
    for text in texts {
        let cases = WIDTHS.into_iter().flat_map(|bits| (0..3).map(move |limb| (bits, limb)));
        let cases = cases.flat_map(|(bits, limb)| [false, true].map(|signed| (bits, limb, signed)));
        for (bits, limb, signed) in sample(text, cases, of_each) {
            let ty = IntType::new(bits, signed).unwrap();
            match limb {
                0 => check_triples::<u32>(text, ty, count),
                1 => check_triples::<u64>(text, ty, count),
                _ => check_triples::<u128>(text, ty, count),
            }
        }
    }
}

#[needs(cxx)]
#[test]
fn operations_alone() {
    check_some(&ALONE, 2, 150);
}

#[needs(cxx)]
#[test]
fn operations_beside_others() {
    check_some(&FUSED, 1, 150);
}

#[needs(cxx)]
#[test]
fn powers_and_tests_of_primality() {
    check_some(&LONG, 2, 97);
}

/// Remainders of products that have a kernel of their own: dividends of 33 to 48 words.
#[needs(cxx)]
#[test]
fn quotients_of_longer_numbers() {
    for text in ["a / b", "a % b", "div_floor(a, b)", "rem_euclid(a, b)", "div_exact(a, b)"] {
        let cases = [1026, 1088, 1152, 1200, 1280, 1344, 1408, 1472, 1536];
        let cases = cases.into_iter().flat_map(|bits| [false, true].map(|signed| (bits, signed)));
        for (bits, signed) in sample(text, cases, 2) {
            check_triples::<u32>(text, IntType::new(bits, signed).unwrap(), 300);
        }
    }
}

/// The widths about the range, and the operations that keep two lanes there.
#[test]
fn lanes_of_other_widths_and_operations() {
    for (text, bits, lanes, words) in [
        ("powmod(a, b, c)", 512, 1, 16),
        ("powmod(a, b, c)", 769, 2, 16),
        ("powmod(a, b, c)", 1024, 2, 16),
        ("mulmod(a, b, c)", 1000, 2, 16),
        ("modinv(a, b)", 640, 2, 16),
        ("root(a, b)", 768, 2, 16),
        ("mulmod(modinv(a, b), a, b)", 640, 2, 16),
        ("powmod(modinv(a, b), a, b)", 640, 1, 20),
        ("a / b", 768, 1, 24),
        ("a / b", 1024, 1, 32),
        ("a % b", 1100, 1, 36),
        ("div_floor(a, b)", 1536, 1, 48),
        ("a / b", 1537, 2, 32),
        ("a / b + c", 1280, 2, 32),
        ("gcd(a, b)", 1280, 2, 32),
    ] {
        let mapping = common::unsigned(text, bits, LimbKind::of::<u64>(), Layout::InstanceMajor).mapping;
        assert_eq!((mapping.lanes, mapping.run_words), (lanes, words), "{text} of {bits} bits");
    }
}
