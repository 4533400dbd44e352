//! Tests of primality by residue number systems, emulated, against num-bigint and the CPU backend.

use limbforge_algos::expr::Op;
use limbforge_algos::modmul_rns::Plan;
use limbforge_emulate::Schedule;
use limbforge_kernels_gen::{Launch, Limits, Part, Program, ProgramKernel};
use limbforge_limb::{Base, Batch};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use num_bigint::BigUint;

use crate::harness::{Subject, check};
use crate::modmul_rns::{batch, program};
use crate::number_theory::roots::primes_and_pseudoprimes;

const ONE: [Schedule; 1] = [Schedule::Ascending];

/// Numbers that a test may fail for: primes, pseudoprimes, even numbers, multiples of the primes of both bases
/// and these primes themselves, and primes `c 2^s + 1` and `c 2^s - 1` of large s.
fn numbers(bits: u32) -> Vec<BigUint> {
    let plan = Plan::each(bits).unwrap();
    let two_to = |n: u32| BigUint::from(1_u32) << n;
    let all = two_to(bits) - 1_u32;
    let mut numbers = primes_and_pseudoprimes(bits.into());
    // Small ones but every third.
    let mut index = 0;
    numbers.retain(|number| {
        index += 1;
        number.bits() > 9 || index % 3 == 0
    });
    for prime in [&plan.bases.first, &plan.bases.second].map(|base| base.primes[0].value) {
        let multiple = &all / prime * prime;
        numbers.extend([BigUint::from(prime), multiple.clone(), multiple - prime]);
    }
    numbers.extend([all.clone(), &all - 1_u32, two_to(bits - 1), two_to(bits - 1) + 1_u32]);
    let near = [(3_u32, 12), (7, 20), (15, 27), (1, 16), (1, 4), (5, 25), (3, 30)];
    for (c, s) in near {
        numbers.extend([(two_to(s) * c) + 1_u32, (two_to(s) * c) - 1_u32]);
    }
    numbers.retain(|number| number.bits() <= bits.into());
    numbers
}

/// Strong tests of numbers to bases that prove nothing, are above the number, or structured.
fn check_strong<B: Base>(bits: u32, step: usize, schedules: &[Schedule]) {
    let (spec, program) = program::<B>("is_strong_probable_prime(a, b)", bits, &[], &Limits::SM_90);
    let numbers: Vec<BigUint> = numbers(bits).into_iter().step_by(step).collect();
    let all = (BigUint::from(1_u32) << bits) - 1_u32;
    let base = |(i, n): (usize, &BigUint)| match i % 7 {
        0 => all.clone(),
        1 => BigUint::from(0_u32),
        2 => n.clone(),
        3 => n.clone().max(1_u32.into()) - 1_u32,
        4 => (n * 3_u32) & &all,
        _ => BigUint::from(i as u32 % 5 + 1),
    };
    let bases: Vec<BigUint> = numbers.iter().enumerate().map(base).collect();
    let count = numbers.len();
    let operands: [Batch<B>; 2] = [numbers, bases].map(|values| batch(spec.ty, values.into_iter()));
    check(&Subject::program(&spec, program), &operands, count, schedules);
}

#[needs(cxx)]
#[test]
fn strong_tests_in_every_order_of_threads() {
    check_strong::<u32>(64, 9, &Schedule::SAMPLE);
}

#[needs(cxx)]
#[test]
fn strong_tests_of_other_widths_and_limbs() {
    check_strong::<u32>(32, 1, &ONE);
    check_strong::<u64>(100, 5, &ONE);
    check_strong::<u128>(192, 11, &ONE);
}

/// `is_prime` of so many of the numbers.
fn check_primes<B: Base>(bits: u32, step: usize, limits: &Limits, schedules: &[Schedule]) {
    let (spec, program) = program::<B>("is_prime(a)", bits, &[], limits);
    let numbers: Vec<BigUint> = numbers(bits).into_iter().step_by(step).collect();
    let count = numbers.len();
    let operands: [Batch<B>; 1] = [batch(spec.ty, numbers.into_iter())];
    check(&Subject::program(&spec, program), &operands, count, schedules);
}

