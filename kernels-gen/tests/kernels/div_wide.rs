//! Divisions of two operands by a third one by the real kernel text, run by the emulator, against num-bigint: operands that other
//! implementations fail on, and structured ones, in steps and by blocks.

use limbforge_algos::expr::{Expr, Op};
use limbforge_emulate::{Compiler, Emulated, Schedule};
use limbforge_kernels_gen::{InputSpec, KernelSpec, LimbKind, Limits, Mapping, Target, render};
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;
use limbforge_testing::division::{counterexamples, division, known};
use limbforge_testing::oracle;
use num_bigint::BigUint;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Structured divisors, each with five dividends, for each kernel.
const DIVISORS: usize = 60;

/// Divisions of a launch, which the emulator ends after a minute.
const AT_ONCE: usize = 200;

/// A kernel of unsigned integers with so many words to a lane, or as planned.
fn kernel(text: &str, bits: u64, q: Option<u32>) -> KernelSpec {
    let (dag, ty) = (Expr::parse(text).unwrap().to_dag(), IntType::unsigned(bits).unwrap());
    let limb = LimbKind::of::<u32>();
    let mapping = match q {
        Some(q) => {
            let mapping = Mapping::from_limbs_per_thread(&dag, ty, limb, q, 1).unwrap();
            Mapping { instances: 32 / mapping.lanes, ..mapping }
        }
        None => Mapping::plan(&dag, ty, limb, &[Layout::InstanceMajor; 4]),
    };
    let inputs = ["a", "b", "c"].map(|name| InputSpec::integers(name, Layout::InstanceMajor, false)).to_vec();
    KernelSpec::new(dag, ty, limb, inputs, Layout::InstanceMajor, mapping, Target::Emulator).unwrap()
}

/// Known and structured dividends of two operands of so many bits, and divisors of one.
fn pairs(bits: u64) -> Vec<(BigUint, BigUint)> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let digits = division::<u32>(2 * bits as usize / 32);
    let structured = (0..DIVISORS).flat_map(|_| {
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

fn check(bits: u64, q: Option<u32>, by_blocks: bool) {
    check_pairs(bits, q, by_blocks, &pairs(bits));
}

fn check_pairs(bits: u64, q: Option<u32>, by_blocks: bool, pairs: &[(BigUint, BigUint)]) {
    let compiler = Compiler::find().unwrap();
    for text in ["div_wide(a, b, c)", "rem_wide(a, b, c)"] {
        let spec = kernel(text, bits, q);
        let kernel = render(&spec, &Limits::SM_90).unwrap();
        assert_eq!(kernel.source.contains("struct BlockDivision"), by_blocks, "{spec}");
        let emulated = Emulated::build(&compiler, &kernel).unwrap();
        for pairs in pairs.chunks(AT_ONCE) {
            check_launch(&spec, &emulated, pairs);
        }
    }
}

/// One launch against num-bigint.
fn check_launch(spec: &KernelSpec, emulated: &Emulated, pairs: &[(BigUint, BigUint)]) {
    let (bits, size, n) = (spec.ty.bits(), 4 * spec.ty.limbs::<u32>(), pairs.len());
    let words = |of: &dyn Fn(&(BigUint, BigUint)) -> BigUint| -> Vec<u8> {
        let words = pairs.iter().flat_map(|pair| oracle::limbs::<u32>(&of(pair), size / 4));
        words.flat_map(u32::to_le_bytes).collect()
    };
    let below = (BigUint::from(1_u32) << bits) - 1_u32;
    let inputs = [words(&|(u, _)| u >> bits), words(&|(u, _)| u & &below), words(&|(_, v)| v.clone())];
    let inputs: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
    let (found, marks) = emulated.run_marked(&inputs, size * n, n as u64, Schedule::Random(7)).unwrap();
    let divides = spec.dag.nodes().iter().any(|node| node.op == Op::DivWide);
    for (((u, v), found), mark) in pairs.iter().zip(found.chunks_exact(size)).zip(marks) {
        let expected = if divides { u / v } else { u % v };
        let fails = expected > below;
        assert_eq!(mark != 0, fails, "{spec}: {u:#x} by {v:#x}");
        assert!(fails || BigUint::from_bytes_le(found) == expected, "{spec}: {u:#x} by {v:#x}");
    }
}

#[needs(cxx)]
#[test]
fn steps() {
    check(512, Some(16), false);
    check(1000, Some(8), false);
    check(4096, None, false);
    check(8192, Some(16), false);
}

/// Of the shortest dividends for which they are planned, and the longest; of widths that end within a word and within a lane.
#[needs(cxx)]
#[test]
fn blocks() {
    for bits in [4128, 5001, 8192, 16_384] {
        check(bits, None, true);
    }
}

#[needs(cxx)]
#[test]
fn blocks_of_the_widest() {
    let bits = 32_768;
    let some: Vec<_> = pairs(bits).into_iter().step_by(5).collect();
    check_pairs(bits, None, true, &some);
}
