//! Random expressions, and their values by num-bigint: the oracle of every backend that evaluates expressions.

mod bits;
mod montgomery;
pub mod number_theory;

use std::collections::HashMap;

use limbforge_algos::cpu::Why;
pub use limbforge_algos::expr::random::VARIABLES;
use limbforge_algos::expr::random::{self, Size};
use limbforge_algos::expr::{Dag, Expr, Op};
use limbforge_algos::op::Class;
use limbforge_limb::IntType;
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Euclid, One, Zero};
use proptest::prelude::*;

use crate::oracle::residue;

/// Choices of a random expression: with fewer, what is left of the tree is the smallest.
const CHOICES: usize = 200;

/// Random expressions over [`VARIABLES`] of every operation ([`random::expression`]), some of whose instances fail. They shrink to
/// smaller trees.
pub fn expression(ty: IntType) -> BoxedStrategy<Expr> {
    expression_of(ty, Size::default())
}

/// As [`expression`], within these bounds.
pub fn expression_of(ty: IntType, size: Size) -> BoxedStrategy<Expr> {
    let choices = proptest::collection::vec(any::<u32>(), CHOICES / 2..CHOICES);
    choices.prop_map(move |choices| random::expression(ty, size, &mut choose(&choices))).boxed()
}

/// These choices, and then 0: of n, a number as far from 0 as the choice is in its own range, so that halving one halves the other.
fn choose(choices: &[u32]) -> impl FnMut(u32) -> u32 {
    let mut choices = choices.iter().copied();
    move |n| ((u64::from(choices.next().unwrap_or_default()) * u64::from(n)) >> 32) as u32
}

/// The value of `dag` for these values of its variables of type `ty`, as a residue in `0..2^bits` of the result's type.
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
/// The operations that have no result, by their indices in [`Dag::nodes`], and why. Those that use them go on with 0.
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
        let exact = match &node.op {
            Op::Input(name) => variables[&**name].clone(),
            Op::Literal(value) => BigInt::from(value.clone()),
            op => match failure(op, &args, ty.bits()) {
                Some(why) => {
                    failed.push((index, why));
                    BigInt::zero()
                }
                None => apply(op, &args, ty.bits()),
            },
        };
        values.push(if node.op.is_wide() { exact } else { in_type(&exact, ty) });
    }
    if !failed.is_empty() {
        return Err(failed);
    }
    let result = dag.result_type(ty).unwrap_or_else(|error| panic!("{error}"));
    Ok(residue(values.last().unwrap_or(&BigInt::zero()), result.bits()))
}

/// Why the operation has no result, by its definition.
fn failure(op: &Op, args: &[&BigInt], bits: u32) -> Option<Why> {
    match (op, args) {
        (Op::Div | Op::Rem | Op::DivEuclid | Op::RemEuclid | Op::DivExact, [_, y]) if y.is_zero() => {
            Some(Why::DivisionByZero)
        }
        (Op::DivExact, [x, y]) if !(*x % *y).is_zero() => Some(Why::NotDivisible),
        (Op::ModInv, [_, y]) if y.is_zero() => Some(Why::DivisionByZero),
        (Op::ModInv, [x, y]) if inverse(x, y).is_none() => Some(Why::NoInverse),
        (Op::PowMod, [_, e, _]) if e.sign() == Sign::Minus => Some(Why::NegativeExponent),
        (Op::PowMod, [_, _, m]) if m.is_zero() => Some(Why::ZeroModulus),
        (Op::Isqrt, [x]) if x.sign() == Sign::Minus => Some(Why::Negative),
        (op, args) if is_number_theory(op) => number_theory::failure(op, args),
        (op, args) if op.is_of_bits() => montgomery::failure(op, args, bits),
        _ => None,
    }
}

const fn is_number_theory(op: &Op) -> bool {
    matches!(op.class(), Class::Modular(_) | Class::Gcd(_) | Class::Root(_) | Class::Primality(_))
}

