//! Powers modulo one number for all instances by folds, emulated, against the CPU backend.

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::{Limits, Product, Program, ProgramKernel, ProgramSpec};
use limbforge_limb::{Base, Batch, IntType};
use limbforge_needs::needs;

use crate::harness::{Device, Subject, check, drawn_batch, random_runner};
use crate::modmul_rns::one_modulus::check_structured_operands;
use crate::modmul_rns::{check_drawn_by, program_by};

const ONE: [Schedule; 1] = [Schedule::Ascending];

fn program<B: Base>(text: &str, bits: u32, broadcast: &[&str], limits: &Limits) -> (ProgramSpec, Program) {
    program_by::<B>(Product::Fold, text, bits, broadcast, limits)
}

fn check_drawn<B: Base>(text: &str, bits: u32, broadcast: &[&str], n: usize) {
    check_drawn_by::<B>(Product::Fold, text, bits, broadcast, n);
}

fn is_power(kernel: &ProgramKernel) -> bool {
    kernel.to_string().starts_with("modmul_fold power")
}

fn check_structured<B: Base>(bits: u32, schedules: &[Schedule]) {
    let (spec, program) = program::<B>("powmod(a, b, c)", bits, &["c"], &Limits::SM_90);
    assert!(program.kernels.iter().any(is_power));
    check_structured_operands::<B>((&spec, program), schedules);
}

#[needs(cxx)]
#[test]
fn structured_operands_of_all_limbs() {
    check_structured::<u32>(32, &ONE);
    check_structured::<u32>(96, &ONE);
    check_structured::<u64>(100, &ONE);
    check_structured::<u128>(160, &ONE);
}

#[needs(cxx)]
#[test]
fn structured_operands_in_every_order_of_threads() {
    check_structured::<u64>(64, &[Schedule::SAMPLE[0]]);
    let (spec, program) = program::<u32>("powmod(a, b, c)", 288, &["c"], &Limits::SM_90);
    let mut runner = random_runner();
    let mut drawn = |n| drawn_batch::<u32>(&mut runner, spec.ty, spec.output, n);
    let batches = [drawn(19), drawn(19), drawn(1)];
    check(&Subject::program(&spec, program), &batches, 19, &Schedule::SAMPLE);
}

/// Widths of one to six units of rows, whole and half vectors of rows, and words that leave a unit unfilled.
#[needs(cxx)]
#[test]
fn structured_operands_of_longer_numbers() {
    for bits in [224, 256, 480, 512, 513] {
        check_short::<u32>(bits, &Limits::SM_90);
    }
    for bits in [768, 1000, 1024, 1536] {
        check_short::<u64>(bits, &Limits::SM_90);
    }
}

/// Short exponents.
fn check_short<B: Base>(bits: u32, limits: &Limits) {
    let (spec, program) = program::<B>("powmod(a, b & 0x1f, c)", bits, &["c"], limits);
    let mut runner = random_runner();
    let mut drawn = |n| drawn_batch(&mut runner, spec.ty, spec.output, n);
    let batches: [Batch<B>; 3] = [drawn(9), drawn(9), drawn(1)];
    check(&Subject::program(&spec, program), &batches, 9, &ONE);
}

#[needs(cxx)]
#[test]
fn fewer_warps_in_little_shared_memory() {
    let limits = Limits { shared_bytes: 12 << 10, ..Limits::SM_90 };
    let (_, program) = program::<u32>("powmod(a, b, c)", 256, &["c"], &limits);
    let power = program.kernels.iter().find(|kernel| is_power(kernel)).unwrap();
    assert!(power.to_string().contains("warps=4 "), "{power}");
    check_short::<u32>(256, &limits);
}

#[needs(cxx)]
#[test]
fn more_than_a_block_and_other_operands_for_all() {
    check_drawn::<u32>("powmod(a, b & 0xff, c)", 33, &["c"], 600);
    check_drawn::<u32>("powmod(a, b, c)", 64, &["b", "c"], 5);
    check_drawn::<u64>("powmod(a, b, c)", 64, &["a", "c"], 5);
    check_drawn::<u32>("powmod(a, b, c)", 64, &["a", "b", "c"], 5);
}

/// A modulus that is computed, a constant, powers modulo the same number within an expression, and powers that are
/// classical: with a modulus of each instance, or of signed numbers.
#[needs(cxx)]
#[test]
fn powers_within_expressions() {
    check_drawn::<u32>("powmod(a, b, c | 1)", 64, &["c"], 5);
    check_drawn::<u64>("powmod(a, b, 1000036000099)", 128, &[], 5);
    check_drawn::<u32>("powmod(a + b, b, c) + powmod(a, powmod(b, a, c), c | 1) * a", 64, &["c"], 5);
    check_drawn::<u32>("powmod(a, b, c) + powmod(a, b, b)", 64, &["c"], 5);
    let (_, each) = program::<u32>("powmod(a, b, c)", 64, &["b"], &Limits::SM_90);
    assert!(!each.kernels.iter().any(is_power));
}

/// The rows are made once, whatever the chunks.
#[needs(cxx)]
#[test]
fn rows_are_made_once_for_all_chunks() {
    let (spec, program) = program::<u32>("powmod(a, b, c)", 64, &["c"], &Limits::SM_90);
    let once: Vec<String> = program
        .launches
        .iter()
        .filter(|launch| launch.is_uniform())
        .map(|launch| program.kernel(launch).to_string())
        .collect();
    assert!(matches!(&once[..], [rows] if rows.starts_with("modmul_fold rows")), "{once:?}");
    let mut runner = random_runner();
    let mut drawn = |n| drawn_batch::<u32>(&mut runner, IntType::unsigned(64).unwrap(), spec.output, n);
    let inputs = [drawn(23), drawn(23), drawn(1)].map(|batch| batch.limbs().to_vec());
    let device = Device::new(program).unwrap();
    let whole = device.run(&inputs, &[23], Schedule::Ascending);
    let parts = device.run(&inputs, &[12, 8, 3], Schedule::Ascending);
    assert_eq!((whole.result, whole.marked), (parts.result, parts.marked));
}
