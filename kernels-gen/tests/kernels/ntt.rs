//! Kernels of batched transforms, emulated: against the definition.

mod plans;

use limbforge_algos::transform::ntt::{Direction, Wrap};
use limbforge_emulate::Schedule;
use limbforge_field::DynField;
use limbforge_field::modular::{inv_mod_prime, mul_mod};
use limbforge_kernels_gen::Limits;
use limbforge_kernels_gen::ntt::{ResidueClass, TransformPlan, TransformSpec};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common::TRANSFORM_PRIMES;
use crate::harness::Device;

const KINDS: [(Wrap, Direction); 4] = [
    (Wrap::Cyclic, Direction::Forward),
    (Wrap::Cyclic, Direction::Inverse),
    (Wrap::Negacyclic, Direction::Forward),
    (Wrap::Negacyclic, Direction::Inverse),
];

fn spec(p: u64, points: u32, (wrap, direction): (Wrap, Direction)) -> TransformSpec {
    TransformSpec::new(&DynField::new(p).unwrap(), points, wrap, direction).unwrap()
}

/// The definition, in n^2 steps.
fn definition(spec: &TransformSpec, x: &[u64]) -> Vec<u64> {
    let (p, n) = (spec.modulus(), x.len());
    // A root of order 2n, or of order n twice over: exponents count mod 2n.
    let root =
        if spec.direction() == Direction::Forward { spec.root() } else { inv_mod_prime(spec.root(), p) };
    let powers: Vec<u64> =
        core::iter::successors(Some(1), |&power| Some(mul_mod(power, root, p))).take(2 * n).collect();
    let scale = if spec.direction() == Direction::Forward { 1 } else { inv_mod_prime(n as u64 % p, p) };
    let exponent = |i: usize, j: usize| match (spec.wrap(), spec.direction()) {
        (Wrap::Cyclic, _) => i * j,
        (Wrap::Negacyclic, Direction::Forward) => i * (2 * j + 1),
        (Wrap::Negacyclic, Direction::Inverse) => j * (2 * i + 1),
    };
    let value = |j: usize| {
        let term = |(i, &x): (usize, &u64)| mul_mod(x, powers[exponent(i, j) % (2 * n)], p);
        let sum: u128 = x.iter().enumerate().map(term).map(u128::from).sum();
        mul_mod((sum % u128::from(p)) as u64, scale, p)
    };
    (0..n).map(value).collect()
}

/// Instances of all p - 1, of runs of p - 1 and 0 and 1, and of random words below p.
fn operands(instances: usize, points: usize, p: u64) -> Vec<u64> {
    let mut state = p;
    (0..instances * points)
        .map(|at| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            match at / points {
                0 => p - 1,
                1 => [p - 1, 0, 1][(at / 3) % 3],
                _ => (state ^ state >> 31) % p,
            }
        })
        .collect()
}

fn to_words(values: &[u64], words: u32) -> Vec<u32> {
    values
        .iter()
        .flat_map(|&value| [value as u32, (value >> 32) as u32].into_iter().take(words as usize))
        .collect()
}

/// Runs the program of a plan, at once and in chunks of two, and compares with the definition.
fn check(plan: &TransformPlan, instances: usize) {
    let (spec, points) = (&plan.spec, plan.spec.points() as usize);
    let values = operands(instances, points, spec.modulus());
    let input = to_words(&values, spec.point_words());
    let program = plan.program(&Limits::SM_90).unwrap();
    assert_eq!((program.launches.len(), program.kernels.len()), (plan.launches.len(), plan.launches.len()));
    assert_eq!(program.buffers.len(), plan.launches.len() - 1);
    let device = Device::new(program).unwrap();
    let run = |chunks: &[usize]| {
        device.run(std::slice::from_ref(&input), chunks, Schedule::Random(spec.root())).result
    };
    let output = run(&[instances]);
    assert_eq!(run(&[2, instances - 2]), output, "{plan:?}");
    for (i, x) in values.chunks(points).enumerate() {
        let want = to_words(&definition(spec, x), spec.point_words());
        let first = i * want.len();
        assert_eq!(output[first..first + want.len()], want, "instance {i} of {plan:?}");
    }
}

