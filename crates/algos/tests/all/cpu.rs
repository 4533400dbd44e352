//! The CPU backend against num-bigint, over random expressions, types, limbs, layouts and batches.

use std::collections::HashMap;

use limbforge_algos::cpu::{Checked, EvalError, Failure, Why, eval, eval_checked, eval_into};
use limbforge_algos::expr::random::Size;
use limbforge_algos::expr::{Dag, Expr, TypeError};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_testing::{expr, operands};
use num_bigint::{BigInt, BigUint};
use proptest::collection::vec;
use proptest::prelude::*;

fn ty() -> impl Strategy<Value = IntType> {
    let bits = prop_oneof![
        1..=200_u64,
        proptest::sample::select(vec![1_u64, 31, 32, 33, 63, 64, 65, 127, 128, 129, 131, 1000, 4097]),
    ];
    (bits, any::<bool>()).prop_map(|(bits, signed)| IntType::new(bits, signed).unwrap())
}

fn layout() -> impl Strategy<Value = Layout> {
    proptest::sample::select(vec![Layout::InstanceMajor, Layout::Interleaved])
}

#[derive(Clone, Debug)]
struct Case<B> {
    ty: IntType,
    expr: Expr,
    batches: Vec<Batch<B>>,
}

/// An expression and a batch for each variable, of N instances or one.
fn case<B: Base>() -> impl Strategy<Value = Case<B>> {
    (ty(), 0..20_usize).prop_flat_map(move |(ty, most)| {
        // Powers and tests of wide numbers take long.
        let (instances, slow) = if ty.bits() > 500 { (most % 3, 0) } else { (most, 1) };
        let batch = move || {
            let one = prop_oneof![4 => Just(false), 1 => Just(true)];
            (one, layout()).prop_flat_map(move |(one, layout)| {
                let count = if one { 1 } else { instances };
                vec(operands::integer::<B>(ty.limbs::<B>()), count).prop_map(move |integers| {
                    let mut batch = Batch::zeros(ty, layout, integers.len()).unwrap();
                    for (i, integer) in integers.iter().enumerate() {
                        batch.set_instance(i, integer);
                    }
                    batch
                })
            })
        };
        let expression = expr::expression_of(ty, Size { slow, ..Size::default() });
        (expression, (batch(), batch(), batch())).prop_map(move |(expr, (a, b, c))| Case {
            ty,
            expr,
            batches: vec![a, b, c],
        })
    })
}

/// Results and failures, instance by instance.
fn check<B: Base>(case: &Case<B>) -> Result<(), TestCaseError> {
    let dag = case.expr.to_dag();
    let inputs: Vec<(&str, &Batch<B>)> = expr::VARIABLES.into_iter().zip(&case.batches).collect();
    let Checked { values: result, failures } = eval_checked(&dag, &inputs).unwrap();
    let ty = dag.result_type(case.ty).unwrap();
    let instances = case.batches.iter().map(Batch::instances).find(|&n| n != 1).unwrap_or(1);
    prop_assert_eq!(
        (result.instances(), result.ty(), result.layout()),
        (instances, ty, case.batches[0].layout())
    );
    let values: Vec<Vec<BigInt>> = case.batches.iter().map(Batch::to_bigints).collect();
    let mut of_instances = failures.iter().peekable();
    for (i, found) in result.to_biguints().into_iter().enumerate() {
        let at = |values: &Vec<BigInt>| values[if values.len() == 1 { 0 } else { i }].clone();
        let variables: HashMap<&str, BigInt> =
            expr::VARIABLES.into_iter().zip(values.iter().map(at)).collect();
        let failed = std::iter::from_fn(|| of_instances.next_if(|failure| failure.instance == i));
        let failed: Vec<_> = failed.map(|failure| (failure.operation.index(), failure.why)).collect();
        let (expected, expected_failures) = match expr::evaluate_checked(&dag, &variables, case.ty) {
            Ok(value) => (value, vec![]),
            Err(failures) => (BigUint::ZERO, failures),
        };
        prop_assert_eq!(failed, expected_failures, "instance {} of {:?}", i, case.expr);
        prop_assert_eq!(found, expected, "instance {} of {:?}", i, case.expr);
    }
    prop_assert_eq!(of_instances.next(), None);
    check_other_ways(case, &dag, &inputs, &result, &failures)?;
    // The batch's own invariant: no bits above the width.
    prop_assert!(Batch::from_limbs(ty, result.layout(), result.limbs().to_vec()).is_ok());
    Ok(())
}

