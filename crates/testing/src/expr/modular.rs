//! Modular arithmetic and Montgomery form by their definitions.

use limbforge_algos::cpu::Why;
use limbforge_algos::op::class::{Modular, Montgomery};
use num_bigint::{BigInt, Sign};
use num_traits::{Euclid, One, Signed, Zero};

use super::definition::{fails_if, operands};

pub(super) fn value(op: Modular, args: &[&BigInt], bits: u32) -> Result<BigInt, Why> {
    // The value of x and y modulo |m|.
    let residue = |of: fn(&BigInt, &BigInt) -> BigInt| {
        let [x, y, m] = operands(args);
        fails_if(m.is_zero(), Why::ZeroModulus).map(|()| of(x, y).rem_euclid(&m.abs()))
    };
    match op {
        Modular::AddMod => residue(|x, y| x + y),
        Modular::SubMod => residue(|x, y| x - y),
        Modular::MulMod => residue(|x, y| x * y),
        Modular::PowMod => {
            let [x, e, m] = operands(args);
            fails_if(e.sign() == Sign::Minus, Why::NegativeExponent)?;
            fails_if(m.is_zero(), Why::ZeroModulus)?;
            Ok(x.rem_euclid(&m.abs()).modpow(e, &m.abs()))
        }
        Modular::ModInv => {
            let [x, m] = operands(args);
            fails_if(m.is_zero(), Why::DivisionByZero)?;
            inverse(x, &m.abs()).ok_or(Why::NoInverse)
        }
        Modular::ModInv2k => inverse(args[0], &(BigInt::one() << bits)).ok_or(Why::EvenNumber),
    }
}

/// The inverse of x modulo m > 0, in `0..m`.
fn inverse(x: &BigInt, m: &BigInt) -> Option<BigInt> {
    if m.is_one() { Some(BigInt::zero()) } else { x.rem_euclid(m).modinv(m) }
}

/// Montgomery form with R = 2^N, where the bits of all operands are read as unsigned.
pub(super) fn montgomery(op: Montgomery, args: &[&BigInt], bits: u32) -> Result<BigInt, Why> {
    let radix = BigInt::one() << bits;
    let args: Vec<BigInt> = args.iter().map(|x| x.rem_euclid(&radix)).collect();
    let (m, args) = args.split_last().unwrap_or_else(|| panic!("{op:?} without operands"));
    fails_if(!m.bit(0), Why::EvenModulus)?;
    // Modulo 1 all is 0.
    let over_radix = |x: BigInt| x * radix.modinv(m).unwrap_or_default() % m;
    Ok(match op {
        Montgomery::ToMont => &args[0] * &radix % m,
        Montgomery::FromMont => over_radix(args[0].clone()),
        Montgomery::MontMul => over_radix(&args[0] * &args[1]),
        Montgomery::MontReduce => over_radix(&args[0] * &radix + &args[1]),
    })
}
