//! Addition with carry.

use crate::base::Base;
use crate::slice::chain::{self, CarryStep};

struct Addition;

impl CarryStep for Addition {
    #[inline(always)]
    fn step<B: Base>(a: B, b: B, carry: bool) -> (B, bool) {
        a.carrying_add(b, carry)
    }

    #[inline(always)]
    fn ripple<B: Base>(acc: &mut [B], carry: bool) -> bool {
        increment(acc, carry)
    }
}

/// `out = a + b + carry mod B^M`; returns the carry out.
#[inline]
pub fn add<B: Base>(out: &mut [B], a: &[B], b: &[B], carry: bool) -> bool {
    chain::run::<Addition, B>(out, a, b, carry)
}

/// `acc = acc + b + carry mod B^M` where `b` may be shorter; returns the carry out.
#[inline]
pub fn add_assign<B: Base>(acc: &mut [B], b: &[B], mut carry: bool) -> bool {
    let (low, high) = acc.split_at_mut(b.len());
    for (acc, &b) in low.iter_mut().zip(b) {
        (*acc, carry) = acc.carrying_add(b, carry);
    }
    increment(high, carry)
}

/// `acc = acc + carry mod B^M`; returns the carry out. Stops at the limb that absorbs the carry.
#[inline]
pub fn increment<B: Base>(acc: &mut [B], carry: bool) -> bool {
    carry
        && acc.iter_mut().all(|limb| {
            let carry_on;
            (*limb, carry_on) = limb.carrying_add(B::ONE, false);
            carry_on
        })
}

/// `acc = acc * factor + addend mod B^M`; returns the limb above the top.
#[inline]
pub fn mul_add_limb<B: Base>(acc: &mut [B], factor: B, addend: B) -> B {
    acc.iter_mut().fold(addend, |carry, limb| {
        let high;
        (*limb, high) = limb.carrying_mul_add(factor, B::ZERO, carry);
        high
    })
}
