//! Divisors of one or two words: the first kernel divides by them, and others leave them out.

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::newton::{DivNewton, Stage};
use limbforge_kernels_gen::{LimbKind, ProgramKernel};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use num_bigint::BigUint;

use super::forms::check_batches;
use super::structured::check_quotients;
use super::{CYCLIC, SHORT_SEED, TRANSFORMS, batch, check_pair, program, subject};
use crate::harness::Device;

/// Divisors of up to two words: those at the ends of words and where steps correct, and the shortest that are
/// divided otherwise.
const DIVISORS: [u128; 22] = [
    1,
    2,
    3,
    0xffff,
    (1 << 31) - 1,
    1 << 31,
    (1 << 31) + 1,
    0xffff_fffe,
    0xffff_ffff,
    1 << 32,
    (1 << 32) + 1,
    0x1_ffff_ffff,
    0x8000_0000_8000_0000,
    (1 << 63) - 1,
    1 << 63,
    (1 << 63) + 1,
    0xffff_ffff_0000_0000,
    0xffff_ffff_0000_0001,
    0xfedc_ba98_7654_3211,
    (1 << 64) - 2,
    (1 << 64) - 1,
    1 << 64,
];

/// What no kernel has written.
const UNWRITTEN: u32 = 0xa5a5_a5a5;

/// Divisors of up to two words with dividends that are structured for them.
fn pairs(bits: u64) -> Vec<(BigUint, BigUint)> {
    let one = BigUint::from(1_u32);
    let all_ones = (&one << bits) - 1_u32;
    let of = |v: BigUint| {
        let quotient = &all_ones / &v;
        let shorter = &quotient >> (bits / 3);
        let dividends = [
            all_ones.clone(),
            &one << (bits - 1),
            &quotient * &v,
            &shorter * &v,
            &shorter * &v + (&v - 1_u32),
            (&one << (bits / 2)) - 1_u32,
            &v - 1_u32,
            v.clone(),
            BigUint::ZERO,
        ];
        let exact = (&quotient * &v > v).then(|| &quotient * &v - 1_u32);
        dividends.into_iter().chain(exact).map(move |u| (u, v.clone()))
    };
    DIVISORS.into_iter().map(BigUint::from).flat_map(of).collect()
}

#[needs(cxx)]
#[test]
fn divisors_of_one_and_two_words() {
    for bits in sample("short divisors", [300, 512, 1000, 2048], 2) {
        check_quotients(bits, SHORT_SEED, &pairs(bits));
    }
    check_quotients(2048, CYCLIC, &pairs(2048)[..40]);
}

/// A warp and more divide, the last threads of which have no words; two rounds of all threads for the widest.
#[needs(cxx)]
#[test]
fn several_warps_and_rounds() {
    for (bits, step) in [(8192, 7), (40_000, 7), (140_000, 19)] {
        let pairs: Vec<_> = pairs(bits).into_iter().step_by(step).collect();
        check_quotients(bits, DivNewton { seed_words: 66, ..SHORT_SEED }, &pairs);
    }
}

/// Every second divisor, and some of the others, as (-)2^k - 1, (-)2^k, (-)2^k + 1 of up to 65 bits, or 0.
fn shorten<B: Base>(name: &str, batch: &mut Batch<B>) {
    if name != "b" {
        return;
    }
    let ones = B::ZERO.wrapping_sub(B::ONE);
    for i in (0..batch.instances()).filter(|i| i % 4 != 1) {
        let mut limbs = vec![B::ZERO; batch.instance(i).len()];
        let k = [0, 31, 32, 33, 62, 63, 64][i % 7];
        let power = (1_u128 << k).wrapping_add_signed(i as i128 % 3 - 1);
        let mut words = vec![power as u32, (power >> 32) as u32, (power >> 64) as u32];
        words.resize(4, 0);
        if batch.ty().is_signed() && i % 2 == 0 {
            let negative = power.wrapping_neg();
            words = (0..4).map(|j| (negative >> (32 * j)) as u32).collect();
            limbs.fill(if power == 0 { B::ZERO } else { ones });
        }
        let per_limb = LimbKind::of::<B>().words() as usize;
        for (limb, words) in limbs.iter_mut().zip(words.chunks_exact(per_limb)) {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            *limb = B::from_le_bytes(&bytes);
        }
        batch.set_instance(i, &limbs);
    }
}

