//! Sequences of products of sums in residue number systems and by folds, emulated, against the same steps over num-bigint.

use limbforge_algos::modmul_rns::Plan;
use limbforge_algos::sequence::{Sequence, Step, Term};
use limbforge_emulate::Schedule;
use limbforge_kernels_gen::{Limits, Product, SequenceSpec, SpecError, Target};
use limbforge_limb::{Batch, IntType};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use limbforge_testing::sequence::{ladder, naive};
use num_bigint::BigUint;

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

/// `x = x - y` and `y = -x`, which folds multiply by 1, and `z = 16 z (x - y)`.
fn differences() -> Sequence {
    let [x, y, z, one] = [0, 1, 2, 3].map(Term::of);
    let steps = vec![
        Step::Product { to: 2, factors: [vec![z.times(16)], vec![x, y.times(-1)]] },
        Step::Product { to: 4, factors: [vec![x, y.times(-1)], vec![one]] },
        Step::Sum { to: 1, terms: vec![x.times(-1)] },
        Step::Sum { to: 0, terms: vec![Term::of(4)] },
    ];
    Sequence::new(3, steps, vec![2, 0, 1]).unwrap()
}

/// Rounds of a sequence of structured operands.
struct Case<'s> {
    sequence: &'s Sequence,
    bits: u32,
    instances: usize,
    rounds: u32,
    limits: &'s Limits,
}

impl Case<'_> {
    /// In residue number systems, with a modulus of each instance.
    fn check_residues(&self, schedules: &[Schedule]) {
        let [.., moduli] = structured_operands(self.bits);
        let moduli: Vec<BigUint> = moduli.into_iter().cycle().take(self.instances).collect();
        let plan = Plan::for_sequences(self.bits).unwrap();
        let count = usize::from(self.sequence.inputs());
        self.check(Product::Rns, (&moduli, &vec![false; count]), schedules, |n| plan.modulus(n).is_ok());
    }

    /// By folds, for each of some moduli of all instances; the first number is one for all, too, if there are others.
    fn check_folds(&self, moduli: usize, schedules: &[Schedule]) {
        let [.., all] = structured_operands(self.bits);
        let count = usize::from(self.sequence.inputs());
        let broadcast: Vec<bool> = (0..count).map(|i| i == 0 && count > 1).collect();
        for n in sample("moduli of folded sequences", 0..all.len(), moduli) {
            self.check(Product::Fold, (&all[n..=n], &broadcast), schedules, |_| true);
        }
    }

    fn check(
        &self,
        product: Product,
        (moduli, one_for_all): (&[BigUint], &[bool]),
        schedules: &[Schedule],
        is_served: impl Fn(&BigUint) -> bool,
    ) {
        let Self { sequence, bits, instances, rounds, limits } = *self;
        let ty = IntType::unsigned(bits.into()).unwrap();
        let broadcast = (moduli.len() == 1, one_for_all.to_vec());
        let spec = SequenceSpec { sequence, ty, broadcast, product, target: Target::Emulator };
        let device = Device::new(spec.program(limits).unwrap()).unwrap();
        let [bases, others, _] = structured_operands(bits);
        let all: Vec<BigUint> = bases.into_iter().chain(others).collect();
        let numbers: Vec<Vec<BigUint>> = (0_usize..)
            .zip(one_for_all)
            .map(|(j, &one)| {
                (0..if one { 1 } else { instances })
                    .map(|i| all[(5 * i + 3 * j) % all.len()].clone())
                    .collect()
            })
            .collect();
        // The bits of the rounds are those below place 40 of these words.
        let (pattern, top) = ([0x9d2c_5680_u32, 0xefc6_0000 | 0x15a], 40);
        let round_bits: Vec<bool> =
            (0..rounds).map(|i| pattern[(top - i) as usize / 32] >> ((top - i) % 32) & 1 == 1).collect();
        let words = |values: &[BigUint]| -> Vec<u32> {
            let batch: Batch<u32> = batch(ty, values.iter().cloned());
            batch.limbs().to_vec()
        };
        let operands = [words(moduli)].into_iter().chain(numbers.iter().map(|numbers| words(numbers)));
        let operands: Vec<Vec<u32>> = operands.chain([pattern.to_vec(), vec![rounds, top, 0, 0]]).collect();
        for &schedule in schedules {
            let left = device.run(&operands, &[instances], schedule);
            let (results, flags) = left.results.split_at(sequence.outputs().len());
            for i in 0..instances {
                let n = &moduli[i % moduli.len()];
                if let [flags] = flags {
                    assert_eq!(flags[4 * i + 1] == 1, is_served(n), "{bits} bits, {n}");
                }
                if !is_served(n) {
                    continue;
                }
                let of_instance: Vec<BigUint> =
                    numbers.iter().map(|numbers| numbers[i % numbers.len()].clone()).collect();
                let expected = naive(sequence, n, &of_instance, &round_bits);
                for (result, expected) in results.iter().zip(expected) {
                    let words = result.len() / instances;
                    let found = BigUint::new(result[i * words..(i + 1) * words].to_vec());
                    assert_eq!(
                        found, expected,
                        "{product} of {bits} bits, instance {i}, {rounds} rounds modulo {n}, {schedule:?}"
                    );
                }
            }
        }
    }
}

