//! Divisions by the real kernel text, run by the emulator, against num-bigint: operands that other
//! implementations fail on, and structured ones, for lanes that hold few words and for lanes that hold many.

mod narrow;

use limbforge_emulate::Schedule;
use limbforge_limb::IntType;
use limbforge_needs::needs;
use limbforge_reference::sample::{sample, usual_or};
use limbforge_testing::division::{counterexamples, division, known};
use num_bigint::BigUint;
use proptest::strategy::{Strategy, ValueTree};

use crate::harness::{Subject, check, instance_major, random_runner, words_to_lane};

/// Divisions of a launch, which the emulator ends after a minute.
const AT_ONCE: usize = 500;

/// Pairs of residues by each of the forms, with so many words to a lane.
fn check_forms(forms: &[&str], ty: IntType, q: u32, pairs: &[(BigUint, BigUint)]) {
    for text in forms {
        let subject = Subject::kernel(words_to_lane(text, ty, q));
        for pairs in pairs.chunks(AT_ONCE) {
            let operands = [
                instance_major(ty, pairs.iter().map(|(u, _)| u)),
                instance_major(ty, pairs.iter().map(|(_, v)| v)),
            ];
            check(&subject, &operands, pairs.len(), &[Schedule::Random(7)]);
        }
    }
}

/// Known and structured pairs of at most this many bits.
fn pairs(bits: u64) -> Vec<(BigUint, BigUint)> {
    let mut runner = random_runner();
    let digits = division::<u32>(bits as usize / 32);
    // Structured divisors, each with five dividends.
    let structured = (0..usual_or(120, 400)).flat_map(|_| {
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

/// All of those that have a name, and a sample of the others.
fn check_mapping(name: &str, bits: u64, q: u32) {
    let named = counterexamples::<u32>(bits);
    let others = pairs(bits).into_iter().filter(|pair| !named.contains(pair));
    let others = sample(name, others, if bits > 2048 { 150 } else { 500 });
    let pairs: Vec<_> = named.iter().cloned().chain(others).collect();
    check_forms(&["a / b", "a % b"], IntType::unsigned(bits).unwrap(), q, &pairs);
}

fn check_pairs(bits: u64, q: u32, pairs: &[(BigUint, BigUint)]) {
    check_forms(&["a / b", "a % b"], IntType::unsigned(bits).unwrap(), q, pairs);
}

macro_rules! mappings {
    ($($name:ident: $bits:literal, $q:literal;)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            check_mapping(stringify!($name), $bits, $q);
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

/// What is left of the dividend is close to the divisor, and its window, without what comes from below, above
/// half of what 32 words hold.
#[needs(cxx)]
#[test]
fn a_window_has_no_more_than_its_sign_to_spare() {
    let ones = |bits: u32| (BigUint::from(1_u32) << bits) - 1_u32;
    let u = (ones(1962) << 12158_u32) + (ones(3979) << 8178_u32) + ones(6215);
    check_pairs(16384, 16, &[(u, ones(5942))]);
}
