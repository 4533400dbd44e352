//! One modulus for all instances, which is part of the rows.

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::{Launch, Limits, Program, ProgramKernel, ProgramSpec};
use limbforge_limb::{Base, IntType};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use num_bigint::BigUint;

use super::{ONE, batch, check_drawn, program, structured_operands};
use crate::harness::{Device, Subject, check, drawn_batch, random_runner};

/// Whether a program has the kernel that makes the rows.
fn has_own_rows(program: &Program) -> bool {
    program.kernels.iter().any(|kernel| kernel.to_string().starts_with("modmul_rns matrices"))
}

fn check_structured<B: Base>(bits: u32, schedules: &[Schedule]) {
    let (spec, program) = program::<B>("powmod(a, b, c)", bits, &["c"], &Limits::SM_90);
    assert!(has_own_rows(&program));
    check_structured_operands::<B>((&spec, program), schedules);
}

/// Structured moduli with all structured bases and exponents; the same program serves all.
pub(crate) fn check_structured_operands<B: Base>(
    (spec, program): (&ProgramSpec, Program),
    schedules: &[Schedule],
) {
    let (subject, bits) = (Subject::program(spec, program), spec.ty.bits());
    let [bases, exponents, moduli] = structured_operands(bits);
    let moduli = sample(&format!("one modulus of {bits} bits"), moduli, 7);
    for (i, n) in moduli.iter().enumerate() {
        let below = n.clone().max(1_u32.into()) - 1_u32;
        let bases: Vec<&BigUint> = bases.iter().chain([&below, n]).collect();
        // Every base meets every exponent among three moduli.
        let cases = || {
            exponents.iter().enumerate().flat_map(|(j, e)| {
                bases.iter().enumerate().filter(move |(k, _)| (i + j + k) % 3 == 0).map(move |(_, &x)| (x, e))
            })
        };
        let batches = [
            batch::<B>(spec.ty, cases().map(|(x, _)| x.clone())),
            batch::<B>(spec.ty, cases().map(|(_, e)| e.clone())),
            batch::<B>(spec.ty, [n.clone()].into_iter()),
        ];
        check(&subject, &batches, cases().count(), schedules);
    }
}

#[needs(cxx)]
#[test]
fn structured_operands_of_narrow_numbers() {
    check_structured::<u32>(32, &ONE);
    check_structured::<u32>(64, &ONE);
    check_structured::<u64>(100, &ONE);
}

#[needs(cxx)]
#[test]
fn structured_operands_in_every_order_of_threads() {
    check_structured::<u128>(160, &[Schedule::SAMPLE[0]]);
    let (spec, program) = program::<u32>("powmod(a, b, c)", 64, &["c"], &Limits::SM_90);
    let mut runner = random_runner();
    let mut drawn = |n| drawn_batch::<u32>(&mut runner, spec.ty, spec.output, n);
    let batches = [drawn(19), drawn(19), drawn(1)];
    check(&Subject::program(&spec, program), &batches, 19, &Schedule::SAMPLE);
}

#[needs(cxx)]
#[test]
fn more_than_a_block_and_other_operands_for_all() {
    check_drawn::<u32>("powmod(a, b & 0xff, c)", 33, &["c"], 400);
    check_drawn::<u32>("powmod(a, b, c)", 64, &["b", "c"], 5);
    check_drawn::<u64>("powmod(a, b, c)", 64, &["a", "c"], 5);
    check_drawn::<u32>("powmod(a, b, c)", 64, &["a", "b", "c"], 5);
}

/// A modulus that is computed, a constant, and powers modulo the same number within an expression.
#[needs(cxx)]
#[test]
fn moduli_within_expressions() {
    check_drawn::<u32>("powmod(a, b, c | 1)", 64, &["c"], 5);
    check_drawn::<u64>("powmod(a, b, 1000036000099)", 128, &[], 5);
    check_drawn::<u32>("powmod(a + b, b, c) + powmod(a, powmod(b, a, c), c | 1) * a", 64, &["c"], 5);
}

