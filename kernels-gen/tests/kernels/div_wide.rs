//! Divisions of two operands by a third one by the real kernel text, run by the emulator, against num-bigint:
//! operands that other implementations fail on, and structured ones, in steps and by blocks.

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::{KernelSpec, LimbKind};
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::{sample, usual_or};
use limbforge_testing::division::{counterexamples, division, known};
use num_bigint::BigUint;
use proptest::strategy::{Strategy, ValueTree};

use crate::harness::{Subject, check, instance_major, planned, random_runner, words_to_lane};

/// Divisions of a launch, which the emulator ends after a minute.
const AT_ONCE: usize = 200;

/// A kernel of unsigned integers with so many words to a lane, or as planned.
fn kernel(text: &str, bits: u64, q: Option<u32>) -> KernelSpec {
    let ty = IntType::unsigned(bits).unwrap();
    match q {
        Some(q) => words_to_lane(text, ty, q),
        None => planned(text, ty, LimbKind::of::<u32>(), Layout::InstanceMajor),
    }
}

/// Known and structured dividends of two operands of so many bits, and divisors of one.
fn pairs(bits: u64) -> Vec<(BigUint, BigUint)> {
    let mut runner = random_runner();
    let digits = division::<u32>(2 * bits as usize / 32);
    // Structured divisors, each with five dividends.
    let structured = (0..usual_or(20, 60)).flat_map(|_| {
        let (dividends, v) = digits.new_tree(&mut runner).unwrap().current();
        dividends.into_iter().map(move |u| (u, v.clone()))
    });
    let ones = |bits: u64| (BigUint::from(1_u32) << bits) - 1_u32;
    let ends = [(ones(2 * bits), ones(bits)), (ones(2 * bits - 1), (ones(bits) >> 1) + 1_u32)];
    let mut pairs: Vec<_> = counterexamples::<u32>(2 * bits).into_iter().chain(ends).collect();
    pairs.extend(known::<u64>(2 * bits).into_iter().step_by(11));
    pairs.extend(structured);
    pairs.retain(|(u, v)| u.bits() <= 2 * bits && v.bits() <= bits);
    pairs
}

fn check_all(bits: u64, q: Option<u32>, by_blocks: bool) {
    check_pairs(bits, q, by_blocks, &pairs(bits));
}

fn check_pairs(bits: u64, q: Option<u32>, by_blocks: bool, pairs: &[(BigUint, BigUint)]) {
    let below = (BigUint::from(1_u32) << bits) - 1_u32;
    for text in ["div_wide(a, b, c)", "rem_wide(a, b, c)"] {
        let subject = Subject::kernel(kernel(text, bits, q));
        assert_eq!(subject.device.source(0).contains("struct BlockDivision"), by_blocks, "{text} {bits}");
        for pairs in pairs.chunks(AT_ONCE) {
            let high: Vec<BigUint> = pairs.iter().map(|(u, _)| u >> bits).collect();
            let low: Vec<BigUint> = pairs.iter().map(|(u, _)| u & &below).collect();
            let divisors: Vec<BigUint> = pairs.iter().map(|(_, v)| v.clone()).collect();
            let operands = [&high, &low, &divisors].map(|values| instance_major(subject.ty, values));
            check(&subject, &operands, pairs.len(), &[Schedule::Random(7)]);
        }
    }
}

#[needs(cxx)]
#[test]
fn steps() {
    check_all(512, Some(16), false);
    check_all(1000, Some(8), false);
    check_all(4096, None, false);
    check_all(8192, Some(16), false);
}

/// Of the shortest dividends for which they are planned, and the longest; of widths that end within a word
/// and within a lane.
#[needs(cxx)]
#[test]
fn blocks() {
    for bits in sample("divisions by blocks", [4128, 5001, 8192, 16_384], 2) {
        check_all(bits, None, true);
    }
}

#[needs(cxx)]
#[test]
fn blocks_of_the_widest() {
    let bits = 32_768;
    let some: Vec<_> = pairs(bits).into_iter().step_by(usual_or(15, 5)).collect();
    check_pairs(bits, None, true, &some);
}
