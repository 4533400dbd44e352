//! The width in which an expression cannot overflow: for `overflow="raise"`.

use limbforge::algos::expr::{Dag, Op};
use limbforge::algos::op::{Class, class};
use limbforge::prelude::IntType;

/// The signed type that has the values of all nodes over operands of type `ty`, computed over all integers.
///
/// # Errors
/// The reason, for operations whose values depend on the width, and for results beyond the widest type.
pub(crate) fn wide_type(dag: &Dag, ty: IntType) -> Result<IntType, String> {
    let mut widths: Vec<u64> = vec![];
    for node in dag.nodes() {
        let args: Vec<u64> = node.args.iter().map(|arg| widths[arg.index()]).collect();
        widths.push(width(&node.op, &args, ty)?);
    }
    let width = widths.into_iter().max().unwrap_or(1);
    IntType::signed(width).map_err(|_| {
        format!("exact values of this expression have {width} bits, more than any type: wrap instead")
    })
}

/// Bits in two's complement of the value of an operation on operands of so many bits each.
fn width(op: &Op, args: &[u64], ty: IntType) -> Result<u64, String> {
    let (own, first, second) = (u64::from(ty.bits()), args.first().copied(), args.get(1).copied());
    let (a, b, last) = (first.unwrap_or(1), second.unwrap_or(1), args.last().copied().unwrap_or(1));
    let depends = || {
        let name = op.row().map_or("", |row| row.name);
        format!("`{name}` depends on the width of its operands, so that it has no exact value: wrap instead")
    };
    Ok(match op {
        Op::Input(_) => own + u64::from(!ty.is_signed()),
        Op::Literal(value) => value.bits() + 1,
        Op::Shl(distance) => a + u64::from(*distance),
        Op::Shr(_) => a,
        Op::ShlBy | Op::ShrBy => {
            return Err("a shift by an operand has no bound: shift by a constant, or wrap".to_owned());
        }
        Op::MulHigh => return Err(depends()),
        _ => match op.class() {
            Class::Sum(class::Sum::Neg) => a + 1,
            Class::Sum(_) => a.max(b) + 1,
            Class::Product(class::Product::Mul) => a + b,
            Class::Product(class::Product::Sqr) => 2 * a,
            Class::Product(_) => return Err(depends()),
            Class::Comparison(_) | Class::Primality(_) => 2,
            Class::Choice(class::Choice::Select) => b.max(last),
            Class::Choice(_) => a.max(b),
            Class::Bitwise(class::Bitwise::Not) => a,
            Class::Bitwise(_) => a.max(b),
            Class::Division(class::Division::Divisible) => 2,
            Class::Division(
                class::Division::Rem | class::Division::RemEuclid | class::Division::RemFloor,
            ) => b,
            Class::Division(_) => a + 1,
            Class::Gcd(class::Gcd::Lcm) => a + b,
            Class::Gcd(class::Gcd::Jacobi) => 2,
            Class::Gcd(_) => a.max(b) + 1,
            Class::Modular(class::Modular::ModInv2k) => return Err(depends()),
            Class::Modular(_) => last,
            Class::Root(_) => a.max(2),
            _ => return Err(depends()),
        },
    })
}
