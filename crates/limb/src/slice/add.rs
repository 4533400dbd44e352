//! Addition with carry.

use crate::base::Base;
use crate::slice::chain::{self, CarryStep};

struct Addition;

impl CarryStep for Addition {
    #[inline(always)]
    fn step<B: Base>(a: B, b: B, carry: bool) -> (B, bool) {
        a.carrying_add(b, carry)
    }
}

/// `out = a + b + carry mod B^M`; returns the carry out.
#[inline]
pub fn add<B: Base>(out: &mut [B], a: &[B], b: &[B], carry: bool) -> bool {
    chain::run::<Addition, B>(out, a, b, carry)
}

/// `acc = acc + b + carry mod B^M` where `b` may be shorter; returns the carry out.
#[inline]
pub fn add_assign<B: Base>(acc: &mut [B], b: &[B], carry: bool) -> bool {
    chain::run_assign::<Addition, B>(acc, b, carry)
}

/// `acc = acc + carry mod B^M`; returns the carry out. Stops at the limb that absorbs the carry.
#[inline]
pub fn increment<B: Base>(acc: &mut [B], carry: bool) -> bool {
    chain::ripple::<Addition, B>(acc, carry)
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