/// Evaluations that stop at the first failure, or write into a batch of either layout.
fn check_other_ways<B: Base>(
    case: &Case<B>,
    dag: &Dag,
    inputs: &[(&str, &Batch<B>)],
    result: &Batch<B>,
    failures: &[Failure],
) -> Result<(), TestCaseError> {
    let expected = match failures.first().cloned() {
        None => Ok(result.clone()),
        Some(first) => Err(EvalError::Failed { first, count: failures.len() }),
    };
    prop_assert_eq!(eval(dag, inputs), expected.clone(), "{:?}", case.expr);
    for layout in [Layout::InstanceMajor, Layout::Interleaved] {
        let mut other = Batch::zeros(result.ty(), layout, result.instances()).unwrap();
        other.limbs_mut().fill(B::ONE);
        let found = eval_into(dag, inputs, &mut other).map(|()| other.into_layout(result.layout()));
        prop_assert_eq!(found, expected.clone(), "{:?}", case.expr);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn u32_equals_num_bigint(case in case::<u32>()) {
        check(&case)?;
    }

    #[test]
    fn u64_equals_num_bigint(case in case::<u64>()) {
        check(&case)?;
    }

    #[test]
    fn u128_equals_num_bigint(case in case::<u128>()) {
        check(&case)?;
    }
}

/// Operands before their operation, from left to right; `x > y` is `y < x`. All branches and the base of a
/// power 0 are computed.
#[test]
fn the_operation_that_is_computed_first_gives_the_reason() {
    let (two, four, zero) = (batch("u64", &[2]), batch("u64", &[4]), batch("u64", &[0]));
    let first = |text: &str| {
        let dag = Expr::parse(text).unwrap().to_dag();
        let found = eval_checked(&dag, &[("a", &two), ("b", &zero), ("c", &four)]).unwrap();
        found.failures.first().map(|failure| failure.why)
    };
    let (by_zero, no_inverse) = (Some(Why::DivisionByZero), Some(Why::NoInverse));
    for (text, expected) in [
        ("modinv(a, c) + 1 / b", no_inverse),
        ("1 / b + modinv(a, c)", by_zero),
        ("modinv(a, c) < 1 / b", no_inverse),
        ("modinv(a, c) > 1 / b", by_zero),
        ("modinv(a, c) >= 1 / b", by_zero),
        ("modinv(1 / b, c)", by_zero),
        ("select(1, a, 1 / b)", by_zero),
        ("(1 / b)**0", by_zero),
        ("select(1, a, b)", None),
    ] {
        assert_eq!(first(text), expected, "{text}");
    }
}

#[test]
fn failures_name_instance_and_operand() {
    let (a, b) = (batch("u64", &[7, 8, 9, 9]), batch("u64", &[2, 0, 3, 8]));
    let failures = |text: &str| -> (Vec<u64>, Vec<String>) {
        let dag = Expr::parse(text).unwrap().to_dag();
        let Checked { values, failures } = eval_checked(&dag, &[("a", &a), ("b", &b)]).unwrap();
        (values.limbs().to_vec(), failures.iter().map(Failure::to_string).collect())
    };
    assert_eq!(
        failures("a / b + 1"),
        (vec![4, 0, 4, 2], vec!["instance 1: division by zero: `b` is 0".to_owned()])
    );
    let (values, found) = failures("a / (b - 8) + div_exact(a, b)");
    assert_eq!(values, [0, 0, 3, 0]);
    assert_eq!(
        found,
        [
            "instance 0: `a` is no multiple of its divisor",
            "instance 1: division by zero: `b` is 0",
            "instance 3: division by zero: `b - 8` is 0",
            "instance 3: `a` is no multiple of its divisor",
        ]
    );
    assert_eq!(failures("a % 0").1[3], "instance 3: division by zero: `0` is 0");
    let dag = Expr::parse("a / b").unwrap().to_dag();
    let error = eval(&dag, &[("a", &a), ("b", &batch("u64", &[0]))]).unwrap_err();
    assert_eq!(error.to_string(), "instance 0: division by zero: `b` is 0 (4 failures in all)");
    let mut result = a.clone();
    assert!(eval_into(&dag, &[("a", &a), ("b", &b)], &mut result).is_err());
    assert_eq!(result.limbs(), [3, 0, 3, 1], "the others are not lost");
}

/// Quotients of the corners of the type, of every signedness and rounding.
#[test]
fn signed_quotients_round_as_they_say() {
    let ty = IntType::signed(7).unwrap();
    let all: Vec<BigInt> = (-64..64).map(BigInt::from).collect();
    let divisors = Batch::<u32>::from_bigints(ty, Layout::InstanceMajor, &all).unwrap();
    for text in [
        "a / b",
        "a % b",
        "div_euclid(a, b)",
        "rem_euclid(a, b)",
        "div_floor(a, b)",
        "rem_floor(a, b)",
        "div_exact(a, b)",
        "divisible(a, b)",
    ] {
        let dag = Expr::parse(text).unwrap().to_dag();
        for dividend in -64..64 {
            let a = Batch::<u32>::from_bigints(ty, Layout::InstanceMajor, &[dividend.into()]).unwrap();
            let found = eval_checked(&dag, &[("a", &a), ("b", &divisors)]).unwrap();
            for (found, divisor) in found.values.to_biguints().into_iter().zip(&all) {
                let variables = [("a", dividend.into()), ("b", divisor.clone())].into();
                let expected = expr::evaluate_checked(&dag, &variables, ty).unwrap_or_default();
                assert_eq!(found, expected, "{text} with a = {dividend}, b = {divisor}");
            }
        }
    }
}

fn batch(ty: &str, values: &[u64]) -> Batch<u64> {
    let values: Vec<BigUint> = values.iter().map(|&value| value.into()).collect();
    Batch::from_biguints(ty.parse().unwrap(), Layout::InstanceMajor, &values).unwrap()
}

#[test]
fn many_tiles_keep_their_order() {
    let count = 10_000_u64;
    let a = batch("u1000", &(0..count).collect::<Vec<_>>());
    let result = eval(&Expr::parse("a * 3 + 1").unwrap().to_dag(), &[("a", &a)]).unwrap();
    assert!(result.to_biguints().into_iter().eq((0..count).map(|i| BigUint::from(3 * i + 1))));
}

#[test]
fn a_variable_alone_and_a_constant_alone() {
    let a = batch("u64", &[7, 8]);
    assert_eq!(eval(&Expr::input("a").to_dag(), &[("a", &a)]).unwrap(), a);
    let five = eval(&Expr::literal(5_u32).to_dag(), &[("a", &a)]).unwrap();
    assert_eq!(five, batch("u64", &[5, 5]));
}

#[test]
fn mismatches_are_typed_errors() {
    let (a, b, c) = (batch("u64", &[1, 2]), batch("u64", &[1, 2, 3]), batch("u65", &[1, 2]));
    let sum = Expr::parse("a + b").unwrap().to_dag();
    assert!(matches!(
        eval(&sum, &[("a", &a), ("b", &b)]).unwrap_err(),
        EvalError::CountMismatch { expected: 2, found: 3, .. }
    ));
    assert!(matches!(eval(&sum, &[("a", &a), ("b", &c)]).unwrap_err(), EvalError::TypeMismatch { .. }));
    assert!(
        matches!(eval(&sum, &[("a", &a)]).unwrap_err(), EvalError::UnknownVariable { name, .. } if name == "b")
    );
    assert_eq!(eval::<u64>(&sum, &[]).unwrap_err(), EvalError::NoInputs);
    let mut result = batch("u64", &[0]);
    assert!(matches!(
        eval_into(&sum, &[("a", &a), ("b", &a)], &mut result).unwrap_err(),
        EvalError::ResultMismatch { instances: 2, found_instances: 1, .. }
    ));
    let wide = Expr::parse("mul_wide(a, b)").unwrap().to_dag();
    let mut narrow = batch("u64", &[0, 0]);
    let expected = "u128".parse().unwrap();
    assert!(matches!(
        eval_into(&wide, &[("a", &a), ("b", &a)], &mut narrow).unwrap_err(),
        EvalError::ResultMismatch { expected: ty, .. } if ty == expected
    ));
    let wide = Expr::parse("a + 0x10000000000000000").unwrap().to_dag();
    assert!(matches!(
        eval(&wide, &[("a", &a)]).unwrap_err(),
        EvalError::Type(TypeError::Literal { needed: 65, .. })
    ));
}

fn of_i8(value: i32) -> Batch<u64> {
    Batch::from_bigints("i8".parse().unwrap(), Layout::InstanceMajor, &[value.into()]).unwrap()
}

/// They had the value of their bits: `100 < 200` was 0, as `100 < -56` is.
#[test]
fn literals_that_do_not_fit_a_signed_type_are_refused() {
    let (a, hundred) = (Expr::input("a"), of_i8(100));
    let built = |value: u32| Expr::literal(value);
    for (expr, number) in [
        (a.cmp_lt(&built(200)), "200"),
        (Expr::parse("a < 200").unwrap(), "200"),
        (&a % 200, "200"),
        (Expr::parse("a % 200").unwrap(), "200"),
        (a.powmod(&built(3), &built(200)), "200"),
        (Expr::parse("powmod(a, 3, 200)").unwrap(), "200"),
        (a.root(&built(255)), "255"),
        (Expr::parse("root(a, 255)").unwrap(), "255"),
        (&a - 128, "128"),
        (-(&a + 128), "128"),
        (built(128), "128"),
        // One literal, negated in one place and not in another.
        (-built(128) + built(128), "128"),
    ] {
        let found = eval(&expr.to_dag(), &[("a", &hundred)]).unwrap_err();
        let (literal, ty) = (number.to_owned(), hundred.ty());
        let value = number.parse().unwrap();
        assert_eq!(found, EvalError::Type(TypeError::Literal { literal, value, needed: 9, ty }), "{expr:?}");
    }
}

/// -2^(N-1) is a number of the type although its absolute value is none.
#[test]
fn the_least_signed_number_is_a_literal() {
    for (ty, text, value) in
        [("i8", "-128", -128), ("i8", "-(0x80)", -128), ("i1", "-1", -1), ("i33", "-1 - 2", -3)]
    {
        let ty = ty.parse().unwrap();
        let zero = Batch::<u32>::zeros(ty, Layout::InstanceMajor, 1).unwrap();
        let result = eval(&Expr::parse(text).unwrap().to_dag(), &[("", &zero)]).unwrap();
        assert_eq!(result.to_bigints(), [BigInt::from(value)], "{text} of {ty}");
    }
    let least = of_i8(-128);
    for (expr, expected) in [
        (Expr::literal(-128), -128),
        (Expr::input("a").cmp_eq(&Expr::literal(-128_i64)), 1),
        (Expr::input("a").mul_wide(&Expr::literal(BigInt::from(-128))), 1 << 14),
        (Expr::input("a").mul_high(&Expr::literal(-128)), 1 << 6),
        (Expr::literal(-128) / Expr::input("a"), 1),
        (Expr::input("a") >> Expr::literal(-128), 0),
    ] {
        let result = eval(&expr.to_dag(), &[("a", &least)]).unwrap();
        assert_eq!(result.to_bigints(), [BigInt::from(expected)], "{expr:?}");
    }
}

#[test]
fn wide_products_are_exact_at_their_extremes() {
    for (ty, bits) in [("i1", 1_u32), ("i32", 32), ("i33", 33), ("i64", 64)] {
        let least = BigInt::from(-1) << (bits - 1);
        let lowest = Batch::<u64>::from_bigints(
            ty.parse().unwrap(),
            Layout::InstanceMajor,
            std::slice::from_ref(&least),
        )
        .unwrap();
        for text in ["mul_wide(a, b)", "sqr_wide(a)", "mul_wide(a, a)"] {
            let dag = Expr::parse(text).unwrap().to_dag();
            let result = eval(&dag, &[("a", &lowest), ("b", &lowest)]).unwrap();
            assert_eq!(result.ty().to_string(), format!("i{}", 2 * bits));
            assert_eq!(result.to_bigints(), [&least * &least], "{text} of {ty}");
        }
    }
}

#[test]
fn wide_products_stand_alone() {
    let a = batch("u64", &[3]);
    let (x, y) = (Expr::input("a"), Expr::input("a").sqr());
    let inner = (x.mul_wide(&y) + &x).to_dag();
    let EvalError::Type(TypeError::WideOperand { product, user }) = eval(&inner, &[("a", &a)]).unwrap_err()
    else {
        panic!("an operand")
    };
    assert_eq!((product.as_str(), user.as_str()), ("mul_wide(a, sqr(a))", "a + mul_wide(a, sqr(a))"));
    let ty = IntType::unsigned(IntType::MAX_BITS.into()).unwrap();
    let widest = Batch::<u64>::zeros(ty, Layout::InstanceMajor, 1).unwrap();
    let error = eval(&x.sqr_wide().to_dag(), &[("a", &widest)]).unwrap_err().to_string();
    assert!(
        error.starts_with("`sqr_wide(a)` of u16777216 has 33554432 bits; expected at most 16777216"),
        "{error}"
    );
}
