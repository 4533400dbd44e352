//! Limbs of 64 bits from and to the digits of 30 bits of CPython's integers.

use limbforge::limb::{RangeError, bytemuck, slice};
use limbforge::prelude::IntType;

use super::DIGIT;

/// The digits of a magnitude, least significant first.
///
/// Four digits are 15 bytes: each is cut out of the eight bytes in which it begins, and none waits for the one
/// before it. The last ones are put together from limbs.
pub(super) fn write(magnitude: &[u64], out: &mut [u32]) {
    const MASK: u64 = (1 << DIGIT) - 1;
    let bytes: &[u8] = bytemuck::cast_slice(magnitude);
    let quads = if cfg!(target_endian = "little") { bytes.len().saturating_sub(4) / 15 } else { 0 };
    let mut done = 0;
    for (four, start) in out.chunks_exact_mut(4).take(quads).zip((0..).step_by(15)) {
        let cut = |byte: usize, shift: u32| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[start + byte..][..8]);
            (u64::from_le_bytes(word) >> shift & MASK) as u32
        };
        four.copy_from_slice(&[cut(0, 0), cut(3, 6), cut(7, 4), cut(11, 2)]);
        done += 4;
    }
    for (out, digit) in out[done..].iter_mut().zip(done as u64..) {
        let bit = digit * u64::from(DIGIT);
        let mut limbs = magnitude[(bit / 64) as usize..].iter().copied();
        let (low, high) = (limbs.next().unwrap_or(0), limbs.next().unwrap_or(0));
        let pair = u128::from(high) << 64 | u128::from(low);
        *out = ((pair >> (bit % 64)) as u64 & MASK) as u32;
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
