//! Subtraction with borrow, and negation.

use crate::base::Base;
use crate::slice::chain::{self, CarryStep};

struct Subtraction;

impl CarryStep for Subtraction {
    #[inline(always)]
    fn step<B: Base>(a: B, b: B, borrow: bool) -> (B, bool) {
        a.borrowing_sub(b, borrow)
    }
}

/// `out = a - b - borrow mod B^M`; returns the borrow out.
#[inline]
pub fn sub<B: Base>(out: &mut [B], a: &[B], b: &[B], borrow: bool) -> bool {
    chain::run::<Subtraction, B>(out, a, b, borrow)
}

/// `acc = acc - b - borrow mod B^M` where `b` may be shorter; returns the borrow out.
#[inline]
pub fn sub_assign<B: Base>(acc: &mut [B], b: &[B], borrow: bool) -> bool {
    chain::run_assign::<Subtraction, B>(acc, b, borrow)
}

/// `acc = acc - borrow mod B^M`; returns the borrow out. Stops at the limb that absorbs the borrow.
#[inline]
pub fn decrement<B: Base>(acc: &mut [B], borrow: bool) -> bool {
    chain::ripple::<Subtraction, B>(acc, borrow)
}

/// `out = -a mod B^M`; returns whether `a` was not zero (the borrow of `0 - a`).
#[inline]
pub fn neg<B: Base>(out: &mut [B], a: &[B]) -> bool {
    assert_eq!(out.len(), a.len(), "operands of one length");
    out.iter_mut().zip(a).fold(false, |borrow, (out, &a)| {
        let next;
        (*out, next) = B::ZERO.borrowing_sub(a, borrow);
        next
    })
}

/// `acc = -acc mod B^M`.
#[inline]
pub fn neg_assign<B: Base>(acc: &mut [B]) {
    let mut carry = true;
    for limb in acc {
        (*limb, carry) = (!*limb).carrying_add(B::ZERO, carry);
    }
}

/// `acc = a - acc mod B^M`; returns the borrow out.
#[inline]
pub fn sub_from<B: Base>(acc: &mut [B], a: &[B]) -> bool {
    assert_eq!(acc.len(), a.len(), "operands of one length");
    acc.iter_mut().zip(a).fold(false, |borrow, (acc, &a)| {
        let next;
        (*acc, next) = a.borrowing_sub(*acc, borrow);
        next
    })
}
