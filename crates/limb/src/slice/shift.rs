//! Shifts and rotations by any number of bits. A shift by the width or more leaves only zeros or sign bits.

use super::bits;
use crate::base::Base;

/// `out = a * 2^n mod B^M`.
#[inline]
pub fn shl<B: Base>(out: &mut [B], a: &[B], n: u32) {
    assert_eq!(out.len(), a.len(), "operands of one length");
    let (limbs, bits) = split_shift::<B>(n, a.len());
    let (zeros, moved) = out.split_at_mut(limbs);
    zeros.fill(B::ZERO);
    let kept = &a[..moved.len()];
    if bits == 0 { moved.copy_from_slice(kept) } else { _ = shl_bits(moved, kept, bits as u32) }
}

/// `out = a * 2^n mod B^M` for n below the bits of a limb; returns the limb above the top.
#[inline]
pub fn shl_bits<B: Base>(out: &mut [B], a: &[B], n: u32) -> B {
    assert_eq!(out.len(), a.len(), "operands of one length");
    let mut below = B::ZERO;
    for (out, &limb) in out.iter_mut().zip(a) {
        *out = join(limb, below, n);
        below = limb;
    }
    join(B::ZERO, below, n)
}

/// As [`shl_bits`], in place.
#[inline]
pub fn shl_bits_assign<B: Base>(acc: &mut [B], n: u32) -> B {
    let mut below = B::ZERO;
    for limb in acc {
        (*limb, below) = (join(*limb, below, n), *limb);
    }
    join(B::ZERO, below, n)
}

/// The upper limb of `(limb B + below) 2^n`, for n below the bits of a limb.
#[inline(always)]
pub(super) fn join<B: Base>(limb: B, below: B, n: u32) -> B {
    // Two shifts, because a shift by all bits of a limb is undefined.
    limb << n as usize | (below >> 1) >> (B::BITS - 1 - n) as usize
}

/// `out = floor(a / 2^n)`.
#[inline]
pub fn shr<B: Base>(out: &mut [B], a: &[B], n: u32) {
    shr_filling(out, a, n, B::ZERO);
}

/// `out = floor(a / 2^n)` for two's complement `a` of `M * BITS` bits: copies of the sign fill the top.
#[inline]
pub fn shr_signed<B: Base>(out: &mut [B], a: &[B], n: u32) {
    let negative = a.last().is_some_and(|&top| top.leading_zeros() == 0);
    shr_filling(out, a, n, if negative { B::HIGHEST } else { B::ZERO });
}

fn shr_filling<B: Base>(out: &mut [B], a: &[B], n: u32, fill: B) {
    assert_eq!(out.len(), a.len(), "operands of one length");
    let (limbs, bits) = split_shift::<B>(n, a.len());
    let kept = &a[limbs..];
    let (moved, filled) = out.split_at_mut(kept.len());
    filled.fill(fill);
    if bits == 0 {
        moved.copy_from_slice(kept);
        return;
    }
    let above = kept.iter().skip(1).chain(core::iter::once(&fill));
    for ((out, &limb), &above) in moved.iter_mut().zip(kept).zip(above) {
        *out = limb >> bits | above << (B::BITS as usize - bits);
    }
}

/// (whole limbs, at most `len`; bits within a limb).
fn split_shift<B: Base>(n: u32, len: usize) -> (usize, usize) {
    let limbs = (n / B::BITS) as usize;
    if limbs >= len { (len, 0) } else { (limbs, (n % B::BITS) as usize) }
}

/// `out` = the lowest `width` bits of `a`, rotated to the left by `n mod width`, with zeros above them.
#[inline]
pub fn rotate_left<B: Base>(out: &mut [B], a: &[B], n: u32, width: u32) {
    debug_assert_eq!(a.len(), bits::limbs_for::<B>(width));
    if width == 0 {
        return;
    }
    let n = n % width;
    shl(out, a, n);
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
