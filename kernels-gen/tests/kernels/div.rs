//! Divisions by the real kernel text, run by the emulator, against num-bigint: operands that other implementations fail on, and
//! structured ones, for lanes that hold few words and for lanes that hold many.

use limbforge_algos::expr::Expr;
use limbforge_emulate::{Compiler, Emulated, Schedule};
use limbforge_kernels_gen::{InputSpec, KernelSpec, LimbKind, Limits, Mapping, Target, render};
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;
use limbforge_testing::division::{counterexamples, division, interval_ends, known};
use limbforge_testing::expr::evaluate_checked;
use limbforge_testing::oracle;
use num_bigint::{BigInt, BigUint};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Structured divisors, each with five dividends, for each kernel.
const DIVISORS: usize = 400;

/// Divisions of a launch, which the emulator ends after a minute.
const AT_ONCE: usize = 500;

/// The results of all pairs by a kernel with `q` words to a lane, as residues, or none where the kernel marks that there is none.
fn run(text: &str, ty: IntType, q: u32, pairs: &[(BigUint, BigUint)]) -> Vec<Option<BigUint>> {
    let compiler = Compiler::find().unwrap();
    let dag = Expr::parse(text).unwrap().to_dag();
    let limb = LimbKind::of::<u32>();
    let mut mapping = Mapping::from_limbs_per_thread(&dag, ty, limb, q, 1).unwrap();
    mapping.instances = 32 / mapping.lanes;
    let inputs = ["a", "b"].map(|name| InputSpec::integers(name, Layout::InstanceMajor, false)).to_vec();
    let spec =
        KernelSpec::new(dag, ty, limb, inputs, Layout::InstanceMajor, mapping, Target::Emulator).unwrap();
    let emulated = Emulated::build(&compiler, &render(&spec, &Limits::SM_90).unwrap()).unwrap();
    pairs.chunks(AT_ONCE).flat_map(|pairs| divided(&emulated, ty, pairs)).collect()
}

/// The results of one launch.
fn divided(emulated: &Emulated, ty: IntType, pairs: &[(BigUint, BigUint)]) -> Vec<Option<BigUint>> {
    let m = ty.limbs::<u32>();
    let bytes = |values: &mut dyn Iterator<Item = &BigUint>| -> Vec<u8> {
        values.flat_map(|value| oracle::limbs::<u32>(value, m)).flat_map(u32::to_le_bytes).collect()
    };
    let (a, b) = (bytes(&mut pairs.iter().map(|(u, _)| u)), bytes(&mut pairs.iter().map(|(_, v)| v)));
    let (n, size) = (pairs.len(), 4 * m);
    let (found, marks) = emulated.run_marked(&[&a, &b], n * size, n as u64, Schedule::Random(7)).unwrap();
    let found = found.chunks_exact(size).map(BigUint::from_bytes_le);
    let is_marked = |i: usize| marks.get(i).is_some_and(|&mark| mark != 0);
    found.enumerate().map(|(i, found)| (!is_marked(i)).then_some(found)).collect()
}

/// Known and structured pairs of at most this many bits.
fn pairs(bits: u64) -> Vec<(BigUint, BigUint)> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let digits = division::<u32>(bits as usize / 32);
    let structured = (0..DIVISORS).flat_map(|_| {
        let (dividends, v) = digits.new_tree(&mut runner).unwrap().current();
        dividends.into_iter().map(move |u| (u, v.clone()))
    });
    let mut pairs = known::<u32>(bits);
    pairs.extend(known::<u64>(bits));
    pairs.extend(structured);
    pairs.retain(|(u, v)| u.bits() <= bits && v.bits() <= bits);
    // Warps choose by their longest divisor: there are also some that have short ones only.
    let short: Vec<_> = pairs.iter().filter(|(_, v)| v.bits() <= 64).cloned().collect();
    pairs.extend(short);
    pairs
}

fn check(bits: u64, q: u32) {
    // Of the longest those that have a name, and some of the others.
    let step = if bits > 8192 { 5 } else { 1 };
    let named = counterexamples::<u32>(bits);
    let others = pairs(bits).into_iter().filter(|pair| !named.contains(pair)).step_by(step);
    let pairs: Vec<_> = named.iter().cloned().chain(others).collect();
    check_pairs(bits, q, &pairs);
}

