//! Deferred carries: long chains of additions and subtractions, whose counts of owed carries would leave a
//! word if the generator did not resolve them in time.

use limbforge_algos::expr::Expr;
use limbforge_emulate::Schedule;
use limbforge_kernels_gen::{KernelSpec, LimbKind, Limits, Mapping, Target, render};
use limbforge_limb::{Batch, Layout};
use limbforge_needs::needs;
use num_bigint::BigUint;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::harness::{Subject, check, instance_major};

/// What a run may owe at most, either way.
const LIMIT: i64 = 1 << 30;

fn spec(expression: &Expr, ty: &str, mapping: Mapping) -> KernelSpec {
    let dag = expression.to_dag();
    let inputs = crate::common::inputs(&dag, Layout::InstanceMajor);
    let (ty, limb) = (ty.parse().unwrap(), LimbKind::of::<u32>());
    KernelSpec::new(dag, ty, limb, inputs, Layout::InstanceMajor, mapping, Target::Emulator).unwrap()
}

/// Two words to a thread, 16 threads to 1024 bits: many borders that carries cross.
const IN_A_WARP: Mapping = Mapping { run_words: 2, runs: 1, lanes: 16, warps: 1, instances: 2 };
/// The same with three warps of two runs.
const WARPS: Mapping = Mapping { run_words: 1, runs: 2, lanes: 32, warps: 3, instances: 1 };

/// Runs the expression on integers whose sums carry everywhere.
fn check_sum(expression: &Expr, ty: &str, mapping: Mapping) {
    let subject = Subject::kernel(spec(expression, ty, mapping));
    let ones = (BigUint::from(1_u8) << subject.ty.bits()) - 1_u8;
    let mut runner = TestRunner::deterministic();
    let words = proptest::collection::vec(any::<u32>(), 400);
    let mut random = || BigUint::new(words.new_tree(&mut runner).unwrap().current()) & &ones;
    let values: Vec<BigUint> =
        vec![ones.clone(), BigUint::from(1_u8), random(), random(), &ones - 1_u8, BigUint::ZERO, random()];
    let mut other = values.clone();
    other.rotate_left(1);
    let operands: Vec<Batch<u32>> = [&values, &other]
        .into_iter()
        .take(subject.inputs.len())
        .map(|values| instance_major(subject.ty, values))
        .collect();
    check(&subject, &operands, values.len(), &Schedule::SAMPLE);
}

fn on_both(expression: &Expr) {
    check_sum(expression, "u1000", IN_A_WARP);
    check_sum(expression, "i5001", WARPS);
}

fn doublings(n: u32) -> Expr {
    (0..n).fold(Expr::input("a"), |x, _| &x + &x)
}

/// x - y, y - x, ...: the bounds grow as Fibonacci's numbers do, to both sides.
fn alternating(n: u32) -> Expr {
    let (mut x, mut y) = (Expr::input("a"), Expr::input("b"));
    for _ in 0..n {
        (x, y) = (y.clone() - x, y);
        std::mem::swap(&mut x, &mut y);
    }
    y
}

/// Sums of negated sums, doubled: the lowest and the highest count double together.
fn doubled_differences(n: u32) -> Expr {
    (0..n).fold(Expr::input("a") - Expr::input("b"), |x, _| -&x - &x)
}

/// The numbers that are resolved before the end, and the bounds that the kernel relies on.
fn resolutions(expression: &Expr) -> Vec<i64> {
    let source = render(&spec(expression, "u1000", IN_A_WARP), &Limits::SM_90).unwrap().source;
    let statements = source.lines().filter(|line| line.starts_with("  const Num r"));
    let lowest = |line: &str| line.split_once("resolve<")?.1.split_once('>')?.0.parse().ok();
    statements.filter_map(lowest).collect()
}

#[test]
fn short_chains_are_resolved_once() {
    for expression in [doublings(10), alternating(10), doubled_differences(10)] {
        assert_eq!(resolutions(&expression).len(), 1, "{}", expression.to_dag());
    }
}

#[test]
fn long_chains_are_resolved_in_time() {
    for (expression, least) in
        [(doublings(40), 2), (doublings(100), 4), (alternating(120), 3), (doubled_differences(100), 4)]
    {
        let bounds = resolutions(&expression);
        assert!(bounds.len() >= least, "{bounds:?}: {}", expression.to_dag());
        assert!(bounds.iter().all(|&bound| (-LIMIT..=0).contains(&bound)), "{bounds:?}");
    }
    // Some chain must get near the limit, or nothing was shown.
    assert!(resolutions(&doubled_differences(100)).iter().any(|&bound| bound < -LIMIT / 8));
}

#[needs(cxx)]
#[test]
fn forty_doublings() {
    on_both(&doublings(40));
}

#[needs(cxx)]
#[test]
fn forty_doublings_taken_from_zero() {
    on_both(&-doublings(40));
}

/// The count of carries itself is near its limit when it is paid.
#[needs(cxx)]
#[test]
fn doublings_up_to_the_limit() {
    for n in 27..=31 {
        check_sum(&doublings(n), "u1000", IN_A_WARP);
        check_sum(&doubled_differences(n), "u1000", IN_A_WARP);
    }
}

#[needs(cxx)]
#[test]
fn alternating_differences() {
    on_both(&alternating(60));
}

#[needs(cxx)]
#[test]
fn doubled_negations() {
    on_both(&doubled_differences(50));
}

/// Sums in which a resolved and an unresolved form of the same value meet.
#[needs(cxx)]
#[test]
fn a_sum_that_is_compared_and_goes_on() {
    let x = doublings(12) - Expr::input("b");
    let y = x.max(&Expr::input("b")) + &x + &x;
    on_both(&(y - doublings(33)));
}
