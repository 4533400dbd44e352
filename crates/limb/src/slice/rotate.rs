//! Rotations of numbers of any width in bits.

use super::{bits, shift};
use crate::base::Base;

/// `out` = the lowest `width` bits of `a`, rotated to the left by `n mod width`. Bits of the top limbs from
/// `width` on are zeros.
#[inline]
pub fn rotate_left<B: Base>(out: &mut [B], a: &[B], n: u32, width: u32) {
    debug_assert_eq!(a.len(), bits::limbs_for::<B>(width));
    if width == 0 {
        return;
    }
    let n = n % width;
    shift::shl(out, a, n);
    or_shr(out, a, width - n);
    bits::truncate(out, width);
}

/// As [`rotate_left`], to the right.
#[inline]
pub fn rotate_right<B: Base>(out: &mut [B], a: &[B], n: u32, width: u32) {
    if width > 0 {
        rotate_left(out, a, width - n % width, width);
    }
}

/// `acc |= floor(a / 2^n)`.
fn or_shr<B: Base>(acc: &mut [B], a: &[B], n: u32) {
    let (limbs, bits) = ((n / B::BITS) as usize, (n % B::BITS) as usize);
    let kept = a.get(limbs..).unwrap_or_default();
    let zero = B::ZERO;
    let above = kept.iter().skip(1).chain(core::iter::once(&zero));
    for ((acc, &limb), &above) in acc.iter_mut().zip(kept).zip(above) {
        let from_above = if bits == 0 { B::ZERO } else { above << (B::BITS as usize - bits) };
        *acc = *acc | limb >> bits | from_above;
    }
}
