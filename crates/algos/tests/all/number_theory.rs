//! Each operation of modular arithmetic, roots and primality in expressions, against its definition.

use std::collections::HashMap;

use limbforge_algos::cpu::{Failure, Why, eval_checked};
use limbforge_algos::expr::Expr;
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_reference::sample::sample;
use limbforge_testing::{expr, operands};
use num_bigint::BigInt;
use proptest::collection::vec;
use proptest::prelude::*;

const OPERATIONS: [&str; 21] = [
    "addmod(a, b, c)",
    "submod(a, b, c)",
    "mulmod(a, b, c)",
    "div_wide(a, b, c)",
    "div_wide(a & b, b, a | b)",
    "rem_wide(a, b, c)",
    "to_mont(a, b)",
    "from_mont(a, b)",
    "mont_mul(a, b, c)",
    "mont_reduce(a, b, c)",
    "modinv2k(a)",
    "xgcd_x(a, b)",
    "xgcd_y(a, b)",
    "xgcd_x(a, b) * a + xgcd_y(a, b) * b - gcd(a, b)",
    "jacobi(a, b)",
    "root(a, b)",
    "isqrt_rem(a)",
    "is_square(a)",
    "is_perfect_power(a)",
    "is_prime(a)",
    "is_strong_probable_prime(a, b)",
];

/// The results and failures of an operation over the batches, against those of its definition.
fn check<B: Base>(text: &str, ty: IntType, batches: &[Batch<B>; 3]) {
    let dag = Expr::parse(text).unwrap().to_dag();
    let inputs: Vec<(&str, &Batch<B>)> = expr::VARIABLES.into_iter().zip(batches).collect();
    let found = eval_checked(&dag, &inputs).unwrap();
    let values = batches.each_ref().map(Batch::to_bigints);
    let mut failures = found.failures.iter().peekable();
    for (i, found) in found.values.to_biguints().into_iter().enumerate() {
        let at = |values: &Vec<BigInt>| values[i % values.len()].clone();
        let variables: HashMap<&str, BigInt> =
            expr::VARIABLES.into_iter().zip(values.iter().map(at)).collect();
        let why: Vec<Why> = std::iter::from_fn(|| failures.next_if(|failure| failure.instance == i))
            .map(|failure| failure.why)
            .collect();
        match expr::evaluate_checked(&dag, &variables, ty) {
            Ok(expected) => {
                assert_eq!((found, why), (expected, vec![]), "{text} of {ty} with {variables:?}");
            }
            Err(expected) => {
                let expected: Vec<Why> = expected.into_iter().map(|(_, why)| why).collect();
                assert_eq!(why, expected, "{text} of {ty} with {variables:?}");
            }
        }
    }
    assert_eq!(failures.next(), None);
}

fn batch<B: Base>(ty: IntType, values: &[BigInt]) -> Batch<B> {
    Batch::from_bigints(ty, Layout::InstanceMajor, values).unwrap()
}

/// All values of a type.
fn all(ty: IntType) -> Vec<BigInt> {
    let first = if ty.is_signed() { -(1_i64 << (ty.bits() - 1)) } else { 0 };
    (first..first + (1 << ty.bits())).map(BigInt::from).collect()
}

#[test]
fn all_operands_of_narrow_unsigned_types() {
    check_all_operands(&["u1", "u2", "u4", "u7"]);
}

#[test]
fn all_operands_of_narrow_signed_types() {
    check_all_operands(&["i1", "i2", "i4", "i7"]);
}

fn check_all_operands(types: &[&str]) {
    for text in OPERATIONS {
        for name in sample(text, types, 2) {
            let ty: IntType = name.parse().unwrap();
            let values = all(ty);
            // Every a in a batch with every b; every c alone, as a batch of one instance.
            let count = values.len();
            let pairs = |pick: fn(usize, usize) -> usize| -> Vec<BigInt> {
                (0..count * count).map(|i| values[pick(i, count)].clone()).collect()
            };
            let (a, b) = (batch(ty, &pairs(|i, n| i / n)), batch(ty, &pairs(|i, n| i % n)));
            let moduli = if text.contains('c') && text.contains("mod(") && ty.bits() < 7 { count } else { 1 };
            for c in &values[count - moduli..] {
                let c = batch(ty, std::slice::from_ref(c));
                check::<u32>(text, ty, &[a.clone(), b.clone(), c]);
            }
        }
    }
}

