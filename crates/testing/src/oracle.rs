//! Limb slices to and from num-bigint, by their definition: value = sum of limb i times B^i.

use limbforge_limb::Base;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// The value of the limbs.
#[must_use]
pub fn value<B: Base>(limbs: &[B]) -> BigUint {
    limbs.iter().rev().fold(BigUint::zero(), |sum, limb| (sum << B::BITS) + limb_value(*limb))
}

/// The value of two's complement `limbs` of `bits` bits.
#[must_use]
pub fn signed_value<B: Base>(limbs: &[B], bits: u32) -> BigInt {
    let value = value(limbs);
    let sign = value.bit(u64::from(bits) - 1);
    BigInt::from(value) - if sign { BigInt::one() << bits } else { BigInt::zero() }
}

/// `value mod B^len` as limbs.
#[must_use]
pub fn limbs<B: Base>(value: &BigUint, len: usize) -> Vec<B> {
    if B::BITS < 8 {
        let digits = value.to_radix_le(1 << B::BITS);
        return (0..len).map(|i| B::from_word(digits.get(i).copied().unwrap_or_default().into())).collect();
    }
    if !B::BITS.is_multiple_of(8) {
        let from = |i: usize| value >> (i * B::BITS as usize);
        return (0..len)
            .map(|i| B::from_word(from(i).iter_u64_digits().next().unwrap_or_default()))
            .collect();
    }
    let bytes = value.to_bytes_le();
    (0..len).map(|i| B::from_le_bytes(bytes.get(i * B::BYTES..).unwrap_or_default())).collect()
}

/// `value mod 2^bits`, in `0..2^bits`.
#[must_use]
pub fn residue(value: &BigInt, bits: u32) -> BigUint {
    let modulus = BigInt::one() << bits;
    let residue = ((value % &modulus) + &modulus) % &modulus;
    residue.magnitude().clone()
}

fn limb_value<B: Base>(limb: B) -> BigUint {
    (0..B::BITS.div_ceil(64))
        .rev()
        .fold(BigUint::zero(), |sum, i| (sum << 64u32) + (limb >> (64 * i) as usize).low_word())
}
