//! Sums with a multiple of another number.

use crate::base::Base;

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
    assert_eq!(acc.len(), b.len(), "numbers of one length");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if super::are_fast()
        && let (Some(b), Some(&[digit])) = (B::as_words(b), B::as_words(&[digit]))
        && let Some(acc) = B::as_words_mut(acc)
    {
        // SAFETY: the processor has the instructions; the lengths are equal.
        #[allow(unsafe_code, reason = "assembly")]
        return B::from_word(unsafe { super::adx::multiple::add(acc, b, digit) });
    }
    portable(acc, b, digit)
}

/// Limbs added at a time: their products are independent, and both carries stay in the processor's flag.
const STRIDE: usize = 8;

/// The sum in Rust, for any limb.
pub(super) fn portable<B: Base>(acc: &mut [B], b: &[B], digit: B) -> B {
    let (acc, acc_above) = acc.as_chunks_mut::<STRIDE>();
    let (b, b_above) = b.as_chunks::<STRIDE>();
    let mut carry = B::ZERO;
    for (acc, b) in acc.iter_mut().zip(b) {
        carry = add_stride(acc, b, digit, carry);
    }
    acc_above.iter_mut().zip(b_above).fold(carry, |carry, (acc, &limb)| {
        let high;
        (*acc, high) = limb.carrying_mul_add(digit, *acc, carry);
        high
    })
}

/// `acc += digit * b + carry mod B^STRIDE`; returns the limb above.
#[inline(always)]
fn add_stride<B: Base>(acc: &mut [B; STRIDE], b: &[B; STRIDE], digit: B, mut carry: B) -> B {
    use crate::wide::Wide;
    let products = b.map(|limb| limb.widening_mul(digit));
    let (mut over, mut over_acc) = (false, false);
    for (acc, product) in acc.iter_mut().zip(products) {
        let limb;
        (limb, over) = product.low().carrying_add(carry, over);
        (*acc, over_acc) = acc.carrying_add(limb, over_acc);
        carry = product.high();
    }
    // The product and the sum are below B^(STRIDE + 1), so there is room for both.
    let (carry, _) = carry.carrying_add(B::ZERO, over);
    carry.carrying_add(B::ZERO, over_acc).0
}
