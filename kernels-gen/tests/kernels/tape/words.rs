//! Integers as words of 32 bits, and back.

use limbforge_limb::IntType;
use limbforge_limb::num_bigint::{BigInt, BigUint};

pub(super) fn words(x: &BigInt, ty: IntType) -> Vec<u32> {
    let modulus = BigInt::from(1) << ty.bits();
    let low = ((x % &modulus) + &modulus) % &modulus;
    let mut words = low.to_biguint().unwrap().to_u32_digits();
    words.resize(ty.bits().div_ceil(32) as usize, 0);
    words
}

pub(super) fn integer(words: &[u32], ty: IntType) -> BigInt {
    let low = BigInt::from(BigUint::from_slice(words));
    let negative = ty.is_signed() && low.bit(u64::from(ty.bits()) - 1);
    if negative { low - (BigInt::from(1) << ty.bits()) } else { low }
}
