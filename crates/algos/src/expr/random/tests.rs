use std::collections::{BTreeMap, HashSet};

use super::*;
use crate::expr::{Amount, Op};

/// Trees that are drawn for each type.
const TREES: u64 = 300;

/// The number of every kind of operation, written or by value where its amounts may be either: a new operation does not compile
/// until it has one, and is not drawn until it is in the language's tables.
fn kind(op: &Op) -> usize {
    let written = |amount: &Amount| usize::from(*amount != Amount::Operand);
    match op {
        Op::Input(_) => 0,
        Op::Literal(_) => 1,
        Op::Neg => 2,
        Op::Not => 3,
        Op::Sqr => 4,
        Op::Shl(_) => 5,
        Op::Shr(_) => 6,
        Op::ShlBy => 7,
        Op::ShrBy => 8,
        Op::Rotl(n) => 9 + written(n),
        // Written amounts of rotations to the right and of high masks are amounts of the others.
        Op::Rotr(_) => 11,
        Op::Popcount => 12,
        Op::Clz => 13,
        Op::Ctz => 14,
        Op::Extract { start, length } => 15 + 2 * written(start) + written(length),
        Op::Insert { start, length } => 19 + 2 * written(start) + written(length),
        Op::Mask(n) => 23 + written(n),
        Op::MaskHigh(_) => 25,
        Op::Add => 26,
        Op::Sub => 27,
        Op::Mul => 28,
        Op::MulHigh => 29,
        Op::MulWide => 30,
        Op::SqrWide => 31,
        Op::Div => 32,
        Op::Rem => 33,
        Op::DivEuclid => 34,
        Op::RemEuclid => 35,
        Op::DivExact => 36,
        Op::Divisible => 37,
        Op::Gcd => 38,
        Op::Lcm => 39,
        Op::Isqrt => 40,
        Op::ModInv => 41,
        Op::PowMod => 42,
        Op::AddMod => 43,
        Op::SubMod => 44,
        Op::MulMod => 45,
        Op::DivWide => 46,
        Op::RemWide => 47,
        Op::ToMont => 48,
        Op::FromMont => 49,
        Op::MontMul => 50,
        Op::MontReduce => 51,
        Op::ModInv2k => 52,
        Op::XgcdX => 53,
        Op::XgcdY => 54,
        Op::Jacobi => 55,
        Op::Root => 56,
        Op::IsqrtRem => 57,
        Op::IsSquare => 58,
        Op::IsPerfectPower => 59,
        Op::IsPrime => 60,
        Op::IsStrongProbablePrime => 61,
        Op::And => 62,
        Op::Or => 63,
        Op::Xor => 64,
        Op::Min => 65,
        Op::Max => 66,
        Op::Eq => 67,
        Op::Ne => 68,
        Op::Lt => 69,
        Op::Le => 70,
        Op::Select => 71,
    }
}

const KINDS: usize = 72;

fn drawn(ty: IntType, seed: u64, size: Size) -> Expr {
    let mut seeded = SplitMix64::new(seed);
    expression(ty, size, &mut |n| seeded.below(n))
}

#[test]
fn every_operation_is_drawn_in_every_form() {
    let ty = "i131".parse().unwrap();
    let mut found = BTreeMap::<usize, usize>::new();
    let mut wide = 0;
    for seed in 0..10 * TREES {
        let dag = drawn(ty, seed, Size::default()).to_dag();
        wide += usize::from(dag.is_wide());
        dag.nodes().iter().for_each(|node| *found.entry(kind(&node.op)).or_default() += 1);
    }
    let missing: Vec<usize> = (0..KINDS).filter(|kind| !found.contains_key(kind)).collect();
    assert!(missing.is_empty(), "no tree has an operation of the kinds {missing:?}");
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
    let slow =
        |op: &Op| matches!(op, Op::PowMod | Op::IsPrime | Op::IsStrongProbablePrime | Op::IsPerfectPower);
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
