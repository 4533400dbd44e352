//! Shifts and rotations by amounts, counts and fields of bits on the CPU backend against num-bigint,
//! operation by operation.

use limbforge_algos::cpu::eval;
use limbforge_algos::expr::Expr;
use limbforge_limb::{Base, Batch, IntType, Layout, limb_newtype};
use limbforge_testing::{expr, operands};
use num_bigint::BigInt;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Every operation with amounts of each instance.
const BY_OPERANDS: [&str; 12] = [
    "a << n",
    "a >> n",
    "rotl(a, n)",
    "rotr(a, n)",
    "popcount(a)",
    "clz(a)",
    "ctz(a)",
    "extract(a, n, m)",
    "insert(a, b, n, m)",
    "insert(b, a, m, n)",
    "mask(n)",
    "mask_high(n)",
];

/// Every operation with a constant amount, which is written for `#`.
const BY_CONSTANTS: [&str; 11] = [
    "shl(a, #)",
    "shr(a, #)",
    "rotl(a, #)",
    "rotr(a, #)",
    "extract(a, #, m)",
    "extract(a, n, #)",
    "extract(a, #, 3)",
    "insert(a, b, #, m)",
    "insert(a, b, n, #)",
    "mask(#) ^ a",
    "mask_high(#) ^ a",
];

/// Evaluates `text` for these (a, b, n, m) and compares every result.
fn check<B: Base>(text: &str, ty: IntType, values: &[[BigInt; 4]]) {
    let dag = Expr::parse(text).unwrap().to_dag();
    let names = ["a", "b", "n", "m"];
    let batch = |column: usize| {
        let column: Vec<BigInt> = values.iter().map(|row| row[column].clone()).collect();
        Batch::<B>::from_bigints(ty, Layout::InstanceMajor, &column).unwrap()
    };
    let batches: Vec<Batch<B>> = (0..4).map(batch).collect();
    let inputs: Vec<(&str, &Batch<B>)> = names.into_iter().zip(&batches).collect();
    let found = eval(&dag, &inputs).unwrap();
    for (row, found) in values.iter().zip(found.to_biguints()) {
        let variables = names.into_iter().zip(row.iter().cloned()).collect();
        let expected = expr::evaluate(&dag, &variables, ty);
        assert_eq!(found, expected, "{text} of {ty} with a, b, n, m = {row:?}");
    }
    // No bits above the width.
    assert!(Batch::from_limbs(ty, Layout::InstanceMajor, found.limbs().to_vec()).is_ok(), "{text} of {ty}");
}

/// Any operands, with amounts around zero, the width and the ends of the type, and any.
fn rows<B: Base>(ty: IntType, count: usize) -> Vec<[BigInt; 4]> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut any = |count: usize| {
        let mut batch = Batch::<B>::zeros(ty, Layout::InstanceMajor, count).unwrap();
        for i in 0..count {
            let integer = operands::integer::<B>(ty.limbs::<B>());
            batch.set_instance(i, &integer.new_tree(&mut runner).unwrap().current());
        }
        batch.to_bigints()
    };
    let width = i64::from(ty.bits());
    let near = [0, 1, 2, 31, 32, 33, 64, 128, width - 1, width, width + 1, 2 * width, 3 * width + 5];
    let (lowest, highest): (BigInt, BigInt) = if ty.is_signed() {
        (-(BigInt::from(1) << (width - 1)), (BigInt::from(1) << (width - 1)) - 1)
    } else {
        (BigInt::ZERO, (BigInt::from(1) << width) - 1)
    };
    let mut amounts: Vec<BigInt> = near.iter().flat_map(|&n| [BigInt::from(n), BigInt::from(-n)]).collect();
    amounts.extend([lowest.clone(), highest.clone(), lowest.clone() + 1, highest.clone() - 1]);
    amounts.extend(any(4));
    amounts.retain(|amount| (&lowest..=&highest).contains(&amount));
    let (a, b) = (any(count), any(count));
    // Starts and lengths take turns at different paces, so that many pairs of them meet.
    let pick = |i: usize| amounts[i % amounts.len()].clone();
    (0..count).map(|i| [a[i].clone(), b[i].clone(), pick(i), pick(i / amounts.len() + 3 * i)]).collect()
}

fn widths<B: Base>(widths: &[u64]) {
    for &bits in widths {
        for ty in [IntType::unsigned(bits).unwrap(), IntType::signed(bits).unwrap()] {
            let rows = rows::<B>(ty, 120);
            for text in BY_OPERANDS {
                check::<B>(text, ty, &rows);
            }
            for text in BY_CONSTANTS {
                for n in [0, 1, 5, 31, 32, 33, bits - 1, bits, bits + 1, 2 * bits + 3, 1 << 33] {
                    check::<B>(&text.replace('#', &n.to_string()), ty, &rows[..12]);
                    check::<B>(&text.replace('#', &format!("-{n}")), ty, &rows[12..24]);
                }
            }
        }
    }
}

limb_newtype! {
    /// The narrowest limb.
    struct Byte(u8);
}

macro_rules! limbs {
    ($($name:ident: $limb:ty, $widths:expr;)*) => {$(
        #[test]
        fn $name() {
            widths::<$limb>(&$widths);
        }
    )*};
}

limbs! {
    operations_of_u32: u32, [1, 2, 31, 32, 33, 64, 131, 1000];
    operations_of_u64: u64, [1, 31, 33, 63, 64, 65, 131, 1000];
    operations_of_u128: u128, [1, 32, 33, 127, 128, 129, 131, 1000];
    // Counts and amounts take several limbs.
    operations_of_bytes: Byte, [1, 7, 8, 9, 67, 300];
}

/// All operands of narrow types, where counts and amounts barely fit or wrap.
#[test]
fn narrow_types_completely() {
    for bits in 1..=3_u32 {
        for ty in [IntType::unsigned(bits.into()).unwrap(), IntType::signed(bits.into()).unwrap()] {
            let low = if ty.is_signed() { -(1_i32 << (bits - 1)) } else { 0 };
            let all = || low..low + (1 << bits);
            let rows: Vec<[BigInt; 4]> = all()
                .flat_map(|a| all().map(move |b| (a, b)))
                .flat_map(|(a, b)| all().flat_map(move |n| all().map(move |m| [a, b, n, m])))
                .map(|row| row.map(BigInt::from))
                .collect();
            for text in BY_OPERANDS {
                check::<u32>(text, ty, &rows);
            }
        }
    }
}

/// Where start and length are both far away, what they saturate to decides.
#[test]
fn fields_that_start_far_below_bit_0() {
    let ty = IntType::signed(131).unwrap();
    let far = 1_i64 << 28;
    let ends = [far - 1, far, far + 1, 24 << 32, 1 << 40, (1 << 40) + 1, i64::MAX];
    let amounts: Vec<i64> = ends.iter().flat_map(|&n| [n, -n]).collect();
    let rows: Vec<[BigInt; 4]> = amounts
        .iter()
        .flat_map(|&n| amounts.iter().map(move |&m| [BigInt::from(-77), BigInt::from(5), n.into(), m.into()]))
        .collect();
    for text in ["insert(a, b, n, m)", "insert(b, a, m, n)", "extract(a, n, m)", "extract(b, m, n)"] {
        check::<u32>(text, ty, &rows);
        check::<u64>(text, ty, &rows);
        check::<u128>(text, ty, &rows);
    }
}
