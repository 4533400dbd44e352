//! `rest -= digit * divisor`, the inner loop of the schoolbook division.

use crate::{base::Base, wide::Wide};

/// Limbs that are subtracted at a time: their products are independent, and both carries stay in the
/// processor's flag. Measured best.
const STRIDE: usize = 8;

/// `rest -= digit * divisor mod B^n`; returns the limb borrowed.
#[inline(always)]
pub(super) fn sub_product<B: Base>(rest: &mut [B], divisor: &[B], digit: B) -> B {
    let (rest, rest_above) = rest.as_chunks_mut::<STRIDE>();
    let (divisor, divisor_above) = divisor.as_chunks::<STRIDE>();
    let mut carry = B::ZERO;
    for (rest, divisor) in rest.iter_mut().zip(divisor) {
        carry = sub_stride(rest, divisor, digit, carry);
    }
    // With `~r = B - 1 - r`, `~r + digit * limb` is a multiply-add, whose carry is the borrow.
    rest_above.iter_mut().zip(divisor_above).fold(carry, |carry, (rest, &limb)| {
        let (low, high) = limb.carrying_mul_add(digit, !*rest, carry);
        *rest = !low;
        high
    })
}

/// `rest -= digit * divisor + carry mod B^STRIDE`; returns the limb borrowed.
#[inline(always)]
fn sub_stride<B: Base>(rest: &mut [B; STRIDE], divisor: &[B; STRIDE], digit: B, mut carry: B) -> B {
    let products = divisor.map(|limb| limb.widening_mul(digit));
    let (mut over, mut borrow) = (false, false);
    for (rest, product) in rest.iter_mut().zip(products) {
        let limb;
        (limb, over) = product.low().carrying_add(carry, over);
        (*rest, borrow) = rest.borrowing_sub(limb, borrow);
        carry = product.high();
    }
    // The product is at most B^STRIDE (B - 1), so there is room for both.
    let (carry, _) = carry.carrying_add(B::ZERO, over);
    carry.carrying_add(B::ZERO, borrow).0
}
