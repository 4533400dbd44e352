//! Number theory by the real kernel text, run by the emulator, against the CPU backend: operands that steps
//! take longest for, and those at the ends of the definitions.

mod edges;
mod one_lane;
pub(crate) mod roots;
mod xgcd;

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::{LimbKind, Limits, render};
use limbforge_limb::{Batch, IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use num_bigint::BigUint;

use crate::common;
use crate::harness::{Subject, check, instance_major, words_to_lane};

/// Numbers below 2^bits: small ones, consecutive Fibonacci numbers, powers of two and their neighbours, all
/// ones, products.
fn numbers(bits: u64) -> Vec<BigUint> {
    let one = BigUint::from(1_u32);
    let (mut fibonacci, mut next) = (one.clone(), one.clone());
    while (&fibonacci + &next).bits() <= bits {
        (fibonacci, next) = (next.clone(), fibonacci + next);
    }
    let half = &one << (bits / 2);
    let product = (&half - 1_u32) * (&half >> 1_u32);
    let odd = (&fibonacci >> (bits / 2)) | &one;
    let mut numbers: Vec<BigUint> = (0..4_u32).map(BigUint::from).collect();
    numbers.extend([
        fibonacci.clone(),
        next,
        fibonacci >> 1_u32,
        &one << (bits - 1),
        (&one << (bits - 1)) + 1_u32,
    ]);
    numbers.extend([
        &half - 1_u32,
        half.clone(),
        half + 1_u32,
        (&one << bits) - 1_u32,
        (&one << bits) - 2_u32,
    ]);
    numbers.extend([product.clone(), product | &one, &odd * &odd, odd, BigUint::from(0xffff_fffe_u32)]);
    numbers.retain(|number| number.bits() <= bits);
    numbers
}

/// All pairs of the numbers, or every so many, and a third operand that goes through them too.
fn check_numbers(text: &str, (bits, q): (u64, u32), step: usize) {
    let numbers = numbers(bits);
    let n = numbers.len();
    let operands: Vec<[&BigUint; 3]> =
        (0..n * n).step_by(step).map(|i| [i % n, i / n, (i + i / n) % n].map(|k| &numbers[k])).collect();
    check_operands(text, IntType::unsigned(bits).unwrap(), q, &operands);
}

/// An expression of up to three operands, given as residues, with q words of 32 bits to a lane.
fn check_operands(text: &str, ty: IntType, q: u32, operands: &[[&BigUint; 3]]) {
    let subject = Subject::kernel(words_to_lane(text, ty, q));
    let batch = |k: usize| instance_major(ty, operands.iter().map(|operands| operands[k]));
    let batches: Vec<Batch<u32>> = (0..subject.inputs.len()).map(batch).collect();
    check(&subject, &batches, operands.len(), &[Schedule::Random(11)]);
}

/// Bits and words to a lane: one lane and several, where words are full and where they are not.
const SHAPES: [(u64, u32); 5] = [(131, 4), (160, 8), (512, 16), (1000, 8), (1024, 32)];

/// All lanes of a warp, the last of which has one word only: a warp for each instance, of which there are few
/// for that.
const WHOLE_WARP: (u64, u32) = (3001, 3);

/// One in this many operands of [`WHOLE_WARP`]: every number is there as each operand.
const STEP: usize = 11;

/// The shapes of an operation, with the step through its operands: all of them in a long run.
fn some_shapes<S: Copy>(text: &str, shapes: &[S], whole_warp: S) -> Vec<(S, usize)> {
    let all = shapes.iter().map(|shape| (*shape, 1)).chain([(whole_warp, STEP)]);
    sample(text, all, 3)
}

macro_rules! operations {
    ($($name:ident: $text:literal;)*) => {$(
        #[needs(cxx)]
        #[test]
        fn $name() {
            for (shape, step) in some_shapes($text, &SHAPES, WHOLE_WARP) {
                check_numbers($text, shape, step);
            }
        }
    )*};
}

operations! {
    gcd: "gcd(a, b)";
    lcm: "lcm(a, b)";
    modinv: "modinv(a, b)";
    addmod: "addmod(a, b, c)";
    submod: "submod(a, b, c)";
    mulmod: "mulmod(a, b, c)";
    div_wide: "div_wide(a, b, c) ^ rem_wide(a, b, c)";
    rem_wide: "rem_wide(a, b, c)";
    to_mont: "to_mont(a, b)";
    from_mont: "from_mont(a, b)";
    mont_mul: "mont_mul(a, b, c)";
    mont_reduce: "mont_reduce(a, b, c)";
    isqrt: "isqrt(a) ^ isqrt(b - a)";
}

#[needs(cxx)]
#[test]
fn powmod() {
    for shape in sample("powmod", [(131, 4), (160, 8), (250, 8)], 2) {
        check_numbers("powmod(a, b, c)", shape, 1);
    }
}

/// Moduli of all lanes of a warp, exponents of few bits.
#[needs(cxx)]
#[test]
fn powmod_of_whole_warps() {
    check_numbers("powmod(a, b & 0x1ff, c)", WHOLE_WARP, STEP);
}

/// Exponents about the lengths from which on digits have a bit more; all of a warp have the same length.
#[needs(cxx)]
#[test]
fn powmod_of_exponents_of_every_window() {
    let (bits, q, instances_per_warp) = (1000, 16, 16);
    let lengths = [0, 1, 2, 4, 5, 17, 24, 25, 96, 97, 320, 321, 960, 961, 1000];
    let one = BigUint::from(1_u32);
    let numbers = numbers(bits);
    let mut exponents = vec![];
    for length in lengths {
        let ones = (&one << length) - &one;
        let high = if length > 0 { &one << (length - 1) } else { BigUint::ZERO };
        let mixed = &high | (&numbers[4] & &ones);
        exponents.extend((0..instances_per_warp).map(|i| [&ones, &mixed, &high][i % 3].clone()));
    }
    let odd: Vec<BigUint> = numbers.iter().map(|number| number | &one).collect();
    let number = |i: usize| &numbers[i % numbers.len()];
    let operands: Vec<[&BigUint; 3]> = exponents
        .iter()
        .enumerate()
        .map(|(i, e)| [number(7 * i + 4), e, &odd[(3 * i + 5) % odd.len()]])
        .collect();
    check_operands("powmod(a, b, c)", IntType::unsigned(bits).unwrap(), q, &operands);
}

/// A constant of the expression is no number in registers, which would leave room for three warps to a
/// scheduler.
#[test]
fn powers_have_four_warps_to_a_scheduler() {
    for text in ["powmod(a, b, c)", "powmod(a, b, c | 1)", "is_prime(a | 1)"] {
        let ty = IntType::unsigned(8192).unwrap();
        let spec = common::planned(text, ty, LimbKind::of::<u64>(), Layout::InstanceMajor);
        let source = render(&spec, &Limits::SM_90).unwrap().source;
        assert!(source.contains("__launch_bounds__(128, 4)"), "{text}");
    }
}
