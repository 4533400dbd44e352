//! Limbs of 64 bits from and to the digits of 30 bits of CPython's integers.

use limbforge::limb::{RangeError, slice};
use limbforge::prelude::IntType;

use super::DIGIT;

/// The digits of a magnitude, least significant first.
pub(super) fn write(magnitude: &[u64], out: &mut [u32]) {
    let (mut word, mut bits, mut limbs) = (0_u128, 0, magnitude.iter());
    for out in out {
        if bits < DIGIT {
            word |= u128::from(limbs.next().copied().unwrap_or(0)) << bits;
            bits += 64;
        }
        *out = word as u32 & ((1 << DIGIT) - 1);
        word >>= DIGIT;
        bits -= DIGIT;
    }
}

/// The residue of a number of the type with these digits; an error if it is not of the type.
pub(super) fn read(digits: &[u32], negative: bool, ty: IntType, out: &mut [u64]) -> Result<(), RangeError> {
    let used = digits.iter().rposition(|&digit| digit != 0).map_or(0, |top| top + 1);
    let digits = &digits[..used];
    let bits =
        digits.last().map_or(0, |top| used as u64 * u64::from(DIGIT) - u64::from(top.leading_zeros() - 2));
    check(bits, negative && used > 0, ty, || is_power_of_two(digits))?;
    let (mut word, mut bits, mut digits) = (0_u128, 0, digits.iter());
    for out in out.iter_mut() {
        while bits < 64 {
            let Some(&digit) = digits.next() else { break };
            word |= u128::from(digit) << bits;
            bits += DIGIT;
        }
        *out = word as u64;
        word >>= 64;
        bits = bits.saturating_sub(64);
    }
    if negative {
        slice::sub::neg_assign(out);
        slice::bits::truncate(out, ty.bits());
    }
    Ok(())
}

/// Whether a number of the type has a magnitude of this many bits.
pub(crate) fn check(
    bits: u64,
    negative: bool,
    ty: IntType,
    is_power_of_two: impl FnOnce() -> bool,
) -> Result<(), RangeError> {
    let room = u64::from(ty.bits()) - u64::from(ty.is_signed());
    if negative && !ty.is_signed() {
        // No number of bits would do: the error says that it is negative.
        return Err(RangeError { ty, needed: 0 });
    }
    if bits <= room || negative && bits == room + 1 && is_power_of_two() {
        return Ok(());
    }
    Err(RangeError { ty, needed: bits + u64::from(ty.is_signed()) })
}

fn is_power_of_two(digits: &[u32]) -> bool {
    digits
        .split_last()
        .is_some_and(|(top, rest)| top.is_power_of_two() && rest.iter().all(|&digit| digit == 0))
}
