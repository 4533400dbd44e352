//! Kernels that compute batches from nothing, against the integers of the CPU.

use limbforge_algos::fill::Fill;
use limbforge_emulate::Schedule;
use limbforge_kernels_gen::fill::FillSpec;
use limbforge_kernels_gen::{LimbKind, Limits};
use limbforge_limb::num_bigint::{BigInt, BigUint, Sign};
use limbforge_limb::{Base, IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::{sample, usual_or};
use limbforge_testing::division::pattern;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::harness::{Device, random_runner};

const LAYOUTS: [Layout; 2] = [Layout::InstanceMajor, Layout::Interleaved];

/// Words of a part of an integer, of a whole one, and of several in every alignment; more than a block.
const WIDTHS: [u32; 14] = [1, 31, 32, 64, 65, 96, 131, 160, 250, 256, 1000, 2049, 5000, 131_100];

/// A kernel, built.
struct Subject {
    ty: IntType,
    layout: Layout,
    device: Device,
}

impl Subject {
    /// The kernel for all fills of this kind.
    fn new<B: Base>(kind: &Fill, bits: u32, layout: Layout) -> Self {
        let ty = IntType::unsigned(bits.into()).unwrap();
        let spec = FillSpec::new(kind, ty, LimbKind::of::<B>(), layout);
        Self { ty, layout, device: Device::new(spec.program(&Limits::SM_90).unwrap()).unwrap() }
    }

    /// Fewer instances than a vector has words, a few, and the first ones of a second block, in each order of
    /// the threads.
    fn check<B: Base>(&self, fill: &Fill, first: u64, turn: usize) {
        let spec = FillSpec::new(fill, self.ty, LimbKind::of::<B>(), self.layout);
        let instances = [1, 2, 7, self.device.block() + 3][turn % 4];
        let expected = fill.batch::<B>(self.ty, self.layout, first..first + instances as u64).unwrap();
        let expected: &[u32] = bytemuck::cast_slice(expected.limbs());
        let schedule = [Schedule::Ascending, Schedule::Descending, Schedule::Random(turn as u64)][turn % 3];
        let found = self.device.run(&[spec.operand(first)], &[instances], schedule);
        assert_eq!(found.result, expected, "{spec}: {fill:?} from {first}, {instances} instances");
        assert!(found.marked.is_empty());
    }
}

/// Each width and limb in one of the layouts, or all of them in a long run.
fn shapes(name: &str) -> Vec<(u32, Layout, usize)> {
    let all = WIDTHS.into_iter().flat_map(|bits| LAYOUTS.map(|layout| (bits, layout)));
    let all = all.flat_map(|(bits, layout)| [0, 1, 2].map(|limb| (bits, layout, limb)));
    sample(name, all, usual_or(21, usize::MAX))
}

/// Builds the kernel of each shape and runs it on fills that `draw` draws.
fn run_all(name: &str, kind: &Fill, draw: impl Fn(&mut TestRunner, u32) -> Fill) {
    for (bits, layout, limb) in shapes(name) {
        match limb {
            0 => run::<u32>(kind, bits, layout, &draw),
            1 => run::<u64>(kind, bits, layout, &draw),
            _ => run::<u128>(kind, bits, layout, &draw),
        }
    }
}

fn run<B: Base>(kind: &Fill, bits: u32, layout: Layout, draw: &dyn Fn(&mut TestRunner, u32) -> Fill) {
    let (subject, mut runner) = (Subject::new::<B>(kind, bits, layout), random_runner());
    for turn in 0..if bits > 10_000 { 3 } else { 12 } {
        let fill = draw(&mut runner, bits);
        let first = [0, 5, u64::from(u32::MAX) - 1, u64::MAX - 10_000][turn / 3 % 4];
        subject.check::<B>(&fill, first, turn);
    }
}

/// Numbers of up to so many bits, many of them with long runs of words 0 or all ones.
fn number(runner: &mut TestRunner, bits: u32) -> BigUint {
    let digits = pattern::<u32>(bits.div_ceil(32) as usize);
    let value = digits.new_tree(runner).unwrap().current();
    value % (BigUint::from(1_u32) << bits)
}

#[needs(cxx)]
#[test]
fn constants() {
    run_all("constants", &Fill::ZERO, |runner, bits| Fill::Constant(number(runner, bits).into()));
}

#[needs(cxx)]
#[test]
fn counters() {
    run_all("counters", &Fill::counter(0, 1), |runner, bits| {
        let start = number(runner, bits);
        let is_down = any::<bool>().new_tree(runner).unwrap().current();
        let sign = if is_down { Sign::Minus } else { Sign::Plus };
        let step_bits = [1, 3, 32, 64, 65, bits, bits + 9];
        let step_bits = prop::sample::select(step_bits.to_vec()).new_tree(runner).unwrap().current();
        Fill::Counter { start: start.into(), step: BigInt::from_biguint(sign, number(runner, step_bits)) }
    });
}

#[needs(cxx)]
#[test]
fn random_integers() {
    run_all("random integers", &Fill::random(0), |runner, _| {
        let (seed, stream) = (any::<u64>(), any::<u32>()).new_tree(runner).unwrap().current();
        Fill::Random { seed, stream }
    });
}

/// Carries that go through all words: from ones to zeros and back, by steps of one word, of some and of all.
#[needs(cxx)]
#[test]
fn counters_whose_carries_go_far() {
    for bits in [128, 250, 4100] {
        let ones: BigInt = (BigInt::from(1) << bits) - 1;
        for layout in LAYOUTS {
            let subject = Subject::new::<u64>(&Fill::counter(0, 1), bits, layout);
            let half: BigInt = (BigInt::from(1) << (bits / 2)) - 1;
            let starts = [BigInt::ZERO, 1.into(), ones.clone(), &ones - 2, half.clone(), &ones - &half];
            for (turn, start) in starts.iter().enumerate() {
                for step in [0.into(), 1.into(), (-1).into(), 2.into(), half.clone(), -&half, &ones - 1] {
                    for first in [0, 1 << 33] {
                        subject.check::<u64>(
                            &Fill::Counter { start: start.clone(), step: step.clone() },
                            first,
                            turn,
                        );
                    }
                }
            }
        }
    }
}

/// The number of a block of random words goes over 2^64.
#[needs(cxx)]
#[test]
fn random_integers_beyond_2_to_64_blocks() {
    let fill = Fill::random(3);
    let subject = Subject::new::<u32>(&fill, 250, Layout::InstanceMajor);
    (0..4).for_each(|turn| subject.check::<u32>(&fill, (1 << 63) - 1, turn));
}