/// A device on which every list pays.
const SMALLEST: Limits = Limits { multiprocessors: 0, ..Limits::SM_90 };

#[needs(cxx)]
#[test]
fn primes_in_every_order_of_threads() {
    check_primes::<u32>(64, 8, &SMALLEST, &Schedule::SAMPLE);
}

#[needs(cxx)]
#[test]
fn primes_of_several_blocks_of_lists() {
    check_primes::<u32>(64, 1, &SMALLEST, &ONE);
}

#[needs(cxx)]
#[test]
fn primes_of_other_widths_and_limbs() {
    check_primes::<u32>(32, 5, &SMALLEST, &ONE);
    check_primes::<u64>(100, 11, &SMALLEST, &ONE);
    check_primes::<u128>(192, 21, &SMALLEST, &ONE);
}

/// Lists of fewer instances than pay: both are empty, or the second one.
#[needs(cxx)]
#[test]
fn primes_of_short_lists() {
    check_primes::<u64>(64, 15, &Limits::SM_90, &ONE);
    let little = Limits { shared_bytes: 5 << 10, multiprocessors: 3, ..Limits::SM_90 };
    check_primes::<u64>(64, 15, &little, &ONE);
}

/// Without the kernel of the instances that no other one has served: multiples of the primes of base 1, and those of
/// lists that do not pay, of which there are none.
fn check_served(text: &str, bits: u32, limits: &Limits, numbers: Vec<BigUint>) {
    let (spec, mut program) = program::<u32>(text, bits, &[], limits);
    let is_other = |program: &Program, launch: &Launch| match program.kernel(launch) {
        ProgramKernel::Expression(spec) => {
            let is_test = |op: &Op| matches!(op, Op::IsPrime | Op::IsStrongProbablePrime);
            spec.part == Part::Whole && spec.dag.nodes().iter().any(|node| is_test(&node.op))
        }
        _ => false,
    };
    let others: Vec<usize> =
        (0..program.launches.len()).filter(|&i| is_other(&program, &program.launches[i])).collect();
    assert_eq!(others.len(), 1, "{text}");
    program.launches.remove(others[0]);
    let plan = Plan::for_tests(bits).unwrap();
    let divides = |n: &BigUint| plan.bases.first.primes.iter().any(|p| n % p.value == BigUint::ZERO);
    let served = numbers.into_iter().filter(|n| *n != BigUint::ZERO && !divides(n));
    let numbers: Vec<BigUint> = served.collect();
    let count = numbers.len();
    let bases = (0..count as u32).map(|i| BigUint::from(i % 11 + 2));
    let operands: [Batch<u32>; 2] = [batch(spec.ty, numbers.into_iter()), batch(spec.ty, bases)];
    let operands = &operands[..spec.inputs.len()];
    check(&Subject::program(&spec, program), operands, count, &ONE);
}

#[needs(cxx)]
#[test]
fn residues_serve_all_but_multiples_of_primes_of_base_1() {
    for text in ["is_prime(a)", "is_strong_probable_prime(a, b)"] {
        check_served(text, 64, &SMALLEST, numbers(64).into_iter().step_by(5).collect());
    }
}

/// Short numbers at widths of other shapes: teams of several warps, rings of rounds, whole and half last units, digit
/// sums joined in three ways.
#[needs(cxx)]
#[test]
fn other_shapes_of_blocks() {
    // Primes, one of them c 2^18 + 1, the product of two and a square: few bits, so that chains are short.
    let short = || [131_071_u32, 524_287, 786_433, 67_591, 66_049].map(BigUint::from).to_vec();
    let widths =
        [(200, 5), (700, 20), (3072, 227), (1537, 227), (4096, 227), (512, 227), (1024, 227), (8192, 227)];
    for (bits, kibibytes) in sample("shapes of tests of primality", widths, 2) {
        check_served("is_prime(a)", bits, &Limits { shared_bytes: kibibytes << 10, ..SMALLEST }, short());
    }
}
