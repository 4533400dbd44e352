//! Divisions by an inverse from below, all launches emulated one after the other: operands that other
//! implementations fail on, structured ones, and every form of quotient and remainder.

mod forms;
mod one_divisor;
mod order;
mod short;
mod short_quotient;
mod structured;

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::newton::DivNewton;
use limbforge_kernels_gen::{
    InputSpec, LimbKind, Limits, Planner, Product, Program, ProgramKernel, ProgramSpec, Target,
};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_testing::operands;
use proptest::strategy::{Strategy, ValueTree};

use crate::common;
use crate::harness::{Subject, check, random_runner};

/// The inverse begins short, so that narrow operands take several steps.
const SHORT_SEED: DivNewton = DivNewton {
    from_bits: 0,
    seed_words: 4,
    transforms_from: [u32::MAX; 2],
    cyclic_from: u32::MAX,
    tiles_from: 0,
};

/// Products of the quotient by transforms.
const TRANSFORMS: DivNewton = DivNewton { transforms_from: [0; 2], ..SHORT_SEED };

/// Those by the divisor's top known mod B^H - 1 only.
const CYCLIC: DivNewton = DivNewton { cyclic_from: 0, ..TRANSFORMS };

/// Only those of all words.
const WIDE_TRANSFORMS: DivNewton = DivNewton { transforms_from: [0, u32::MAX], ..SHORT_SEED };

/// The kernels of an expression, divisions by an inverse.
fn program<B: Base>(
    text: &str,
    ty: IntType,
    layout: Layout,
    broadcast: bool,
    newton: DivNewton,
) -> (ProgramSpec, Program) {
    let dag = common::dag(text);
    let inputs =
        dag.inputs().map(|name| InputSpec::integers(name, layout, broadcast && name == "b")).collect();
    let (limb, product, target) = (LimbKind::of::<B>(), Product::Tensor, Target::Emulator);
    let spec = ProgramSpec { dag, ty, limb, inputs, output: layout, product, target };
    let program = Program::with_divisions(&spec, &Limits::SM_90, &Planner::default(), newton).unwrap();
    let stages = program.launched().filter(|kernel| matches!(kernel, ProgramKernel::DivNewton(_)));
    let transforms = program.launched().filter(|kernel| matches!(kernel, ProgramKernel::MulNtt(_)));
    let is_transformed = newton.transforms_from[0] == 0 || newton.cyclic_from == 0;
    assert_eq!(transforms.count() > 1, is_transformed, "{text} {ty}");
    assert!(stages.count() > 5, "{text} {ty}: {:?}", program.launches);
    (spec, program)
}

/// Of instance-major operands that are one for each instance.
fn subject(text: &str, ty: IntType, newton: DivNewton) -> Subject {
    let (spec, program) = program::<u32>(text, ty, Layout::InstanceMajor, false, newton);
    Subject::program(&spec, program)
}

/// Dividends `a` and divisors `b`.
fn check_pair(subject: &Subject, a: &Batch<u32>, b: &Batch<u32>) {
    check(subject, &[a.clone(), b.clone()], a.instances(), &[Schedule::Random(5)]);
}

/// Dividends and divisors of all lengths, with zeros, ones and what breaks carries.
fn batch<B: Base>(ty: IntType, layout: Layout, instances: usize, seed: usize) -> Batch<B> {
    let mut runner = random_runner();
    let m = ty.limbs::<B>();
    let integer = operands::integer::<B>(m);
    for _ in 0..seed {
        integer.new_tree(&mut runner).unwrap();
    }
    let mut batch = Batch::zeros(ty, layout, instances).unwrap();
    for i in 0..instances {
        let mut limbs = integer.new_tree(&mut runner).unwrap().current();
        // Every third one is short.
        if i % 3 == 1 {
            limbs[(i * 7 + seed) % m..].fill(B::ZERO);
        }
        batch.set_instance(i, &limbs);
    }
    batch
}