fn check_pairs(bits: u64, q: u32, pairs: &[(BigUint, BigUint)]) {
    for (text, of) in [("a / b", 0), ("a % b", 1)] {
        let found = run(text, IntType::unsigned(bits).unwrap(), q, pairs);
        for ((u, v), found) in pairs.iter().zip(found) {
            let expected = Some(if of == 0 { u / v } else { u % v });
            assert_eq!(found, expected, "{text}, {bits} bits, {q} words to a lane: {u:#x} by {v:#x}");
        }
    }
}

macro_rules! mappings {
    ($($name:ident: $bits:literal, $q:literal;)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            check($bits, $q);
        }
    )*};
}

mappings! {
    one_lane: 512, 16;
    one_lane_of_two_words: 64, 4;
    two_lanes: 1024, 16;
    four_lanes_of_eight_words: 1000, 8;
    four_lanes: 2048, 16;
    eight_lanes_of_eight_words: 2048, 8;
    eight_lanes: 4096, 16;
    whole_warp: 8192, 8;
    blocks: 16384, 16;
    blocks_of_24_words_a_lane: 20000, 24;
    many_words: 4096, 32;
}

/// In one step of two words a lane whose words are all ones passes on more than two words hold.
#[needs(cxx)]
#[test]
fn a_lane_of_ones_passes_on_more_than_two_words() {
    let number = |text: &[u8]| BigUint::parse_bytes(text, 16).unwrap();
    let u = number(
        b"7fffffffffffffdfffffffffffff800040000000001ffff000000001ffffffffffffffffffdfffffffffe00017\
          ffffffffffffffffffffffffffffffffffffffffd80000000000000000000000000001ffff0000000000000000\
          000000000000000000000000007ffffffffffffffffffffffffff",
    );
    let v = number(
        b"1ffffffffffffff8000000000000000000000000000000000000000007ffffffffffffffffffffffffffffffff\
          ffffffffffffffffffffffffffffffffffffffffff800000000000000000000000000",
    );
    check_pairs(1024, 8, &[(u, v)]);
}

/// What is left of the dividend is close to the divisor, and its window, without what comes from below, above half of what 32 words hold.
#[needs(cxx)]
#[test]
fn a_window_has_no_more_than_its_sign_to_spare() {
    let ones = |bits: u32| (BigUint::from(1_u32) << bits) - 1_u32;
    let u = (ones(1962) << 12158_u32) + (ones(3979) << 8178_u32) + ones(6215);
    check_pairs(16384, 16, &[(u, ones(5942))]);
}

/// All pairs of a narrow type, zero divisors too.
fn check_narrow(forms: &[&str], bits: u64, signed: bool) {
    let ty = IntType::new(bits, signed).unwrap();
    let numbers: Vec<BigUint> = (0..1_u32 << bits).map(BigUint::from).collect();
    let pairs: Vec<_> = numbers.iter().flat_map(|u| numbers.iter().map(|v| (u.clone(), v.clone()))).collect();
    for text in forms {
        let found = run(text, ty, 1, &pairs);
        let dag = Expr::parse(text).unwrap().to_dag();
        for ((u, v), found) in pairs.iter().zip(found) {
            let variables = [("a", u), ("b", v)].map(|(name, residue)| (name, value_of(residue, ty)));
            let expected = evaluate_checked(&dag, &variables.into(), ty).ok();
            assert_eq!(found, expected, "{text} of {ty}: {u} by {v}");
        }
    }
}

/// The number that a residue stands for.
fn value_of(residue: &BigUint, ty: IntType) -> BigInt {
    if !ty.is_signed() {
        return residue.clone().into();
    }
    oracle::signed_value(&oracle::limbs::<u32>(residue, ty.limbs::<u32>()), ty.bits())
}

const FORMS: [&str; 4] = ["a / b", "a % b", "div_euclid(a, b)", "rem_euclid(a, b)"];

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

/// All pairs of nine bits, and all of twelve by the ends of their quotients' intervals.
#[needs(cxx)]
#[test]
fn all_quotients_of_short_numbers() {
    let pairs = |u: u32, v: u32| (BigUint::from(u), BigUint::from(v));
    let all: Vec<_> = (1..1 << 9).flat_map(|v| (0..1 << 9).map(move |u| pairs(u, v))).collect();
    check_pairs(9, 1, &all);
    let ends = (1..1 << 12).flat_map(|v| interval_ends(v, 2, 12).into_iter().map(move |u| pairs(u, v)));
    check_pairs(12, 1, &ends.collect::<Vec<_>>());
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
