//! Bitwise operations, bit counts, and reduction to a width that is not a multiple of the limb.

use core::hint::{black_box, select_unpredictable};

use crate::base::Base;

macro_rules! bitwise {
    ($($(#[$doc:meta])* $name:ident: $op:tt;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name<B: Base>(out: &mut [B], a: &[B], b: &[B]) {
            assert!(out.len() == a.len() && out.len() == b.len(), "operands of one length");
            for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
                *out = a $op b;
            }
        }
    )*};
}

bitwise! {
    /// `out = a AND b`.
    and: &;
    /// `out = a OR b`.
    or: |;
    /// `out = a XOR b`.
    xor: ^;
}

/// `out = NOT a`, all `M * BITS` bits.
#[inline]
pub fn not<B: Base>(out: &mut [B], a: &[B]) {
    assert_eq!(out.len(), a.len(), "operands of one length");
    for (out, &a) in out.iter_mut().zip(a) {
        *out = !a;
    }
}

/// Limbs that hold `bits` bits.
#[must_use]
pub const fn limbs_for<B: Base>(bits: u32) -> usize {
    bits.div_ceil(B::BITS) as usize
}

/// The mask of the bits that a width of `bits` bits uses in the top limb.
#[inline]
#[must_use]
pub fn top_mask<B: Base>(bits: u32) -> B {
    match bits % B::BITS {
        0 => B::HIGHEST,
        used => B::HIGHEST >> (B::BITS - used) as usize,
    }
}

/// `acc mod 2^bits`, where `bits` ends in the top limb of `acc`.
#[inline]
pub fn truncate<B: Base>(acc: &mut [B], bits: u32) {
    debug_assert_eq!(acc.len(), limbs_for::<B>(bits));
    if let Some(top) = acc.last_mut() {
        *top = *top & top_mask::<B>(bits);
    }
}

/// Copies the sign, bit `bits - 1`, to all bits above it in the top limb: the inverse of [`truncate`].
#[inline]
pub fn sign_extend<B: Base>(acc: &mut [B], bits: u32) {
    debug_assert_eq!(acc.len(), limbs_for::<B>(bits));
    if bit(acc, bits - 1)
        && let Some(top) = acc.last_mut()
    {
        *top = *top | !top_mask::<B>(bits);
    }
}

/// Bit `index`, counted from the least significant; bits beyond the slice are zero.
#[inline]
#[must_use]
pub fn bit<B: Base>(a: &[B], index: u32) -> bool {
    let shift = (index % B::BITS) as usize;
    a.get((index / B::BITS) as usize).is_some_and(|&limb| (limb >> shift) & B::ONE == B::ONE)
}

/// Number of bits up to the highest one; 0 for zero.
#[inline]
#[must_use]
pub fn bit_len<B: Base>(a: &[B]) -> u32 {
    let used = significant(a).len() as u32;
    a[..used as usize].last().map_or(0, |top| used * B::BITS - top.leading_zeros())
}

/// Number of one bits.
#[inline]
#[must_use]
pub fn count_ones<B: Base>(a: &[B]) -> u32 {
    a.iter().map(|limb| limb.count_ones()).sum()
}

/// Number of zero bits below the lowest one; `M * BITS` for zero.
#[inline]
#[must_use]
pub fn trailing_zeros<B: Base>(a: &[B]) -> u32 {
    let zeros = a.iter().take_while(|&&limb| limb == B::ZERO).count();
    zeros as u32 * B::BITS + a.get(zeros).map_or(0, |limb| limb.trailing_zeros())
}

/// Slices of more limbs are cleared by `fill`.
const SHORT: usize = 8;

/// `out = 0`. `fill` is a call, which stores a few limbs as a vector under a mask: AMD's Zen 4 then waits before one
/// of them is read.
#[inline(always)]
pub(super) fn clear<B: Base>(out: &mut [B]) {
    if out.len() > SHORT {
        return out.fill(B::ZERO);
    }
    // The compiler would make the same call of a loop that it knows to store zeros.
    let zero = black_box(B::ZERO);
    for limb in out {
        *limb = zero;
    }
}

/// Limbs that [`significant_len`] looks at without a branch.
const STRIDE: usize = 8;

/// The number of [`significant`] limbs, faster than that where lengths vary: no branch depends on the last few.
///
/// ```
/// assert_eq!(limbforge_limb::slice::bits::significant_len(&[7_u64, 0, 5, 0]), 3);
/// ```
#[inline]
#[must_use]
pub fn significant_len<B: Base>(a: &[B]) -> usize {
    let mut used = a;
    while let Some((below, top)) = used.split_last_chunk::<STRIDE>() {
        if top.iter().fold(B::ZERO, |bits, &limb| bits | limb) != B::ZERO {
            return below.len() + last(top);
        }
        used = below;
    }
    last(used)
}

/// The place after the last limb that is not zero.
#[inline(always)]
fn last<B: Base>(a: &[B]) -> usize {
    a.iter().enumerate().fold(0, |len, (i, &limb)| select_unpredictable(limb != B::ZERO, i + 1, len))
}

/// The limbs up to the highest one that is not zero.
#[inline]
#[must_use]
pub fn significant<B: Base>(a: &[B]) -> &[B] {
    // Four limbs at a time: a short operand of a wide type has many zeros.
    let mut used = a;
    while let Some((below, top)) = used.split_last_chunk::<4>()
        && top.iter().fold(B::ZERO, |bits, &limb| bits | limb) == B::ZERO
    {
        used = below;
    }
    let len = used.iter().rposition(|&limb| limb != B::ZERO).map_or(0, |top| top + 1);
    &used[..len]
}
