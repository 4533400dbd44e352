//! Several expressions in one run against each of them alone: values, failures, graphs and schedules.

use limbforge_algos::cpu::{Checked, EvalError, Evaluator, Target, Why, bind, eval_checked};
use limbforge_algos::expr::random::Size;
use limbforge_algos::expr::{Dag, Dags, Expr, Op};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_testing::expr::VARIABLES;
use limbforge_testing::{expr, operands};
use proptest::collection::vec;
use proptest::prelude::*;

const LAYOUTS: [Layout; 2] = [Layout::InstanceMajor, Layout::Interleaved];

fn parse(texts: &[&str]) -> Vec<Expr> {
    texts.iter().map(|text| Expr::parse(text).unwrap()).collect()
}

/// All expressions at once, and each alone.
fn check<B: Base>(exprs: &[Expr], ty: IntType, inputs: &[(&str, &Batch<B>)], instances: usize) {
    let dags = Dags::new(exprs);
    let evaluator = Evaluator::<B>::of_all(dags.clone(), ty).unwrap();
    let operands = bind(dags.all(), inputs).unwrap();
    let alone: Vec<Checked<B>> = exprs
        .iter()
        .map(|expr| {
            let dag = expr.to_dag();
            let evaluator = Evaluator::new(&dag, ty).unwrap();
            evaluator.eval(&bind(&dag, inputs).unwrap(), instances, Layout::InstanceMajor).unwrap()
        })
        .collect();
    assert_eq!(evaluator.eval_all(&operands, instances, Layout::InstanceMajor).unwrap(), alone);
    // Each batch in its own layout, where other values lie.
    let layout = |i: usize| LAYOUTS[i % 2];
    let zeros = |(i, ty)| Batch::<B>::zeros(ty, layout(i), instances).unwrap();
    let mut found: Vec<Batch<B>> = evaluator.result_types().enumerate().map(zeros).collect();
    for batch in &mut found {
        batch.limbs_mut().fill(B::ONE);
    }
    let failures =
        evaluator.run_all(&operands, instances, &mut found.iter_mut().collect::<Vec<_>>()).unwrap();
    for (i, (found, failures)) in found.into_iter().zip(failures).enumerate() {
        assert_eq!(found.layout(), layout(i));
        assert_eq!(Checked { values: found.into_layout(Layout::InstanceMajor), failures }, alone[i]);
    }
}

fn ty() -> impl Strategy<Value = IntType> {
    let bits = prop_oneof![1..=200_u64, proptest::sample::select(vec![64_u64, 128, 131, 700])];
    (bits, any::<bool>()).prop_map(|(bits, signed)| IntType::new(bits, signed).unwrap())
}

/// Up to four expressions, of which the last may use the first, be equal to it, or be its operand.
fn exprs(ty: IntType) -> impl Strategy<Value = Vec<Expr>> {
    let slow = u32::from(ty.bits() <= 200);
    let one = expr::expression_of(ty, Size { slow, ..Size::default() });
    (vec(one, 1..4), 0..5_u8).prop_map(|(mut exprs, more)| {
        let first = exprs[0].clone();
        let is_wide = first.to_dag().is_wide();
        exprs.extend(match more {
            0 => Some(first),
            1 if !is_wide => Some(first / Expr::input("b")),
            2 if !is_wide => Some(first % Expr::input("b")),
            3 => Some(Expr::input("a")),
            _ => None,
        });
        exprs
    })
}

fn random<B: Base>() -> impl Strategy<Value = (IntType, Vec<Expr>, Vec<Batch<B>>)> {
    (ty(), 1..20_usize).prop_flat_map(|(ty, instances)| {
        let batch = (any::<bool>(), vec(operands::integer::<B>(ty.limbs::<B>()), instances)).prop_map(
            move |(interleaved, integers)| {
                let mut batch = Batch::zeros(ty, LAYOUTS[usize::from(interleaved)], instances).unwrap();
                integers.iter().enumerate().for_each(|(i, integer)| batch.set_instance(i, integer));
                batch
            },
        );
        (Just(ty), exprs(ty), vec(batch, 3))
    })
}

macro_rules! limbs {
    ($($limb:ty: $name:ident;)*) => {$(
        proptest! {
            #[test]
            fn $name((ty, exprs, batches) in random::<$limb>()) {
                let inputs: Vec<(&str, &Batch<$limb>)> = VARIABLES.into_iter().zip(&batches).collect();
                check(&exprs, ty, &inputs, batches[0].instances());
            }
        }
    )*};
}

limbs! {
    u32: random_sets_u32;
    u64: random_sets_u64;
    u128: random_sets_u128;
}

#[test]
fn a_failure_loses_no_other_result() {
    let ty: IntType = "u64".parse().unwrap();
    let batch = |values: &[u64]| {
        let values: Vec<_> = values.iter().map(|&value| value.into()).collect();
        Batch::<u32>::from_biguints(ty, Layout::InstanceMajor, &values).unwrap()
    };
    let (a, b) = (batch(&[7, 8, 9]), batch(&[2, 0, 4]));
    let exprs = parse(&["a / b", "a + b", "a % b", "div_exact(a, b)", "(a % b) + 1"]);
    let dags = Dags::new(&exprs);
    let evaluator = Evaluator::<u32>::of_all(dags, ty).unwrap();
    let found = evaluator.eval_all(&[&a, &b], 3, Layout::InstanceMajor).unwrap();
    let values: Vec<Batch<u32>> = found.iter().map(|one| one.values.clone()).collect();
    assert_eq!(values, [&[3, 0, 2][..], &[9, 8, 13], &[1, 0, 1], &[0, 0, 0], &[2, 0, 2]].map(batch));
    let failed: Vec<Vec<(usize, usize, Why)>> = found
        .iter()
        .map(|one| one.failures.iter().map(|f| (f.instance, f.operation.index(), f.why)).collect())
        .collect();
    let (zero, inexact) = (Why::DivisionByZero, Why::NotDivisible);
    assert_eq!(failed[..3], [vec![(1, 2, zero)], vec![], vec![(1, 2, zero)]]);
    assert_eq!(failed[3], [(0, 2, inexact), (1, 2, zero), (2, 2, inexact)]);
    assert_eq!(failed[4], [(1, 2, zero)]);
    check(&exprs, ty, &[("a", &a), ("b", &b)], 3);
}