/// The inverse of x modulo |y|, in `0..|y|`.
fn inverse(x: &BigInt, y: &BigInt) -> Option<BigInt> {
    let modulus = BigInt::from(y.magnitude().clone());
    if modulus.is_one() { Some(BigInt::zero()) } else { x.rem_euclid(&modulus).modinv(&modulus) }
}

/// The greatest common divisor by Euclid's algorithm.
fn gcd(x: &BigInt, y: &BigInt) -> BigInt {
    let (mut x, mut y) = (x.magnitude().clone(), y.magnitude().clone());
    while !y.is_zero() {
        (x, y) = (y.clone(), x % y);
    }
    x.into()
}

/// The operation on integers without bound; `>>` of num-bigint rounds down, as the operations do.
fn apply(op: &Op, args: &[&BigInt], bits: u32) -> BigInt {
    match (op, args) {
        (Op::Neg, [x]) => -*x,
        (Op::Not, [x]) => !*x,
        (Op::Sqr | Op::SqrWide, [x]) => *x * *x,
        // From the width on all bits have left the number, which then need not grow.
        (Op::Shl(n), [x]) => *x << *n.min(&bits),
        (Op::Shr(n), [x]) => *x >> *n.min(&bits),
        (op, args) if op.is_bit_field() => bits::apply(op, args, bits),
        (Op::Add, [x, y]) => *x + *y,
        (Op::Sub, [x, y]) => *x - *y,
        (Op::Mul | Op::MulWide, [x, y]) => *x * *y,
        (Op::MulHigh, [x, y]) => (*x * *y) >> bits,
        (Op::Div | Op::DivExact, [x, y]) => *x / *y,
        (Op::Rem, [x, y]) => *x % *y,
        (Op::DivEuclid, [x, y]) => x.div_euclid(y),
        (Op::RemEuclid, [x, y]) => x.rem_euclid(y),
        (Op::Divisible, [x, y]) => {
            BigInt::from(u8::from(if y.is_zero() { x.is_zero() } else { (*x % *y).is_zero() }))
        }
        (Op::Gcd, [x, y]) => gcd(x, y),
        (Op::Lcm, [x, y]) if x.is_zero() || y.is_zero() => BigInt::zero(),
        (Op::Lcm, [x, y]) => (*x * *y / gcd(x, y)).magnitude().clone().into(),
        (Op::Isqrt, [x]) => x.sqrt(),
        (Op::PowMod, [x, e, m]) => {
            let modulus = BigInt::from(m.magnitude().clone());
            x.rem_euclid(&modulus).modpow(e, &modulus)
        }
        (Op::ModInv, [x, y]) => inverse(x, y).unwrap_or_default(),
        (op, args) if is_number_theory(op) => number_theory::apply(op, args, bits),
        (op, args) if op.is_of_bits() => montgomery::apply(op, args, bits),
        (Op::And, [x, y]) => *x & *y,
        (Op::Or, [x, y]) => *x | *y,
        (Op::Xor, [x, y]) => *x ^ *y,
        (Op::Min, [x, y]) => (*x).min(*y).clone(),
        (Op::Max, [x, y]) => (*x).max(*y).clone(),
        (Op::Eq, [x, y]) => BigInt::from(u8::from(x == y)),
        (Op::Ne, [x, y]) => BigInt::from(u8::from(x != y)),
        (Op::Lt, [x, y]) => BigInt::from(u8::from(x < y)),
        (Op::Le, [x, y]) => BigInt::from(u8::from(x <= y)),
        (Op::Select, [x, y, z]) => if x.sign() == Sign::NoSign { *z } else { *y }.clone(),
        (op, args) => panic!("{op} with {} operands", args.len()),
    }
}

/// `value mod 2^bits`, in the range of the type.
fn in_type(value: &BigInt, ty: IntType) -> BigInt {
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
