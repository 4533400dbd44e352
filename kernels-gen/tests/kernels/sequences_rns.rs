//! Sequences of products of sums in residue number systems, emulated, against the same steps over num-bigint.

use limbforge_algos::modmul_rns::{Plan, Sequence, Step, Term};
use limbforge_emulate::Schedule;
use limbforge_kernels_gen::{Limits, SequenceSpec, Target};
use limbforge_limb::{Batch, IntType};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use num_bigint::{BigInt, BigUint};

use crate::harness::Device;
use crate::modmul_rns::{batch, structured_operands};

const ONE: [Schedule; 1] = [Schedule::Ascending];

/// `x = x x` of one number.
fn squares() -> Sequence {
    let x = vec![Term::of(0)];
    Sequence::new(1, vec![Step::Product { to: 0, factors: [x.clone(), x] }], vec![0]).unwrap()
}

/// Of x and y, which are swapped where the bit is 1: `s = x + y`, then the new x, `(x - 3 y) (2 y - 2 s) +
/// 1`, and y, which is -y times 16. The results are y and x.
fn sums() -> Sequence {
    let swapped = |coefficient, a, b| Term { coefficient, variables: [a, b] };
    let (x, y) = (|c| swapped(c, 0, 1), |c| swapped(c, 1, 0));
    let [one, t, u, s] = [Sequence::one(2), 3, 4, 5].map(Term::of);
    let steps = vec![
        Step::Sum { to: 5, terms: vec![x(1), y(1)] },
        Step::Product { to: 3, factors: [vec![x(1), y(-3)], vec![s.times(-2), y(2)]] },
        Step::Product { to: 4, factors: [vec![y(-1)], vec![one]] },
        Step::Sum { to: 0, terms: vec![t, one] },
        Step::Sum { to: 1, terms: vec![u] },
        Step::Product { to: 1, factors: [vec![Term::of(1).times(16)], vec![one]] },
    ];
    Sequence::new(2, steps, vec![1, 0]).unwrap()
}

/// The steps themselves, modulo n.
fn naive(sequence: &Sequence, n: &BigUint, numbers: &[BigUint], bits: &[bool]) -> Vec<BigUint> {
    let n = BigInt::from(n.clone());
    let mut variables: Vec<BigInt> =
        numbers.iter().cloned().map(BigInt::from).chain([BigInt::from(1)]).collect();
    variables.resize(sequence.variables().into(), BigInt::ZERO);
    for &bit in bits {
        for step in sequence.steps() {
            let of =
                |term: &Term| &variables[usize::from(term.variables[usize::from(bit)])] * term.coefficient;
            let sum = |terms: &[Term]| terms.iter().map(of).sum::<BigInt>();
            let value = match step {
                Step::Product { factors: [a, b], .. } => sum(a) * sum(b),
                Step::Sum { terms, .. } => sum(terms),
            };
            variables[usize::from(step.to())] = value % &n;
        }
    }
    let results = sequence.outputs().iter().map(|&output| &variables[usize::from(output)]);
    results.map(|value| ((value % &n + &n) % &n).try_into().unwrap()).collect()
}

/// Rounds of a sequence over structured operands, so many instances of them.
fn check(
    sequence: &Sequence,
    bits: u32,
    (instances, rounds): (usize, u32),
    limits: &Limits,
    schedules: &[Schedule],
) {
    let ty = IntType::unsigned(bits.into()).unwrap();
    let count = usize::from(sequence.inputs());
    let broadcast = (false, vec![false; count]);
    let spec = SequenceSpec { sequence, ty, broadcast, target: Target::Emulator };
    let device = Device::new(spec.program(limits).unwrap()).unwrap();
    let [bases, others, moduli] = structured_operands(bits);
    let moduli: Vec<BigUint> = moduli.into_iter().cycle().take(instances).collect();
    let all: Vec<BigUint> = bases.into_iter().chain(others).collect();
    let numbers: Vec<Vec<BigUint>> = (0..count)
        .map(|j| (0..instances).map(|i| all[(5 * i + 3 * j) % all.len()].clone()).collect())
        .collect();
    // The bits of the rounds are those below place 40 of these words.
    let (pattern, top) = ([0x9d2c_5680_u32, 0xefc6_0000 | 0x15a], 40);
    let round_bits: Vec<bool> =
        (0..rounds).map(|i| pattern[(top - i) as usize / 32] >> ((top - i) % 32) & 1 == 1).collect();
    let words = |values: &[BigUint]| -> Vec<u32> {
        let batch: Batch<u32> = batch(ty, values.iter().cloned());
        batch.limbs().to_vec()
    };
    let operands = [words(&moduli)].into_iter().chain(numbers.iter().map(|numbers| words(numbers)));
    let operands: Vec<Vec<u32>> = operands.chain([pattern.to_vec(), vec![rounds, top, 0, 0]]).collect();
    let plan = Plan::for_sequences(bits).unwrap();
    for &schedule in schedules {
        let left = device.run(&operands, &[instances], schedule);
        let (flags, results) = left.results.split_last().unwrap();
        for (i, n) in moduli.iter().enumerate() {
            let is_served = flags[4 * i + 1] == 1;
            assert_eq!(is_served, plan.modulus(n).is_ok(), "{bits} bits, {n}");
            if !is_served {
                continue;
            }
            let of_instance: Vec<BigUint> = numbers.iter().map(|numbers| numbers[i].clone()).collect();
            for (result, expected) in results.iter().zip(naive(sequence, n, &of_instance, &round_bits)) {
                let words = result.len() / instances;
                let found = BigUint::new(result[i * words..(i + 1) * words].to_vec());
                assert_eq!(
                    found, expected,
                    "{bits} bits, instance {i}, {rounds} rounds modulo {n}, {schedule:?}"
                );
            }
        }
    }
}

#[needs(cxx)]
#[test]
fn squares_of_structured_operands_in_every_order_of_threads() {
    check(&squares(), 64, (13, 3), &Limits::SM_90, &Schedule::SAMPLE);
}

#[needs(cxx)]
#[test]
fn sums_of_structured_operands_in_every_order_of_threads() {
    check(&sums(), 64, (13, 5), &Limits::SM_90, &Schedule::SAMPLE);
}

#[needs(cxx)]
#[test]
fn no_round_and_more_than_a_block() {
    check(&sums(), 33, (14, 0), &Limits::SM_90, &ONE);
    check(&sums(), 32, (400, 2), &Limits::SM_90, &ONE);
}

/// Teams of several warps, rings of rounds, whole and half last units, digit sums joined in three ways.
#[needs(cxx)]
#[test]
fn other_shapes_of_blocks() {
    for bits in sample("shapes of sequences", [512, 1024, 1537, 2048, 3000, 4096, 8192], 2) {
        check(&sums(), bits, (13, 2), &Limits::SM_90A, &ONE);
    }
}

/// With as little shared memory as forces rings of two and three rounds.
#[needs(cxx)]
#[test]
fn rings_of_rounds_in_little_shared_memory() {
    check(&sums(), 200, (13, 3), &Limits { shared_bytes: 5 << 10, ..Limits::SM_90 }, &ONE);
    check(&squares(), 700, (13, 3), &Limits { shared_bytes: 20 << 10, ..Limits::SM_90 }, &ONE);
}
