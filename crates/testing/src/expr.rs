//! Random expressions, and their values by num-bigint: the oracle of every backend that evaluates
//! expressions.

mod bits;
mod definition;
mod division;
mod modular;
pub mod number_theory;

use std::collections::HashMap;

use limbforge_algos::cpu::Why;
pub use limbforge_algos::expr::random::VARIABLES;
use limbforge_algos::expr::random::{self, Size};
use limbforge_algos::expr::{Dag, Expr, Op};
use limbforge_limb::IntType;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use proptest::prelude::*;

use crate::oracle::residue;

/// Choices of a random expression: with fewer, what is left of the tree is the smallest.
const CHOICES: usize = 200;

/// Random expressions over [`VARIABLES`] of every operation ([`random::expression`]), some of whose instances
/// fail. They shrink to smaller trees.
pub fn expression(ty: IntType) -> BoxedStrategy<Expr> {
    expression_of(ty, Size::default())
}

/// As [`expression`], within these bounds.
pub fn expression_of(ty: IntType, size: Size) -> BoxedStrategy<Expr> {
    let choices = proptest::collection::vec(any::<u32>(), CHOICES / 2..CHOICES);
    choices.prop_map(move |choices| random::expression(ty, size, &mut choose(&choices))).boxed()
}

/// These choices, and then 0: of n, a number as far from 0 as the choice is in its own range, so that halving
/// one halves the other.
fn choose(choices: &[u32]) -> impl FnMut(u32) -> u32 {
    let mut choices = choices.iter().copied();
    move |n| ((u64::from(choices.next().unwrap_or_default()) * u64::from(n)) >> 32) as u32
}

/// The value of `dag` for these values of its variables of type `ty`, as a residue in `0..2^bits` of the
/// result's type.
///
/// # Panics
/// If a variable has no value, the expression no result type, or an operation no result.
#[must_use]
pub fn evaluate(dag: &Dag, variables: &HashMap<&str, BigInt>, ty: IntType) -> BigUint {
    evaluate_checked(dag, variables, ty).unwrap_or_else(|failed| panic!("no result: {failed:?}"))
}

/// As [`evaluate`].
///
/// # Errors
/// The operations that have no result, by their indices in [`Dag::nodes`], and why. Those that use them go on
/// with 0.
///
/// # Panics
/// If a variable has no value, or the expression no result type.
pub fn evaluate_checked(
    dag: &Dag,
    variables: &HashMap<&str, BigInt>,
    ty: IntType,
) -> Result<BigUint, Vec<(usize, Why)>> {
    let mut values: Vec<BigInt> = vec![];
    let mut failed = vec![];
    for (index, node) in dag.nodes().iter().enumerate() {
        let args: Vec<&BigInt> = node.args.iter().map(|arg| &values[arg.index()]).collect();
        values.push(match &node.op {
            Op::Input(name) => in_type(&variables[&**name], ty),
            Op::Literal(value) => in_type(&value.clone().into(), ty),
            op => operation(op, &args, ty).unwrap_or_else(|why| {
                failed.push((index, why));
                BigInt::zero()
            }),
        });
    }
    if !failed.is_empty() {
        return Err(failed);
    }
    let result = dag.result_type(ty).unwrap_or_else(|error| panic!("{error}"));
    Ok(residue(values.last().unwrap_or(&BigInt::zero()), result.bits()))
}

/// The value of one operation, by its definition: of operands in the range of `ty`, in the range of the result's
/// type, which has twice the bits for wide products.
///
/// # Errors
/// The reason why it has no result.
///
/// # Panics
/// If the operation is a variable or a constant, or has another number of operands.
pub fn operation(op: &Op, operands: &[&BigInt], ty: IntType) -> Result<BigInt, Why> {
    let exact = definition::value(op, operands, ty.bits())?;
    Ok(if op.is_wide() { exact } else { in_type(&exact, ty) })
}

/// `value mod 2^bits`, in the range of the type.
#[must_use]
pub fn in_type(value: &BigInt, ty: IntType) -> BigInt {
    let residue = residue(value, ty.bits());
    let negative = ty.is_signed() && residue.bit(u64::from(ty.bits()) - 1);
    BigInt::from(residue) - if negative { BigInt::one() << ty.bits() } else { BigInt::zero() }
}

#[cfg(test)]
mod tests {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    use super::*;

    /// A test that fails for all trees that divide ends with one that does nothing else.
    #[test]
    fn trees_shrink() {
        let ty = IntType::unsigned(64).unwrap_or_else(|error| panic!("{error}"));
        let divides = |expr: &Expr| expr.to_dag().nodes().iter().any(|node| node.op.is_division());
        let mut runner = TestRunner::deterministic();
        let mut smallest = usize::MAX;
        for _ in 0..20 {
            let Ok(mut tree) = expression(ty).new_tree(&mut runner) else {
                panic!("a strategy without values")
            };
            if !divides(&tree.current()) {
                continue;
            }
            let mut last = tree.current();
            let mut goes_on = true;
            while goes_on {
                let fails = divides(&tree.current());
                if fails {
                    last = tree.current();
                }
                goes_on = if fails { tree.simplify() } else { tree.complicate() };
            }
            smallest = smallest.min(last.to_dag().nodes().len());
        }
        assert!(smallest <= 4, "the smallest tree that divides has {smallest} nodes");
    }
}