fn ty() -> impl Strategy<Value = IntType> {
    let bits = prop_oneof![
        1..=300_u64,
        proptest::sample::select(vec![31_u64, 32, 33, 63, 64, 65, 127, 128, 129, 131, 512, 1000]),
    ];
    (bits, any::<bool>()).prop_map(|(bits, signed)| IntType::new(bits, signed).unwrap())
}

type Case<B> = (IntType, usize, Vec<Batch<B>>);

fn case<B: Base>() -> impl Strategy<Value = Case<B>> {
    (ty(), 0..OPERATIONS.len(), any::<bool>()).prop_flat_map(|(ty, operation, one)| {
        let batch = move |count: usize| {
            vec(operands::integer::<B>(ty.limbs::<B>()), count).prop_map(move |integers| {
                let mut batch = Batch::zeros(ty, Layout::InstanceMajor, integers.len()).unwrap();
                for (i, integer) in integers.iter().enumerate() {
                    batch.set_instance(i, integer);
                }
                batch
            })
        };
        let modulus = batch(if one { 1 } else { 8 });
        (batch(8), batch(8), modulus).prop_map(move |(a, b, c)| (ty, operation, vec![a, b, c]))
    })
}

fn check_case<B: Base>((ty, operation, batches): Case<B>) {
    let Ok(batches) = <[Batch<B>; 3]>::try_from(batches) else { panic!("three batches") };
    check(OPERATIONS[operation], ty, &batches);
    // Small exponents, moduli and bases, and a shared operand.
    let [a, b, c] = &batches;
    let small: Vec<BigInt> =
        (0..8).map(|i| BigInt::from((i * i + 1) % (1 << (ty.bits() - 1).min(5)))).collect();
    check(OPERATIONS[operation], ty, &[a.clone(), batch(ty, &small), c.clone()]);
    check(OPERATIONS[operation], ty, &[b.clone(), b.clone(), b.clone()]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn u32_equals_num_bigint(case in case::<u32>()) {
        check_case(case);
    }

    #[test]
    fn u64_equals_num_bigint(case in case::<u64>()) {
        check_case(case);
    }

    #[test]
    fn u128_equals_num_bigint(case in case::<u128>()) {
        check_case(case);
    }
}

/// All failures of an expression over four instances of `a` and `b`: instances, reason and mark.
fn expect_failures(text: &str, expected: &[(&[usize], &str, &str)]) {
    let ty: IntType = "i64".parse().unwrap();
    let [a, b] = [[7, -8, 9, -4], [0, 2, -3, 4]].map(|values| batch::<u64>(ty, &values.map(BigInt::from)));
    let dag = Expr::parse(text).unwrap().to_dag();
    let found = eval_checked(&dag, &[("a", &a), ("b", &b)]).unwrap();
    let found: Vec<(String, &str)> =
        found.failures.iter().map(|failure: &Failure| (failure.to_string(), failure.why.mark())).collect();
    let lines = expected.iter().flat_map(|&(instances, reason, mark)| {
        instances.iter().map(move |i| (format!("instance {i}: {reason}"), mark))
    });
    let mut expected: Vec<(String, &str)> = lines.collect();
    expected.sort();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn failures_say_why() {
    let zero: (&[usize], _, _) = (&[0], "division by zero: `b` is 0", "DIV0");
    for text in ["addmod(a, 1, b)", "submod(a, 1, b)", "mulmod(a, a, b)", "rem_wide(b, a, b)"] {
        expect_failures(text, &[zero]);
    }
    let long = "`b` is not below the divisor: the quotient has more bits than its type";
    expect_failures("div_wide(b, a, b)", &[zero, (&[1, 2, 3], long, "OVERFLOW")]);
    let even = "`a` is even and has no inverse modulo a power of two";
    expect_failures("modinv2k(a)", &[(&[1, 3], even, "EVEN")]);
    expect_failures("jacobi(a, b)", &[(&[0, 1, 3], "`b` is even: expected an odd number", "EVEN")]);
    expect_failures("mont_mul(a, b, a)", &[(&[1, 3], "`a` is even: expected an odd number", "EVEN")]);
    let negative: (&[usize], _, _) = (&[1, 3], "`a` is negative and has no square root", "NEGATIVE");
    let degree = "the degree `b` of the root is not positive";
    expect_failures("root(a, b)", &[(&[0, 2], degree, "DEGREE"), negative]);
    expect_failures("isqrt_rem(a)", &[negative]);
}
