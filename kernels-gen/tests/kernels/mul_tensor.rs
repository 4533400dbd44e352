//! Kernels of the product on tensor cores, emulated, against num-bigint.

mod carries;
mod plans;
mod squares;

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::ntt::ProductForm;
use limbforge_kernels_gen::tensor::{MulTensorSpec, Phases, TensorPlan};
use limbforge_kernels_gen::{InputSpec, LimbKind, Limits, ProgramKernel, Target};
use limbforge_limb::{Base, IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common;
use crate::harness::{Device, Subject, check, drawn_batch, one_launch, random_runner};

fn spec(ty: IntType, limb: LimbKind, square: bool) -> MulTensorSpec {
    let input = |name| InputSpec::integers(name, Layout::InstanceMajor, false);
    let inputs: Vec<InputSpec> = if square { vec![input("a")] } else { vec![input("a"), input("b")] };
    let phases = Phases::product(inputs.len());
    let plan = TensorPlan::for_phases(limb.instance_words(ty), &phases, &Limits::SM_90).unwrap();
    MulTensorSpec { ty, result: ty, limb, inputs, phases, plan, unless: None, target: Target::Emulator }
}

fn wide(bits: u64, limb: LimbKind, square: bool) -> MulTensorSpec {
    let low = spec(unsigned(bits), limb, square);
    let plan = TensorPlan::new(limb.instance_words(low.ty), ProductForm::Wide, &Limits::SM_90).unwrap();
    MulTensorSpec { result: unsigned(2 * bits), plan, ..low }
}

/// By a warpgroup.
fn by_warpgroup(ty: IntType, limb: LimbKind) -> MulTensorSpec {
    let spec = spec(ty, limb, false);
    let plan = TensorPlan::new(spec.words(), ProductForm::Low, &Limits::SM_90A).unwrap();
    assert!(plan.warpgroup && !spec.plan.warpgroup);
    MulTensorSpec { plan, ..spec }
}

/// The kernel with the expression that it computes.
fn subject(spec: &MulTensorSpec) -> Subject {
    let is_wide = spec.result.bits() > spec.ty.bits();
    let text = match (spec.inputs.len(), is_wide) {
        (1, false) => "a*a",
        (1, true) => "sqr_wide(a)",
        (_, false) => "a*b",
        (_, true) => "mul_wide(a, b)",
    };
    let input_words = vec![spec.words().into(); spec.inputs.len()];
    let program =
        one_launch(ProgramKernel::MulTensor(Box::new(spec.clone())), input_words, spec.result_words().into());
    let device = Device::for_limits(program, &Limits::SM_90A).unwrap();
    let (dag, inputs) = (common::dag(text), spec.inputs.clone());
    Subject { dag, ty: spec.ty, inputs, output: Layout::InstanceMajor, device }
}

fn check_spec(spec: &MulTensorSpec, n: usize) {
    let words = spec.words() as usize;
    // Several warps meet at barriers: every order of them must give the same.
    let in_any_order = if spec.plan.warpgroup {
        words == 1536
    } else {
        spec.plan.schedule.warps_per_instance > 1 && words < 1100
    };
    let schedules = if in_any_order || words == 94 { &Schedule::SAMPLE[..] } else { &[Schedule::Random(3)] };
    match spec.limb.words() {
        1 => check_limbs::<u32>(spec, n, schedules),
        2 => check_limbs::<u64>(spec, n, schedules),
        _ => check_limbs::<u128>(spec, n, schedules),
    }
}

fn check_limbs<B: Base>(spec: &MulTensorSpec, n: usize, schedules: &[Schedule]) {
    let mut runner = random_runner();
    let count = |input: &InputSpec| if input.broadcast { 1 } else { n };
    let batch =
        |input: &InputSpec| drawn_batch::<B>(&mut runner, spec.ty, Layout::InstanceMajor, count(input));
    let operands: Vec<_> = spec.inputs.iter().map(batch).collect();
    check(&subject(spec), &operands, n, schedules);
}

/// A sample of widths, each with instances.
fn check_some(name: &str, widths: &[(u64, usize)], spec: impl Fn(u64) -> MulTensorSpec) {
    for (bits, n) in sample(name, widths.iter().copied(), widths.len().div_ceil(2)) {
        check_spec(&spec(bits), n);
    }
}

fn unsigned(bits: u64) -> IntType {
    IntType::unsigned(bits).unwrap()
}

const U32: LimbKind = LimbKind::of::<u32>();

#[needs(cxx)]
#[test]
fn two_instances_share_a_tile() {
    let widths = [(512, 19), (131, 17), (480, 3), (64, 9), (1, 4)];
    check_some("two instances", &widths, |bits| spec(unsigned(bits), U32, false));
}

#[needs(cxx)]
#[test]
fn one_group_of_tiles() {
    let widths = [
        (1024, 9),
        (1000, 5),
        (544, 4),
        (2048, 5),
        (1100, 7),
        (3000, 2),
        (4096, 2),
        (5000, 2),
        (8192, 2),
        (14_000, 2),
        (15_360, 1),
    ];
    check_some("one group", &widths, |bits| spec(unsigned(bits), U32, false));
}

#[needs(cxx)]
#[test]
fn several_groups_of_tiles() {
    let widths = [(10_000, 2), (12_288, 1), (16_384, 2), (24_000, 1), (29_000, 1), (32_768, 1)];
    check_some("several groups", &widths, |bits| spec(unsigned(bits), U32, false));
}

#[needs(cxx)]
#[test]
fn several_warps_for_an_instance() {
    let widths = [(33_000, 2), (50_000, 2), (65_536, 2), (70_001, 1)];
    check_some("several warps", &widths, |bits| spec(unsigned(bits), U32, false));
}

#[needs(cxx)]
#[test]
fn a_warpgroup_for_an_instance() {
    let types = [("u49152", 3), ("u65536", 5), ("i49130", 1), ("u65500", 1), ("i61441", 2)];
    for (ty, n) in sample("a warpgroup", types, 2) {
        check_spec(&by_warpgroup(ty.parse().unwrap(), LimbKind::of::<u128>()), n);
    }
    let mut square = by_warpgroup(unsigned(49_152), U32);
    (square.inputs, square.phases) = (square.inputs[..1].to_vec(), Phases::product(1));
    check_spec(&square, 1);
}

#[needs(cxx)]
#[test]
fn wide_products_of_one_group() {
    let widths = [
        (32, 9),
        (131, 17),
        (512, 9),
        (1000, 9),
        (1024, 9),
        (1100, 5),
        (2048, 3),
        (3001, 2),
        (4096, 2),
        (5000, 2),
        (8192, 2),
    ];
    check_some("wide products", &widths, |bits| wide(bits, U32, bits == 4096));
    check_spec(&wide(517, LimbKind::of::<u64>(), true), 5);
}

#[needs(cxx)]
#[test]
fn wide_products_of_several_groups() {
    let widths = [(10_000, 2), (12_300, 1), (16_384, 1), (24_001, 1)];
    check_some("wide products of groups", &widths, |bits| wide(bits, U32, false));
}

#[needs(cxx)]
#[test]
fn wide_products_of_several_warps() {
    let widths = [(33_000, 1), (50_001, 1), (65_536, 2)];
    check_some("wide products of warps", &widths, |bits| wide(bits, LimbKind::of::<u128>(), false));
}

#[needs(cxx)]
#[test]
fn limbs_signs_and_squares() {
    check_spec(&spec("i1000".parse().unwrap(), LimbKind::of::<u64>(), false), 3);
    check_spec(&spec("i517".parse().unwrap(), LimbKind::of::<u128>(), true), 3);
    check_spec(&spec(unsigned(4100), LimbKind::of::<u64>(), true), 2);
}

#[needs(cxx)]
#[test]
fn an_operand_for_all_instances() {
    for bits in [512, 1100, 40_000] {
        for operand in 0..2 {
            let mut spec = spec(unsigned(bits), U32, false);
            spec.inputs[operand].broadcast = true;
            check_spec(&spec, 3);
        }
    }
}
