//! Bit fields: masks, extraction and replacement.

use crate::base::Base;

/// The bits of limb `index` that lie in `from..to`.
#[inline]
fn field_limb<B: Base>(index: usize, from: u32, to: u32) -> B {
    let first = index as u64 * u64::from(B::BITS);
    // Ones in the bits below `end`.
    let below = |end: u32| match u64::from(end).saturating_sub(first) {
        0 => B::ZERO,
        bits if bits >= u64::from(B::BITS) => B::HIGHEST,
        bits => B::HIGHEST >> (B::BITS as usize - bits as usize),
    };
    below(to) & !below(from)
}

/// `out` = ones in the bits `from..to`, zeros elsewhere. Bits beyond the slice are ignored.
#[inline]
pub fn fill<B: Base>(out: &mut [B], from: u32, to: u32) {
    for (index, out) in out.iter_mut().enumerate() {
        *out = field_limb(index, from, to);
    }
}

/// `acc mod 2^n`.
#[inline]
pub fn keep_low<B: Base>(acc: &mut [B], n: u32) {
    let whole = (n / B::BITS) as usize;
    for (index, acc) in acc.iter_mut().enumerate().skip(whole) {
        *acc = *acc & field_limb(index, 0, n);
    }
}

/// Replaces the bits `from..to` of `acc` by those of `b`.
#[inline]
pub fn copy<B: Base>(acc: &mut [B], b: &[B], from: u32, to: u32) {
    assert_eq!(acc.len(), b.len(), "operands of one length");
    for (index, (acc, &b)) in acc.iter_mut().zip(b).enumerate() {
        let field: B = field_limb(index, from, to);
        *acc = *acc & !field | b & field;
    }
}
