use std::collections::HashSet;

use super::*;
use crate::op::{Amount, Flag, Op};

/// Trees that are drawn for each type.
const TREES: u64 = 300;

/// An operation and which of its amounts are constants.
fn form(op: &Op) -> String {
    let constants: Vec<bool> = op.amounts().into_iter().map(|amount| *amount != Amount::Operand).collect();
    match op {
        Op::Input(_) => "input".to_owned(),
        Op::Literal(_) => "literal".to_owned(),
        Op::Shl(_) => "shl by a constant".to_owned(),
        Op::Shr(_) => "shr by a constant".to_owned(),
        op => format!("{:?} {constants:?}", op.class()),
    }
}

/// Every operation with each of its amounts constant or not, as an expression folds it.
fn forms() -> HashSet<String> {
    let forms = Op::all().flat_map(|op| {
        let (values, arity) = (op.row().unwrap().values(), op.arity());
        (0..1 << (arity - values)).map(move |constants: u32| {
            let operand = |k: usize| match k.checked_sub(values) {
                Some(amount) if constants >> amount & 1 == 1 => Expr::literal(1),
                _ => Expr::input("a"),
            };
            Expr::operation(op.clone(), (0..arity).map(operand).collect())
        })
    });
    let leaves = [Expr::input("a"), Expr::literal(1)];
    forms.chain(leaves).map(|expr| form(&expr.0.op)).collect()
}

fn drawn(ty: IntType, seed: u64, size: Size) -> Expr {
    let mut seeded = SplitMix64::new(seed);
    expression(ty, size, &mut |n| seeded.below(n))
}

#[test]
fn every_operation_is_drawn_in_every_form() {
    let ty = "i131".parse().unwrap();
    let mut found = HashSet::new();
    let mut wide = 0;
    for seed in 0..10 * TREES {
        let dag = drawn(ty, seed, Size::default()).to_dag();
        wide += usize::from(dag.is_wide());
        found.extend(dag.nodes().iter().map(|node| form(&node.op)));
    }
    let missing: Vec<String> = forms().difference(&found).cloned().collect();
    assert!(missing.is_empty(), "no tree has {missing:?}");
    assert!(
        (500..700).contains(&wide),
        "{wide} of {} results are wide products: expected a fifth",
        10 * TREES
    );
}

#[test]
fn every_tree_has_a_type() {
    for name in ["u1", "i1", "i2", "u8", "i33", "u128", "i1000", "u16777216", "i16777216"] {
        let ty: IntType = name.parse().unwrap();
        // Literals of the widest types take long.
        for seed in 0..if ty.bits() > 1 << 20 { TREES / 30 } else { TREES } {
            let dag = drawn(ty, seed, Size::default()).to_dag();
            let result = dag.result_type(ty);
            assert!(result.is_ok(), "{name}, seed {seed}: {dag}: {result:?}");
            assert!(!dag.is_wide() || ty.bits() <= IntType::MAX_BITS / 2, "{name}, seed {seed}");
        }
    }
}

#[test]
fn trees_keep_to_their_size() {
    let ty = "u256".parse().unwrap();
    let most = |size: Size, of: fn(&Op) -> bool| {
        let count = |seed| drawn(ty, seed, size).to_dag().nodes().iter().filter(|node| of(&node.op)).count();
        (0..TREES).map(count).max().unwrap()
    };
    let slow = |op: &Op| op.row().is_some_and(|row| row.has(Flag::Slow));
    assert_eq!(most(Size { slow: 0, ..Size::default() }, slow), 0);
    assert_eq!(most(Size::default(), slow), 1);
    let operations = |op: &Op| op.arity() > 0;
    assert_eq!(
        most(Size { depth: 0, ..Size::default() }, |op| op.arity() > 0 && *op != Op::Neg && !op.is_wide()),
        0
    );
    assert!(most(Size { operations: 3, ..Size::default() }, operations) < most(Size::default(), operations));
}

/// Equal seeds, equal trees, on every machine; other seeds, others.
#[test]
fn trees_are_those_of_their_seed() {
    let ty = "u128".parse().unwrap();
    let texts = |_| (0..TREES).map(|seed| drawn(ty, seed, Size::default()).to_dag().to_string());
    let trees: HashSet<String> = texts(0).collect();
    assert!(texts(0).eq(texts(1)));
    assert!(trees.len() as u64 > TREES * 9 / 10, "{} different trees", trees.len());
}

#[test]
fn numbers_below_n() {
    let mut seeded = SplitMix64::new(1);
    let mut found = [0_u32; 6];
    (0..6000).for_each(|_| found[seeded.below(6) as usize] += 1);
    assert!(found.iter().all(|count| (900..1100).contains(count)), "{found:?}");
    assert_eq!(seeded.below(0), 0);
}