macro_rules! expressions {
    ($($name:ident: $limb:ty, $layout:ident, $broadcast:expr, [$(($text:expr, $ty:expr)),* $(,)?];)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            for text in sample(concat!("short ", stringify!($name)), [$(($text, $ty)),*], 2) {
                check_batches::<$limb>(text, Layout::$layout, $broadcast, shorten);
            }
        }
    )*};
}

expressions! {
    signed_forms: u32, InstanceMajor, false, [
        ("a / b", "i1000"), ("a % b", "i1000"), ("div_euclid(a, b)", "i1000"), ("div_floor(a, b)", "i1000"), ("rem_floor(a, b)", "i1000"), ("rem_euclid(a, b)", "i1000"),
        ("div_exact(a, b)", "i1000"), ("divisible(a, b)", "i1000"),
    ];
    unsigned_forms: u64, InstanceMajor, false, [
        ("div_euclid(a, b)", "u1024"), ("rem_euclid(a, b)", "u1024"), ("div_exact(a - a % (b | 1), b | 1)", "u700"), ("divisible(a, b)", "u1024"),
    ];
    other_limbs: u128, InstanceMajor, false, [("a / b", "u1100"), ("a % b", "i1100")];
    a_divisor_for_all: u64, InstanceMajor, true, [("a / (b | 1)", "u1024"), ("rem_euclid(a, b + 5)", "i777"), ("a / b", "u512")];
    interleaved: u64, Interleaved, false, [("a / b", "u800"), ("a % b", "i640")];
    between_other_operations: u32, InstanceMajor, false, [
        ("(a / b) * b + a % b", "u1000"), ("(a * b) / (b | 1)", "u600"), ("(a + b) % (b ^ 5) + a / 3", "i700"),
    ];
}

/// Short divisors beside others in blocks of several instances, whose products are left out together or not
/// at all.
#[needs(cxx)]
#[test]
fn mixed_batches() {
    let ty = IntType::unsigned(2048).unwrap();
    let shorts: [fn(usize) -> bool; 3] = [|i| i % 5 != 2, |i| i < 37, |i| i == 11];
    for (newton, is_short) in [SHORT_SEED, TRANSFORMS, CYCLIC].into_iter().zip(shorts) {
        let [a, mut b] = [0, 7].map(|seed| batch::<u32>(ty, Layout::InstanceMajor, 40, seed));
        for i in 0..b.instances() {
            let mut limbs = b.instance(i);
            if is_short(i) {
                limbs[1 + i % 2..].fill(0);
            }
            limbs[0] |= 1;
            b.set_instance(i, &limbs);
        }
        check_pair(&subject("(a / b) ^ (a % b)", ty, newton), &a, &b);
    }
}

/// The launches that write, by kernels between the first and the last of a division, of all kinds of
/// products.
pub(crate) fn written_between(inputs: &[Vec<u32>; 2], instances: usize) -> Vec<String> {
    let ty = IntType::unsigned(2048).unwrap();
    let mut written = vec![];
    for newton in [SHORT_SEED, TRANSFORMS, CYCLIC] {
        let (_, program) = program::<u32>("a / b", ty, Layout::InstanceMajor, false, newton);
        let mut seen = |kernel: &ProgramKernel, out: &[u32]| {
            let divides = match kernel {
                ProgramKernel::DivNewton(spec) => {
                    matches!(spec.stage, Stage::Normalise { .. } | Stage::CorrectLow { .. })
                }
                _ => false,
            };
            if !divides && out.iter().any(|word| *word != UNWRITTEN) {
                written.push(kernel.to_string());
            }
        };
        Device::new(program).unwrap().run_seen(inputs, &[instances], Schedule::Random(5), &mut seen);
    }
    written
}

/// Where all divisors of a batch have one or two words, kernels between the first and the last of a division
/// write nothing.
#[needs(cxx)]
#[test]
fn nothing_is_computed_between() {
    let ty = IntType::unsigned(2048).unwrap();
    let a = batch::<u32>(ty, Layout::InstanceMajor, 40, 3);
    let words = (0..40).flat_map(|i| {
        let mut limbs = vec![0; ty.limbs::<u32>()];
        (limbs[0], limbs[1]) = (i + 1, i % 3);
        limbs
    });
    let written = written_between(&[a.limbs().to_vec(), words.collect()], 40);
    assert!(written.is_empty(), "{written:?}");
}
