//! Divisions of a number of two operands, and arithmetic in Montgomery's form, by their definitions.

use limbforge_algos::cpu::Why;
use limbforge_algos::expr::Op;
use num_bigint::BigInt;
use num_traits::{Euclid, One, Zero};

/// The operands' bits as unsigned numbers.
fn unsigned(args: &[&BigInt], bits: u32) -> Vec<BigInt> {
    args.iter().map(|x| x.rem_euclid(&(BigInt::one() << bits))).collect()
}

/// Why the operation has no result.
pub(super) fn failure(op: &Op, args: &[&BigInt], bits: u32) -> Option<Why> {
    match (op, &*unsigned(args, bits)) {
        (Op::DivWide | Op::RemWide, [_, _, d]) if d.is_zero() => Some(Why::DivisionByZero),
        (Op::DivWide, [high, _, d]) if high >= d => Some(Why::LongQuotient),
        (Op::ToMont | Op::FromMont | Op::MontMul | Op::MontReduce, [.., m]) if !m.bit(0) => {
            Some(Why::EvenModulus)
        }
        _ => None,
    }
}

/// The result of an operation that has one.
pub(super) fn apply(op: &Op, args: &[&BigInt], bits: u32) -> BigInt {
    let radix = BigInt::one() << bits;
    let over_radix = |x: BigInt, m: &BigInt| {
        // Modulo 1 all is 0.
        x * radix.modinv(m).unwrap_or_default() % m
    };
    match (op, &*unsigned(args, bits)) {
        (Op::DivWide, [high, low, d]) => (high * &radix + low) / d,
        (Op::RemWide, [high, low, d]) => (high * &radix + low) % d,
        (Op::ToMont, [x, m]) => x * &radix % m,
        (Op::FromMont, [x, m]) => over_radix(x.clone(), m),
        (Op::MontMul, [x, y, m]) => over_radix(x * y, m),
        (Op::MontReduce, [high, low, m]) => over_radix(high * &radix + low, m),
        (op, args) => panic!("{op} with {} operands", args.len()),
    }
}
