//! Divisions by their definitions.

use limbforge_algos::cpu::Why;
use limbforge_algos::op::class::{Division, WideDivision};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Euclid, One, Zero};

use super::definition::{fails_if, truth};

pub(super) fn value(op: Division, [x, y]: [&BigInt; 2]) -> Result<BigInt, Why> {
    if op == Division::Divisible {
        return Ok(truth(if y.is_zero() { x.is_zero() } else { (x % y).is_zero() }));
    }
    fails_if(y.is_zero(), Why::DivisionByZero)?;
    match op {
        Division::Div => Ok(x / y),
        Division::Rem => Ok(x % y),
        Division::DivEuclid => Ok(x.div_euclid(y)),
        Division::RemEuclid => Ok(x.rem_euclid(y)),
        Division::DivFloor => Ok(Integer::div_floor(x, y)),
        Division::RemFloor => Ok(Integer::mod_floor(x, y)),
        Division::DivExact => fails_if(!(x % y).is_zero(), Why::NotDivisible).map(|()| x / y),
        Division::Divisible => unreachable!("divisibility has a value for every divisor"),
    }
}

/// Divisions of `high 2^N + low` by d, where the bits of all are read as unsigned.
pub(super) fn wide(op: WideDivision, args: [&BigInt; 3], bits: u32) -> Result<BigInt, Why> {
    let radix = BigInt::one() << bits;
    let [high, low, d] = args.map(|x| x.rem_euclid(&radix));
    fails_if(d.is_zero(), Why::DivisionByZero)?;
    match op {
        WideDivision::DivWide => fails_if(high >= d, Why::LongQuotient).map(|()| (high * &radix + low) / d),
        WideDivision::RemWide => Ok((high * &radix + low) % d),
    }
}
