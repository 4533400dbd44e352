//! Powers in residue number systems, emulated, against num-bigint and the CPU backend.

use limbforge_algos::expr::Expr;
use limbforge_algos::modmul_rns::Plan;
use limbforge_emulate::Schedule;
use limbforge_kernels_gen::{InputSpec, LimbKind, Limits, Product, Program, ProgramSpec, Target};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use limbforge_testing::oracle;
use num_bigint::BigUint;

use crate::harness::{Subject, check, drawn_batch, random_runner};

pub(crate) mod one_modulus;

const ONE: [Schedule; 1] = [Schedule::Ascending];

/// The program of an expression, with the operands of these names broadcast.
pub(crate) fn program<B: Base>(
    text: &str,
    bits: u32,
    broadcast: &[&str],
    limits: &Limits,
) -> (ProgramSpec, Program) {
    program_by::<B>(Product::Rns, text, bits, broadcast, limits)
}

/// The same by a product.
pub(crate) fn program_by<B: Base>(
    product: Product,
    text: &str,
    bits: u32,
    broadcast: &[&str],
    limits: &Limits,
) -> (ProgramSpec, Program) {
    let (dag, output) = (Expr::parse(text).unwrap().to_dag(), Layout::InstanceMajor);
    let input = |name: &str| InputSpec::integers(name, output, broadcast.contains(&name));
    let inputs = dag.inputs().map(input).collect();
    let (ty, limb) = (IntType::unsigned(bits.into()).unwrap(), LimbKind::of::<B>());
    let target = Target::Emulator;
    let spec = ProgramSpec { dag, ty, limb, inputs, output, product, target };
    let program = Program::new(&spec, limits).unwrap();
    (spec, program)
}

/// Bases, exponents and moduli that are likely to break a power.
fn structured(bits: u32) -> Vec<[BigUint; 3]> {
    let [bases, exponents, moduli] = structured_operands(bits);
    let cases = moduli.iter().enumerate().map(|(i, n)| {
        let base =
            if i % 4 == 1 { n.clone().max(1_u32.into()) - 1_u32 } else { bases[i % bases.len()].clone() };
        [base, exponents[i % exponents.len()].clone(), n.clone()]
    });
    cases.collect()
}

/// Bases, exponents and moduli of a width, with multiples of both bases' primes and of several of them.
pub(crate) fn structured_operands(bits: u32) -> [Vec<BigUint>; 3] {
    let plan = Plan::each(bits).unwrap();
    let all = (BigUint::from(1_u32) << bits) - 1_u32;
    let top = BigUint::from(1_u32) << (bits - 1);
    let small = |n: u32| BigUint::from(n);
    let [p, q] = [&plan.bases.first, &plan.bases.second].map(|base| small(base.primes[0].value));
    let several = plan.bases.first.primes.iter().fold(small(1), |product, prime| {
        let next = &product * prime.value;
        if next.bits() <= u64::from(bits) { next } else { product }
    });
    let multiple = |p: &BigUint| &all / p * p;
    let moduli = [
        small(1),
        small(2),
        all.clone(),
        &all - 2_u32,
        top.clone(),
        &top + 1_u32,
        small(0),
        small(6),
        multiple(&p),
        multiple(&q),
        several,
        &all - 1_u32,
        multiple(&p) - 1_u32,
    ];
    let exponents = [small(0), small(1), small(2), all.clone(), top.clone(), small(3), &top - 1_u32];
    let bases = [small(0), small(1), all.clone(), top.clone(), &all - 1_u32, small(2)];
    [bases.to_vec(), exponents.to_vec(), moduli.to_vec()]
}

pub(crate) fn batch<B: Base>(ty: IntType, values: impl Iterator<Item = BigUint>) -> Batch<B> {
    let m = ty.limbs::<B>();
    let limbs = values.flat_map(|value| oracle::limbs::<B>(&value, m)).collect();
    Batch::from_limbs(ty, Layout::InstanceMajor, limbs).unwrap()
}

/// Powers of structured operands.
fn check_structured<B: Base>(bits: u32, limits: &Limits, schedules: &[Schedule]) {
    let (spec, program) = program::<B>("powmod(a, b, c)", bits, &[], limits);
    let cases = structured(bits);
    let batches = [0, 1, 2].map(|i| batch::<B>(spec.ty, cases.iter().map(|case| case[i].clone())));
    check(&Subject::program(&spec, program), &batches, cases.len(), schedules);
}

/// Powers of drawn operands, with some of them broadcast.
fn check_drawn<B: Base>(text: &str, bits: u32, broadcast: &[&str], n: usize) {
    check_drawn_by::<B>(Product::Rns, text, bits, broadcast, n);
}

