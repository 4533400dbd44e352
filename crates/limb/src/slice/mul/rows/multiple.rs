//! Sums and differences with a multiple of another number.

use crate::base::Base;
use crate::wide::Wide;

/// `acc += digit * b mod B^n`, for slices of one length n; returns the limb above.
///
/// ```
/// use limbforge_limb::slice::mul::rows::multiple::add;
/// let mut acc = [u64::MAX, 7];
/// assert_eq!((add(&mut acc, &[1, 3], 2), acc), (0, [1, 14]));
/// ```
///
/// # Panics
/// If the lengths differ.
#[inline]
pub fn add<B: Base>(acc: &mut [B], b: &[B], digit: B) -> B {
    combine::<B, false>(acc, b, digit)
}

/// [`add`] in Rust and inlined: for few limbs a call of assembly would take longer.
///
/// ```
/// use limbforge_limb::slice::mul::rows::multiple::add_inline;
/// let mut acc = [u64::MAX];
/// assert_eq!((add_inline(&mut acc, &[3], 2), acc), (1, [5]));
/// ```
///
/// # Panics
/// If the lengths differ.
#[inline(always)]
pub fn add_inline<B: Base>(acc: &mut [B], b: &[B], digit: B) -> B {
    assert_eq!(acc.len(), b.len(), "numbers of one length");
    portable::<B, false>(acc, b, digit)
}

/// `acc -= digit * b mod B^n`, for slices of one length n; returns the limb borrowed.
///
/// ```
/// use limbforge_limb::slice::mul::rows::multiple::sub;
/// let mut acc = [1, 7];
/// assert_eq!((sub(&mut acc, &[1, 3], 2), acc), (0, [u64::MAX, 0]));
/// ```
///
/// # Panics
/// If the lengths differ.
#[inline]
pub fn sub<B: Base>(acc: &mut [B], b: &[B], digit: B) -> B {
    combine::<B, true>(acc, b, digit)
}

#[inline(always)]
fn combine<B: Base, const LESS: bool>(acc: &mut [B], b: &[B], digit: B) -> B {
    assert_eq!(acc.len(), b.len(), "numbers of one length");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if super::are_fast()
        && let (Some(b), Some(&[digit])) = (B::as_words(b), B::as_words(&[digit]))
        && let Some(acc) = B::as_words_mut(acc)
    {
        use super::{adx::multiple, order::order};
        // SAFETY: the processor has the instructions; the lengths are equal.
        #[allow(unsafe_code, reason = "assembly")]
        return B::from_word(unsafe {
            if LESS { multiple::sub(order(), acc, b, digit) } else { multiple::add(order(), acc, b, digit) }
        });
    }
    called::<B, LESS>(acc, b, digit)
}

/// [`portable`], not inlined: beside assembly its registers would be saved for nothing.
#[inline(never)]
fn called<B: Base, const LESS: bool>(acc: &mut [B], b: &[B], digit: B) -> B {
    portable::<B, LESS>(acc, b, digit)
}

/// Limbs at a time: their products are independent, and both carries stay in the processor's flag. Measured best.
const STRIDE: usize = 8;

/// The sum, or the difference, in Rust, for any limb.
#[inline(always)]
pub(super) fn portable<B: Base, const LESS: bool>(acc: &mut [B], b: &[B], digit: B) -> B {
    let (acc, acc_above) = acc.as_chunks_mut::<STRIDE>();
    let (b, b_above) = b.as_chunks::<STRIDE>();
    let mut carry = B::ZERO;
    for (acc, b) in acc.iter_mut().zip(b) {
        carry = stride::<B, LESS>(acc, b, digit, carry);
    }
    acc_above.iter_mut().zip(b_above).fold(carry, |carry, (acc, &limb)| {
        // With `~r = B - 1 - r`, `~r + digit * limb` is a multiply-add, whose carry is the borrow.
        let (low, high) = limb.carrying_mul_add(digit, if LESS { !*acc } else { *acc }, carry);
        *acc = if LESS { !low } else { low };
        high
    })
}

/// `acc += digit * b + carry mod B^STRIDE`, or the difference; returns the limb above, or the limb borrowed.
#[inline(always)]
fn stride<B: Base, const LESS: bool>(acc: &mut [B; STRIDE], b: &[B; STRIDE], digit: B, mut carry: B) -> B {
    let products = b.map(|limb| limb.widening_mul(digit));
    let (mut over, mut over_acc) = (false, false);
    for (acc, product) in acc.iter_mut().zip(products) {
        let limb;
        (limb, over) = product.low().carrying_add(carry, over);
        (*acc, over_acc) =
            if LESS { acc.borrowing_sub(limb, over_acc) } else { acc.carrying_add(limb, over_acc) };
        carry = product.high();
    }
    // The product is at most B^STRIDE (B - 1), so there is room for both.
    carry.carrying_add(B::ZERO, over).0.carrying_add(B::ZERO, over_acc).0
}
