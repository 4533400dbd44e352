//! Comparison, unsigned and two's complement.

use core::cmp::Ordering;

use crate::base::Base;

/// Compares two unsigned integers of M limbs.
#[inline]
pub fn cmp<B: Base>(a: &[B], b: &[B]) -> Ordering {
    assert_eq!(a.len(), b.len(), "operands of one length");
    a.iter().rev().cmp(b.iter().rev())
}

/// Compares two two's complement integers of `bits` bits in M limbs whose bits above `bits` are zero.
#[inline]
pub fn cmp_signed<B: Base>(a: &[B], b: &[B], bits: u32) -> Ordering {
    // Operands of one sign compare as unsigned ones.
    is_negative(b, bits).cmp(&is_negative(a, bits)).then_with(|| cmp(a, b))
}

/// Whether the sign bit, bit `bits - 1`, is set.
#[inline]
pub fn is_negative<B: Base>(a: &[B], bits: u32) -> bool {
    super::bits::bit(a, bits - 1)
}

/// Whether every limb is zero.
#[inline]
pub fn is_zero<B: Base>(a: &[B]) -> bool {
    a.iter().all(|&limb| limb == B::ZERO)
}