/// The same by a product.
pub(crate) fn check_drawn_by<B: Base>(product: Product, text: &str, bits: u32, broadcast: &[&str], n: usize) {
    let (spec, program) = program_by::<B>(product, text, bits, broadcast, &Limits::SM_90);
    let mut runner = random_runner();
    let batch = |input: &InputSpec| {
        let count = if input.broadcast { 1 } else { n };
        drawn_batch(&mut runner, spec.ty, Layout::InstanceMajor, count)
    };
    let batches: Vec<Batch<B>> = spec.inputs.iter().map(batch).collect();
    check(&Subject::program(&spec, program), &batches, n, &ONE);
}

#[needs(cxx)]
#[test]
pub(crate) fn structured_operands_in_every_order_of_threads() {
    check_structured::<u32>(64, &Limits::SM_90, &Schedule::SAMPLE);
}

#[needs(cxx)]
#[test]
pub(crate) fn structured_operands_of_other_widths_and_limbs() {
    check_structured::<u32>(32, &Limits::SM_90, &ONE);
    check_structured::<u64>(100, &Limits::SM_90, &ONE);
    check_structured::<u128>(160, &Limits::SM_90, &ONE);
}

#[needs(cxx)]
#[test]
fn drawn_operands_of_more_than_a_block() {
    check_drawn::<u32>("powmod(a, b & 0xff, c)", 33, &[], 400);
}

/// Powers of short exponents at widths of other shapes: teams of several warps, rings of rounds, whole and half
/// last units, digit sums joined in three ways.
fn check_shapes(widths: &[u32], limits: &Limits) {
    for &bits in widths {
        let (spec, program) = program::<u32>("powmod(a, b & 5, c)", bits, &[], limits);
        let mut runner = random_runner();
        let batch = |_: &InputSpec| drawn_batch(&mut runner, spec.ty, Layout::InstanceMajor, 5);
        let batches: Vec<Batch<u32>> = spec.inputs.iter().map(batch).collect();
        check(&Subject::program(&spec, program), &batches, 5, &ONE);
    }
}

#[needs(cxx)]
#[test]
fn other_shapes_of_blocks() {
    check_shapes(
        &sample("shapes of powers", [512, 1024, 1537, 2048, 3000, 3072, 4096, 6000, 8192], 3),
        &Limits::SM_90,
    );
}

/// With as little shared memory as forces rings of two and three rounds.
#[needs(cxx)]
#[test]
fn rings_of_rounds_in_little_shared_memory() {
    check_shapes(&[200], &Limits { shared_bytes: 5 << 10, ..Limits::SM_90 });
    check_shapes(&[700], &Limits { shared_bytes: 20 << 10, ..Limits::SM_90 });
    check_shapes(&[1500], &Limits { shared_bytes: 64 << 10, ..Limits::SM_90 });
}

/// Structured bases and moduli with short exponents, by warpgroups.
#[needs(cxx)]
#[test]
fn structured_operands_of_warpgroups() {
    let bits = sample("powers by warpgroups", [1800, 2048], 1)[0];
    let (spec, program) = program::<u32>("powmod(a, b & 13, c)", bits, &[], &Limits::SM_90A);
    let cases = structured(bits);
    let batches = [0, 1, 2].map(|i| batch::<u32>(spec.ty, cases.iter().map(|case| case[i].clone())));
    check(&Subject::program(&spec, program), &batches, cases.len(), &Schedule::SAMPLE[..2]);
}

/// Buffers have room for teams of 64 instances of the power and of 24 of the test.
#[needs(cxx)]
#[test]
fn groups_of_warpgroups_and_of_warps() {
    let (_, program) = program::<u32>("powmod(a, b, c) + is_prime(c)", 3400, &[], &Limits::SM_90A);
    assert_eq!(program.group % 64 + program.group % 24, 0);
}

#[needs(cxx)]
#[test]
fn other_shapes_of_warpgroups() {
    check_shapes(
        &sample("shapes of warpgroups", [2048, 2500, 3000, 3072, 4096, 5000, 6700, 8192], 2),
        &Limits::SM_90A,
    );
}

#[needs(cxx)]
#[test]
fn broadcast_operands() {
    check_drawn::<u64>("powmod(a, b, c)", 128, &["b"], 5);
    check_drawn::<u32>("powmod(a, b, c)", 96, &["a"], 5);
}

#[needs(cxx)]
#[test]
fn powers_within_expressions() {
    check_drawn::<u32>("powmod(a + b, b, c) + powmod(a, powmod(b, a, c), c | 1) * a", 64, &[], 5);
    check_drawn::<u64>("powmod(a, a, a) ^ (b / (c | 1))", 100, &[], 5);
}