#[test]
fn a_division_and_its_remainder_are_one_step() {
    for (texts, steps) in [
        (&["a / b", "a % b"][..], 1),
        (&["a % b", "a / b"], 1),
        (&["(a / b) * c + a % b"], 3),
        (&["div_euclid(a, b)", "rem_euclid(a, b)", "a / b"], 2),
        (&["a / b", "b % a"], 2),
        (&["a / b", "a / b", "a"], 1),
        (&["a / b - a % b", "a % b"], 2),
    ] {
        let dag = Dag::of_all(&parse(texts));
        let evaluator = Evaluator::<u64>::new(&dag, "i128".parse().unwrap()).unwrap();
        assert_eq!(evaluator.schedule().steps.len(), steps, "{dag}");
    }
    let dag = Dag::of_all(&parse(&["a % b", "a / b"]));
    let evaluator = Evaluator::<u64>::new(&dag, "u128".parse().unwrap()).unwrap();
    let step = &evaluator.schedule().steps[0];
    assert_eq!((&step.output.op, step.output.into), (&Op::Div, Target::Result(1)));
    assert_eq!(step.remainder.as_ref().map(|of| of.into), Some(Target::Result(0)));
}

#[test]
fn both_results_of_a_division_have_the_signs_of_each_alone() {
    let ty: IntType = "i9".parse().unwrap();
    let all: Vec<num_bigint::BigInt> = (-256..256_i32).map(Into::into).collect();
    let divisors: Vec<num_bigint::BigInt> = [-256, -255, -7, -1, 0, 1, 2, 5, 255].map(Into::into).to_vec();
    for divisor in &divisors {
        let a = Batch::<u32>::from_bigints(ty, Layout::InstanceMajor, &all).unwrap();
        let b = Batch::from_bigints(ty, Layout::InstanceMajor, &vec![divisor.clone(); all.len()]).unwrap();
        let exprs = parse(&[
            "a / b",
            "a % b",
            "div_euclid(a, b)",
            "rem_euclid(a, b)",
            "div_floor(a, b)",
            "rem_floor(a, b)",
        ]);
        check(&exprs, ty, &[("a", &a), ("b", &b)], all.len());
    }
}

#[test]
fn one_graph_has_what_expressions_share_once() {
    let exprs = parse(&["a + b", "(b + a) * c", "a + b", "c"]);
    let dags = Dags::new(&exprs);
    let all = dags.all();
    assert_eq!(
        all.to_string(),
        "%0 = input a; %1 = input b; %2 = add %0, %1; %3 = input c; %4 = mul %2, %3; roots %2, %4, %3"
    );
    assert_eq!(dags.parts().iter().map(|part| part.root()).collect::<Vec<_>>(), [0, 1, 0, 2]);
    for (part, expr) in dags.parts().iter().zip(&exprs) {
        assert_eq!(part.dag(), &expr.to_dag());
        for (own, node) in part.dag().nodes().iter().zip(part.nodes()) {
            assert_eq!(own.op, all.nodes()[node.index()].op);
        }
    }
    // One expression has the text that it always had.
    assert_eq!(Dag::of_all(&exprs[..1]), exprs[0].to_dag());
    assert_eq!(Dag::of_all(&[]).to_string(), "; roots ");
}

#[test]
fn results_have_types_and_batches_of_their_own() {
    let ty: IntType = "u96".parse().unwrap();
    let dag = Dag::of_all(&parse(&["a < b", "mul_wide(a, b)", "a"]));
    assert_eq!(dag.result_types(ty).unwrap(), [ty, "u192".parse().unwrap(), ty]);
    let a = Batch::<u32>::zeros(ty, Layout::InstanceMajor, 2).unwrap();
    let evaluator = Evaluator::<u32>::new(&dag, ty).unwrap();
    let few = evaluator.run_all(&[&a, &a], 2, &mut [&mut a.clone()]);
    assert_eq!(few, Err(EvalError::ResultCount { expected: 3, found: 1 }));
    let [mut x, mut y, mut z] = [a.clone(), a.clone(), a.clone()];
    let narrow = evaluator.run_all(&[&a, &a], 2, &mut [&mut x, &mut y, &mut z]);
    assert!(matches!(narrow, Err(EvalError::ResultMismatch { .. })), "{narrow:?}");
    // What is wrong alone is wrong with others.
    let [a_, b_] = ["a", "b"].map(Expr::input);
    let wide = Dag::of_all(&[a_.clone(), a_.mul_wide(&b_) + b_]);
    assert!(wide.result_types(ty).is_err());
    assert!(Dag::of_all(&parse(&["a", "-128"])).result_types("i8".parse().unwrap()).is_ok());
    assert!(Dag::of_all(&parse(&["-128", "128"])).result_types("i8".parse().unwrap()).is_err());
    assert!(eval_checked::<u32>(&Expr::parse("a").unwrap().to_dag(), &[("a", &a)]).is_ok());
}