/// Rows that exceed their limits: all powers are those of the classical kernel.
#[needs(cxx)]
#[test]
fn rows_beyond_their_limits_are_refused() {
    let (spec, mut program) = program::<u32>("powmod(a, b, c)", 64, &["c"], &Limits::SM_90);
    for kernel in &mut program.kernels {
        if let ProgramKernel::Rendered(kernel) = kernel
            && let Some(at) = kernel.source.find("limit = digit")
        {
            let end = at + kernel.source[at..].find(';').unwrap();
            kernel.source.replace_range(at..end, "limit = digit == 2 ? 0 : 65535");
        }
    }
    let subject = Subject::program(&spec, program);
    let mut runner = random_runner();
    let mut drawn = |n| drawn_batch::<u32>(&mut runner, spec.ty, spec.output, n);
    let batches = [drawn(6), drawn(6), drawn(1)];
    check(&subject, &batches, 6, &ONE);
    let inputs = batches.map(|batch| batch.limbs().to_vec());
    let mut flags = vec![];
    let mut seen = |kernel: &ProgramKernel, words: &[u32]| {
        if kernel.to_string().starts_with("modmul_rns enter one") && words.len() == 4 * 6 {
            flags.extend(words.chunks_exact(4).map(|words| words[1]));
        }
    };
    subject.device.run_seen(&inputs, &[6], Schedule::Ascending, &mut seen);
    assert_eq!(flags, [0; 6]);
}

/// Short exponents at widths of other shapes.
#[needs(cxx)]
#[test]
fn other_shapes_of_blocks() {
    let widths = sample("shapes of one modulus", [512, 1024, 1537, 2048, 3000, 3072, 4096, 6000, 8192], 3);
    let little =
        [200, 700].map(|bits| (bits, Limits { shared_bytes: u64::from(bits) * 28, ..Limits::SM_90 }));
    let groups = sample("one modulus by warpgroups", [1800, 2048, 3072, 4096], 1);
    let groups = groups.into_iter().map(|bits| (bits, Limits::SM_90A));
    for (bits, limits) in widths.into_iter().map(|bits| (bits, Limits::SM_90)).chain(little).chain(groups) {
        let (spec, program) = program::<u32>("powmod(a, b & 5, c)", bits, &["c"], &limits);
        let mut runner = random_runner();
        let mut drawn = |n| drawn_batch::<u32>(&mut runner, spec.ty, spec.output, n);
        let batches = [drawn(5), drawn(5), drawn(1)];
        check(&Subject::program(&spec, program), &batches, 5, &ONE);
    }
}

/// The launches of one modulus run once, whatever the chunks; a modulus of each instance has none of them.
#[needs(cxx)]
#[test]
fn rows_are_made_once_for_all_chunks() {
    let (spec, one) = program::<u32>("powmod(a, b, c)", 64, &["c"], &Limits::SM_90);
    let (_, each) = program::<u32>("powmod(a, b, c)", 64, &["b"], &Limits::SM_90);
    let once = |program: &Program| program.launches.iter().filter(|launch| launch.is_uniform()).count();
    assert_eq!((once(&one), once(&each)), (4, 0));
    assert!(has_own_rows(&one) && !has_own_rows(&each));
    let is_power = |kernel: &ProgramKernel| kernel.to_string().starts_with("modmul_rns power");
    let power = one.launches.iter().position(|launch: &Launch| is_power(one.kernel(launch))).unwrap();
    assert!(!one.launches[power].is_uniform());
    let mut runner = random_runner();
    let mut drawn = |n| drawn_batch::<u32>(&mut runner, IntType::unsigned(64).unwrap(), spec.output, n);
    let inputs = [drawn(23), drawn(23), drawn(1)].map(|batch| batch.limbs().to_vec());
    let device = Device::new(one).unwrap();
    let whole = device.run(&inputs, &[23], Schedule::Ascending);
    let parts = device.run(&inputs, &[12, 8, 3], Schedule::Ascending);
    assert_eq!((whole.result, whole.marked), (parts.result, parts.marked));
}
