//! The value of each operation on integers without bound, by its definition.

use limbforge_algos::cpu::Why;
use limbforge_algos::op::{Class, Op, class};
use num_bigint::{BigInt, Sign};

use super::{bits, division, modular, number_theory};

/// The value before it is reduced to the type, or why there is none.
pub(super) fn value(op: &Op, args: &[&BigInt], bits: u32) -> Result<BigInt, Why> {
    match op.class() {
        Class::Leaf => panic!("{op} is no operation"),
        Class::Sum(op) => Ok(sum(op, args)),
        Class::Product(op) => Ok(product(op, args, bits)),
        Class::Comparison(op) => Ok(truth(comparison(op, operands(args)))),
        Class::Choice(op) => Ok(choice(op, args)),
        Class::Bitwise(op) => Ok(bitwise(op, args)),
        Class::Count(op) => Ok(bits::count(op, operands(args), bits)),
        Class::FixedShift(op) => Ok(bits::fixed_shift(op, operands(args), bits)),
        Class::Shift(shift) => Ok(bits::shift(shift, op, args, bits)),
        Class::Field(field) => Ok(bits::field(field, op, args, bits)),
        Class::Division(op) => division::value(op, operands(args)),
        Class::WideDivision(op) => division::wide(op, operands(args), bits),
        Class::Gcd(op) => number_theory::divisor(op, operands(args)),
        Class::Modular(op) => modular::value(op, args, bits),
        Class::Montgomery(op) => modular::montgomery(op, args, bits),
        Class::Root(op) => number_theory::root_or_power(op, args),
        Class::Primality(op) => Ok(truth(number_theory::primality(op, args))),
    }
}

/// The K operands of an operation.
pub(super) fn operands<'a, const K: usize>(args: &[&'a BigInt]) -> [&'a BigInt; K] {
    args.try_into().unwrap_or_else(|_| panic!("{} operands instead of {K}", args.len()))
}

pub(super) fn truth(value: bool) -> BigInt {
    BigInt::from(u8::from(value))
}

/// Fails where the condition holds.
pub(super) const fn fails_if(condition: bool, why: Why) -> Result<(), Why> {
    if condition { Err(why) } else { Ok(()) }
}

fn sum(op: class::Sum, args: &[&BigInt]) -> BigInt {
    match op {
        class::Sum::Add => args[0] + args[1],
        class::Sum::Sub => args[0] - args[1],
        class::Sum::Neg => -args[0],
    }
}

fn product(op: class::Product, args: &[&BigInt], bits: u32) -> BigInt {
    match op {
        class::Product::Mul | class::Product::MulWide => args[0] * args[1],
        // `>>` of num-bigint rounds down.
        class::Product::MulHigh => (args[0] * args[1]) >> bits,
        class::Product::Sqr | class::Product::SqrWide => args[0] * args[0],
    }
}

fn comparison(op: class::Comparison, [x, y]: [&BigInt; 2]) -> bool {
    match op {
        class::Comparison::Eq => x == y,
        class::Comparison::Ne => x != y,
        class::Comparison::Lt => x < y,
        class::Comparison::Le => x <= y,
    }
}

fn choice(op: class::Choice, args: &[&BigInt]) -> BigInt {
    match op {
        class::Choice::Min => args[0].min(args[1]),
        class::Choice::Max => args[0].max(args[1]),
        class::Choice::Select if args[0].sign() == Sign::NoSign => args[2],
        class::Choice::Select => args[1],
    }
    .clone()
}

fn bitwise(op: class::Bitwise, args: &[&BigInt]) -> BigInt {
    match op {
        class::Bitwise::And => args[0] & args[1],
        class::Bitwise::Or => args[0] | args[1],
        class::Bitwise::Xor => args[0] ^ args[1],
        class::Bitwise::Not => !args[0],
    }
}
