//! Random expressions, and their values by num-bigint: the oracle of every backend that evaluates expressions.

mod bits;
mod montgomery;
pub mod number_theory;

use std::collections::HashMap;

use limbforge_algos::cpu::Why;
use limbforge_algos::expr::{Dag, Expr, Op};
use limbforge_limb::IntType;
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Euclid, One, Zero};
use proptest::prelude::*;

use crate::oracle::residue;

/// The variables that [`expression`] uses.
pub const VARIABLES: [&str; 3] = ["a", "b", "c"];

/// Expressions over [`VARIABLES`] with every operation, constants that fit `ty`, shared and repeated
/// subexpressions, of up to about 25 nodes. The result of one in six is a wide product, if a type is wide enough.
pub fn expression(ty: IntType) -> BoxedStrategy<Expr> {
    expression_of(ty, KERNEL_OPERATIONS)
}

/// As [`expression`], with divisions, which some instances fail and which only the CPU backend computes.
pub fn expression_with_divisions(ty: IntType) -> BoxedStrategy<Expr> {
    expression_of(ty, BINARY_OPERATIONS)
}

/// How many of the cases of [`binary`] there are, and how many of them the kernels have.
const BINARY_OPERATIONS: usize = 43;
const KERNEL_OPERATIONS: usize = 15;

fn expression_of(ty: IntType, operations: usize) -> BoxedStrategy<Expr> {
    let value = if ty.is_signed() {
        any::<i64>().prop_map_into().boxed()
    } else {
        any::<u64>().prop_map_into().boxed()
    };
    let literal = value.prop_map(move |value: BigInt| Expr::literal(in_type(&value, ty)));
    let leaf =
        prop_oneof![4 => proptest::sample::select(VARIABLES.to_vec()).prop_map(Expr::input), 1 => literal];
    let narrow = leaf.prop_recursive(5, 25, 3, move |inner| {
        let shift = 0..ty.bits() + 70;
        prop_oneof![
            (inner.clone(), inner.clone(), 0..operations)
                .prop_map(move |(x, y, which)| binary(which, &x, &y, ty)),
            (inner.clone(), shift, 0..5_usize).prop_map(|(x, bits, which)| unary(which, &x, bits)),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(x, y, z)| x.select(&y, &z)),
            bit_operation(&inner, ty),
            // The same operand twice, shared.
            (inner, 0..operations).prop_map(move |(x, which)| binary(which, &x, &x, ty)),
        ]
    });
    let wide = prop_oneof![
        (narrow.clone(), narrow.clone()).prop_map(|(x, y)| x.mul_wide(&y)),
        narrow.clone().prop_map(|x| x.sqr_wide()),
        narrow.clone().prop_map(|x| x.mul_wide(&x)),
    ];
    let weight = u32::from(2 * ty.bits() <= IntType::MAX_BITS);
    prop_oneof![5 => narrow, weight => wide].boxed()
}

fn bit_operation(inner: &BoxedStrategy<Expr>, ty: IntType) -> BoxedStrategy<Expr> {
    let amount = || bits::amount(inner.clone(), ty);
    (0..bits::OPERATIONS, inner.clone(), inner.clone(), amount(), amount())
        .prop_map(|(which, x, y, n, m)| bits::operation(which, &x, &y, &n, &m))
        .boxed()
}

fn unary(which: usize, x: &Expr, bits: u32) -> Expr {
    match which {
        0 => -x,
        1 => !x,
        2 => x.sqr(),
        3 => x << bits,
        _ => x >> bits,
    }
}

fn binary(which: usize, x: &Expr, y: &Expr, ty: IntType) -> Expr {
    // Of `i1` the one odd number is -1.
    let odd = |x: &Expr| x | Expr::literal(in_type(&BigInt::one(), ty));
    match which {
        0 => x + y,
        1 => x - y,
        2 => x * y,
        3 => x & y,
        4 => x | y,
        5 => x ^ y,
        6 => x.mul_high(y),
        7 => x.min(y),
        8 => x.max(y),
        9 => x.cmp_eq(y),
        10 => x.cmp_ne(y),
        11 => x.cmp_lt(y),
        12 => x.cmp_le(y),
        13 => x.cmp_gt(y),
        14 => x.cmp_ge(y),
        15 => x / y,
        16 => x % y,
        17 => x.div_euclid(y),
        18 => x.rem_euclid(y),
        19 => x.div_exact(y),
        20 => x.divisible(y),
        21 => x.gcd(y),
        22 => x.lcm(y),
        23 => x.modinv(y),
        24 => x.powmod(&x.gcd(y), y),
        25 => x.isqrt(),
        26 => x.addmod(y, &(x & y)),
        27 => x.submod(y, &(x | y)),
        28 => x.mulmod(x, y),
        29 => odd(x).modinv2k() + y.modinv2k(),
        30 => x.xgcd_x(y),
        31 => x.xgcd_y(y),
        32 => x.jacobi(y),
        33 => x.root(&x.gcd(y)),
        34 => x.isqrt_rem(),
        35 => x.is_square(),
        // Of short numbers: the definitions take long.
        36 => x.gcd(y).isqrt().isqrt().isqrt().is_perfect_power(),
        37 => x.gcd(y).isqrt().isqrt().isqrt().is_prime(),
        38 => x.gcd(y).isqrt().isqrt().is_strong_probable_prime(y),
        39 => (x & y).div_wide(x, y),
        40 => x.rem_wide(y, &(x ^ y)),
        41 => x.to_mont(&odd(y)) - x.from_mont(y),
        _ => x.mont_mul(y, &odd(x)) ^ y.mont_reduce(x, &odd(x)),
    }
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
        (op, args) if op.is_number_theory() => number_theory::failure(op, args),
        (op, args) if op.is_of_bits() => montgomery::failure(op, args, bits),
        _ => None,
    }
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
        (op, args) if op.is_number_theory() => number_theory::apply(op, args, bits),
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
