//! Operators of numbers without a type.

use limbforge_algos::op::Op;
use limbforge_algos::program::text::syntax::Span;
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use super::Stopped;
use super::value::Value;

/// The value of an operator of exact numbers; none for operations that depend on the width of a type.
pub(super) fn operation(op: &Op, operands: &[Value], place: Span) -> Option<Result<Value, Stopped>> {
    let numbers: Vec<BigInt> = operands.iter().map(Value::constant).collect();
    let (x, y) = (&numbers[0], numbers.last()?);
    let truth = |truth| Some(Ok(Value::Bool(Some(truth))));
    let number = match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Neg => -x,
        Op::Mul | Op::Sqr => x * y,
        Op::Div | Op::Rem if y.is_zero() => return Some(Err(Stopped { mark: "DIV0", place })),
        Op::Div => x / y,
        Op::Rem => x % y,
        Op::Or => x | y,
        Op::Xor => x ^ y,
        Op::And => x & y,
        Op::Min => x.min(y).clone(),
        Op::Max => x.max(y).clone(),
        Op::ShlBy => shift(x, y),
        Op::ShrBy => shift(x, &-y),
        Op::Eq => return truth(x == y),
        Op::Ne => return truth(x != y),
        Op::Lt => return truth(x < y),
        Op::Le => return truth(x <= y),
        _ => return None,
    };
    Some(Ok(Value::Exact(number)))
}

/// floor(x 2^n)
fn shift(x: &BigInt, n: &BigInt) -> BigInt {
    let n = n.to_i32().unwrap_or_else(|| panic!("expected a shift by a few bits, found {n}"));
    if n < 0 { x >> n.unsigned_abs() } else { x << n }
}

pub(super) fn power(a: &BigInt, k: &BigInt) -> BigInt {
    let k = k.to_u32().unwrap_or_else(|| panic!("expected an exponent from 0 to 2^32 - 1, found {k}"));
    a.pow(k)
}