#[needs(cxx)]
#[test]
fn every_class_and_direction() {
    for (i, (p, class)) in TRANSFORM_PRIMES.into_iter().enumerate() {
        assert_eq!(ResidueClass::of(p), class);
        for (j, kind) in sample(&p.to_string(), KINDS.into_iter().enumerate(), 2) {
            let points = [1 << 4, 1 << 6, 1 << 7, 1 << 8, 1 << 9][(i + j) % 5];
            check(&TransformPlan::new(spec(p, points, kind)).unwrap(), 5);
        }
    }
}

#[needs(cxx)]
#[test]
fn three_passes() {
    for (i, (p, _)) in TRANSFORM_PRIMES.into_iter().enumerate() {
        let points = [1 << 10, 1 << 11][i % 2];
        check(&TransformPlan::new(spec(p, points, KINDS[i % 4])).unwrap(), 3);
    }
}

/// Columns and rows of few points take the same code as long ones.
#[needs(cxx)]
#[test]
fn two_launches() {
    for (i, (p, class)) in TRANSFORM_PRIMES.into_iter().enumerate() {
        let (points, columns) = [(1 << 8, 4), (1 << 11, 5), (1 << 10, 6)][i % 3];
        let spec = spec(p, points, KINDS[(i + 2) % 4]);
        check(&TransformPlan::with_columns(spec, class, columns).unwrap(), 3);
    }
}

/// A prime of each class with roots of order 3 2^k.
const PRIMES_3: [(u64, ResidueClass); 8] = [
    (270_532_609, ResidueClass::Signed28),
    (786_433, ResidueClass::Lazy32),
    (2_013_265_921, ResidueClass::Half32),
    (3_221_225_473, ResidueClass::Full32),
    (1_945_555_039_024_054_273, ResidueClass::Wide64),
    (3_458_764_513_691_566_081, ResidueClass::Lazy64),
    (18_446_744_069_414_584_321, ResidueClass::Special64),
    (18_446_742_974_197_923_841, ResidueClass::Full64),
];

#[needs(cxx)]
#[test]
fn three_times_a_power_of_two() {
    for (i, (p, class)) in PRIMES_3.into_iter().enumerate() {
        assert_eq!(ResidueClass::of(p), class);
        for (j, kind) in sample(&p.to_string(), KINDS.into_iter().enumerate(), 2) {
            let points = 3 << [4, 5, 6, 7, 8][(i + j) % 5];
            check(&TransformPlan::new(spec(p, points, kind)).unwrap(), 5);
        }
    }
}

#[needs(cxx)]
#[test]
fn three_times_a_power_of_two_in_three_passes_and_two_launches() {
    for (i, (p, class)) in PRIMES_3.into_iter().enumerate() {
        check(&TransformPlan::new(spec(p, 3 << 9, KINDS[i % 4])).unwrap(), 3);
        let (points, columns) = [(3 << 7, 3), (3 << 9, 4), (3 << 9, 5)][i % 3];
        let spec = spec(p, points, KINDS[(i + 1) % 4]);
        check(&TransformPlan::with_columns(spec, class, columns).unwrap(), 3);
    }
}

/// A prime far below its class's limit, and classes that a plan would not choose.
#[needs(cxx)]
#[test]
fn other_primes_and_classes() {
    for (p, class) in [
        (12_289, ResidueClass::Lazy32),
        (97, ResidueClass::Full32),
        (268_582_913, ResidueClass::Half32),
        (18_446_744_069_414_584_321, ResidueClass::Full64),
        (4_295_688_193, ResidueClass::Full64),
        (4_179_340_454_199_820_289, ResidueClass::Full64),
        (4_611_686_017_353_609_217, ResidueClass::Lazy64),
        (2_305_843_008_676_761_601, ResidueClass::Wide64),
    ] {
        let plan = TransformPlan::with_columns(spec(p, 1 << 4, KINDS[3]), class, 0).unwrap();
        check(&plan, 3);
    }
}
