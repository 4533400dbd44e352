//! Expressions over batches on the CPU against num-bigint.

#![allow(clippy::missing_panics_doc, reason = "a suite panics on what it finds wrong")]

use std::collections::HashMap;

use limbforge_algos::cpu::{Checked, EvalError, Evaluator, Why, bind};
use limbforge_algos::expr::{Dag, Expr};
use limbforge_limb::{Base, Batch, IntType};
use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

use crate::batch::{batch, ty, zeros};
use crate::check::check;
use crate::expr::{VARIABLES, evaluate_checked, expression};
use crate::guarded::{At, copy};

/// Tests the evaluation of expressions over batches of a limb: `conformance_evaluation!(u64);`, or in a
/// module, `conformance_evaluation!(name: u64);`.
#[macro_export]
macro_rules! conformance_evaluation {
    ($name:ident: $B:ty) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_evaluation!($B);
        }
    };
    ($B:ty) => {
        $crate::conformance!($crate::evaluation, [$B]:
            random_expressions squares_and_divisors long_operands side_by_side);
    };
}

type Operands<B> = [Batch<B>; VARIABLES.len()];

fn operands<B: Base>(ty: IntType, instances: usize) -> impl Strategy<Value = Operands<B>> {
    (batch(ty, instances), batch(ty, instances), batch(ty, instances)).prop_map(|(a, b, c)| [a, b, c])
}

/// The results, with operands and results in pages of their own: a read or write of one limb too far, before or
/// behind them, ends the program.
fn evaluated<B: Base>(
    evaluator: &Evaluator<B>,
    operands: &Operands<B>,
    at: At,
) -> Result<Checked<B>, EvalError> {
    let (layout, instances) = (operands[0].layout(), operands[0].instances());
    let operands = operands.each_ref().map(|operand| copy(operand, at));
    let inputs: Vec<(&str, &Batch<B>)> = VARIABLES.into_iter().zip(&operands).collect();
    let mut values = copy(&zeros(evaluator.result_type(), layout, instances), at);
    let failures = evaluator.run(&bind(evaluator.dag(), &inputs)?, instances, &mut values)?;
    Ok(Checked { values, failures })
}

/// Every result and every failure, instance by instance.
fn agrees<B: Base>(dag: &Dag, ty: IntType, operands: &Operands<B>) -> Result<(), TestCaseError> {
    let fail = |error: EvalError| TestCaseError::fail(error.to_string());
    let evaluator = Evaluator::new(dag, ty).map_err(fail)?;
    let found = evaluated(&evaluator, operands, At::End).map_err(fail)?;
    prop_assert_eq!(&evaluated(&evaluator, operands, At::Start).map_err(fail)?, &found, "{}", dag);
    let columns = operands.each_ref().map(Batch::to_bigints);
    let mut failures: Vec<(usize, usize, Why)> = vec![];
    for (i, found) in found.values.to_biguints().into_iter().enumerate() {
        let row = columns.iter().map(|column| column[i].clone());
        let variables: HashMap<&str, BigInt> = VARIABLES.into_iter().zip(row).collect();
        let expected = evaluate_checked(dag, &variables, ty).unwrap_or_else(|failed| {
            failures.extend(failed.into_iter().map(|(operation, why)| (i, operation, why)));
            BigUint::ZERO
        });
        prop_assert_eq!(found, expected, "instance {} of {}", i, dag);
    }
    let marked =
        found.failures.iter().map(|failure| (failure.instance, failure.operation.index(), failure.why));
    prop_assert_eq!(marked.collect::<Vec<_>>(), failures, "{}", dag);
    let limbs = found.values.limbs().to_vec();
    let whole = Batch::from_limbs(found.values.ty(), found.values.layout(), limbs);
    prop_assert!(whole.is_ok(), "bits above the width: {}", dag);
    Ok(())
}

/// Random expressions of all operations, of types that end within and at the end of a limb.
pub fn random_expressions<B: Base>() {
    let case = (ty(), 1..4_usize).prop_flat_map(|(ty, n)| (Just(ty), expression(ty), operands::<B>(ty, n)));
    check(case, |(ty, expr, operands)| agrees(&expr.to_dag(), ty, &operands));
}

/// `a*a + gcd(a, 18)` and the like: a product and what is computed on machine words, of types of whole limbs.
pub fn squares_and_divisors<B: Base>() {
    let texts = [
        "a*a + gcd(a, b | 18)",
        "mulhi(a, b) ^ isqrt(c | 1)",
        "mul_wide(a + b, c)",
        "a % (b | 1) - lcm(a, c)",
    ];
    let dags = texts.map(|text| match Expr::parse(text) {
        Ok(expr) => expr.to_dag(),
        Err(error) => panic!("{error}"),
    });
    let case = (1..10_u64).prop_flat_map(|limbs| match IntType::unsigned(limbs * u64::from(B::BITS)) {
        Ok(ty) => (Just(ty), operands::<B>(ty, 3)),
        Err(error) => panic!("{error}"),
    });
    check(case, move |(ty, operands)| dags.iter().try_for_each(|dag| agrees(dag, ty, &operands)));
}

/// Operations of batches that are large enough to be computed side by side, with others left over.
pub fn side_by_side<B: Base>() {
    let texts = [
        "a * b",
        "mul_wide(a, b)",
        "mulhi(a, b)",
        "sqr_wide(a)",
        "a / b",
        "a % (b >> 70)",
        "mulmod(a, b, c)",
        "powmod(a, b & 0xffff, c)",
        "gcd(a, b)",
        "modinv(a, b)",
        "is_prime(a)",
    ];
    let dags = texts.map(|text| match Expr::parse(text) {
        Ok(expr) => expr.to_dag(),
        Err(error) => panic!("{error}"),
    });
    let ty = (64..1100_u64, any::<bool>()).prop_map(|(bits, signed)| match IntType::new(bits, signed) {
        Ok(ty) => ty,
        Err(error) => panic!("{error}"),
    });
    let case = (ty, 5..20_usize, 0..dags.len())
        .prop_flat_map(|(ty, instances, which)| (Just((ty, which)), operands::<B>(ty, instances)));
    check(case, move |((ty, which), operands)| agrees(&dags[which], ty, &operands));
}

/// Numbers that are long enough for every rung of the products and quotients.
pub fn long_operands<B: Base>() {
    let texts = ["a * b", "mul_wide(a, b)", "a / (b >> 9000) + c", "a * a - b * c"];
    for (i, text) in texts.into_iter().enumerate() {
        let (expr, ty) = match (Expr::parse(text), IntType::new(20_000 + 17 * i as u64, i % 2 == 1)) {
            (Ok(expr), Ok(ty)) => (expr, ty),
            (expr, ty) => panic!("{expr:?}, {ty:?}"),
        };
        let dag = expr.to_dag();
        let samples = crate::operands::samples(operands::<B>(ty, 1), 8);
        for operands in samples {
            if let Err(error) = agrees(&dag, ty, &operands) {
                panic!("{error}");
            }
        }
    }
}
