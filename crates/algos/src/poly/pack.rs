//! To one integer and back: residues as digits in base 2^bits.

use num_bigint::BigUint;

use super::PolyError;
use super::linear::{trim, trimmed};
use crate::transform::context::Context;

/// Digits of fewer bits do not hold the residues.
fn check(p: u64, bits: u32) -> Result<(), PolyError> {
    let least = (p - 1).ilog2() + 1;
    if bits < least { Err(PolyError::NarrowDigits { bits, least, modulus: p }) } else { Ok(()) }
}

/// The value at 2^bits of the polynomial whose coefficients are the residues in `0..p`.
pub(super) fn to_integer<C: Context>(field: C, a: &[C::Element], bits: u32) -> Result<BigUint, PolyError> {
    check(field.modulus(), bits)?;
    let digits = trimmed(field, a);
    let mut bytes = vec![0; (digits.len() * bits as usize).div_ceil(8) + 16];
    for (i, &digit) in digits.iter().enumerate() {
        let (byte, bit) = (i * bits as usize / 8, i * bits as usize % 8);
        let shifted = u128::from(field.value(digit)) << bit;
        bytes[byte..].iter_mut().zip(shifted.to_le_bytes()).for_each(|(byte, part)| *byte |= part);
    }
    Ok(BigUint::from_bytes_le(&bytes))
}

/// The polynomial whose coefficients are the digits of the integer in base 2^bits, taken mod p.
pub(super) fn from_integer<C: Context>(
    field: C,
    integer: &BigUint,
    bits: u32,
) -> Result<Vec<C::Element>, PolyError> {
    check(field.modulus(), bits)?;
    let word = field.add(field.element(u64::MAX), field.element(1));
    let mask = (BigUint::from(1_u32) << bits) - 1_u32;
    let digit = |i: u64| {
        let digit = (integer >> (i * u64::from(bits))) & &mask;
        let words = digit.iter_u64_digits().rev();
        words.fold(field.zero(), |sum, part| field.add(field.mul(sum, word), field.element(part)))
    };
    Ok(trim(field, (0..integer.bits().div_ceil(bits.into())).map(digit).collect()))
}