#[needs(cxx)]
#[test]
fn squares_of_structured_operands_in_every_order_of_threads() {
    let (sequence, limits) = (&squares(), &Limits::SM_90);
    let case = Case { sequence, bits: 64, instances: 13, rounds: 3, limits };
    case.check_residues(&Schedule::SAMPLE);
    Case { instances: 40, ..case }.check_folds(2, &Schedule::SAMPLE);
}

#[needs(cxx)]
#[test]
fn sums_of_structured_operands_in_every_order_of_threads() {
    let limits = &Limits::SM_90;
    for sequence in [&sums(), &differences()] {
        let case = Case { sequence, bits: 64, instances: 13, rounds: 5, limits };
        case.check_residues(&Schedule::SAMPLE);
        Case { instances: 40, ..case }.check_folds(2, &Schedule::SAMPLE);
    }
}

#[needs(cxx)]
#[test]
fn no_round_and_more_than_a_block() {
    let (sequence, limits) = (&sums(), &Limits::SM_90);
    let case = |bits, instances, rounds| Case { sequence, bits, instances, rounds, limits };
    case(33, 14, 0).check_residues(&ONE);
    case(32, 400, 2).check_residues(&ONE);
    case(33, 14, 0).check_folds(4, &ONE);
    case(32, 600, 2).check_folds(1, &ONE);
}

/// Teams of several warps, rings of rounds, whole and half last units, digit sums joined in three ways.
#[needs(cxx)]
#[test]
fn other_shapes_of_blocks() {
    let (sequence, limits) = (&sums(), &Limits::SM_90A);
    for bits in sample("shapes of sequences", [512, 1024, 1537, 2048, 3000, 4096, 8192], 2) {
        Case { sequence, bits, instances: 13, rounds: 2, limits }.check_residues(&ONE);
    }
}

/// One to six units of rows, whole and half vectors of words, and the moduli that are likely to break a fold.
#[needs(cxx)]
#[test]
fn folds_of_all_widths() {
    let limits = &Limits::SM_90;
    for bits in sample(
        "widths of folded sequences",
        [32, 96, 100, 160, 224, 256, 480, 512, 513, 768, 1000, 1024, 1536],
        5,
    ) {
        for sequence in [&ladder(), &differences()] {
            Case { sequence, bits, instances: 9, rounds: 4, limits }.check_folds(3, &ONE);
        }
    }
}

/// With as little shared memory as forces rings of two and three rounds, and fewer warps.
#[needs(cxx)]
#[test]
fn rings_of_rounds_in_little_shared_memory() {
    let (squares, sums) = (squares(), sums());
    let little = |kib: u64| Limits { shared_bytes: kib << 10, ..Limits::SM_90 };
    let [short, of_rows, of_warps] = [5, 20, 12].map(little);
    let case = |sequence, bits, limits| Case { sequence, bits, instances: 13, rounds: 3, limits };
    case(&sums, 200, &short).check_residues(&ONE);
    case(&squares, 700, &of_rows).check_residues(&ONE);
    case(&sums, 256, &of_warps).check_folds(1, &ONE);
}

/// A modulus of each instance has no matrix, and long numbers and steps with many variables have no kernel by folds.
#[test]
fn folds_that_do_not_exist() {
    let (one, bits) = (vec![false], |bits| IntType::unsigned(bits).unwrap());
    let (sequence, target) = (&squares(), Target::Emulator);
    let spec = |ty, one_modulus| {
        let (broadcast, product) = ((one_modulus, one.clone()), Product::Fold);
        SequenceSpec { sequence, ty, broadcast, product, target }.program(&Limits::SM_90).err()
    };
    assert!(spec(bits(1536), true).is_none());
    assert!(spec(bits(1536), false).is_some() && spec(bits(1568), true).is_some());
    let steps =
        (1..400).map(|to| Step::Product { to: to + 1, factors: [vec![Term::of(0)], vec![Term::of(0)]] });
    let sequence = &Sequence::new(1, steps.collect(), vec![0]).unwrap();
    let (broadcast, product) = ((true, one.clone()), Product::Fold);
    let many = SequenceSpec { sequence, ty: bits(512), broadcast, product, target }.program(&Limits::SM_90);
    assert!(matches!(many, Err(SpecError::Mapping { found: 401, .. })), "{many:?}");
}
