//! The carry chain of addition and subtraction: `out[i], carry = step(a[i], b[i], carry)` from limb to limb.
//!
//! Limbs are joined to machine words, a few at a time, so that the carry stays in the processor's flag. Long
//! operands run as two chains, one from the middle, because the latency of the carry bounds one chain.

use crate::{base::Base, slice::words::join, width::packed};

/// Limbs per step of a single chain, four machine words: the carry stays in the flag within a step.
const fn step<B: Base>() -> usize {
    (4 * u64::BITS).div_ceil(B::BITS) as usize
}

/// Limbs per step of each of two chains. Measured best: 16 machine words, or four of narrower limbs.
const fn paired_step<B: Base>() -> usize {
    if B::BITS < u64::BITS { step::<B>() } else { 4 * step::<B>() }
}

/// The operation of a chain.
pub(super) trait CarryStep {
    /// One limb: (result, carry out).
    fn step<B: Base>(a: B, b: B, carry: bool) -> (B, bool);
}

/// Runs the chain in place with `b`, which may be shorter; returns the carry out.
#[inline]
pub(super) fn run_assign<S: CarryStep, B: Base>(acc: &mut [B], b: &[B], mut carry: bool) -> bool {
    let (low, high) = acc.split_at_mut(b.len());
    for (acc, &b) in low.iter_mut().zip(b) {
        (*acc, carry) = S::step(*acc, b, carry);
    }
    ripple::<S, B>(high, carry)
}

/// Propagates a carry into finished limbs, up to the one that absorbs it; returns the carry out.
#[inline]
pub(super) fn ripple<S: CarryStep, B: Base>(acc: &mut [B], carry: bool) -> bool {
    carry
        && acc.iter_mut().all(|limb| {
            let carry_on;
            (*limb, carry_on) = S::step(*limb, B::ZERO, true);
            carry_on
        })
}

/// Runs the chain over M limbs; returns the carry out.
#[inline]
pub(super) fn run<S: CarryStep, B: Base>(out: &mut [B], a: &[B], b: &[B], carry: bool) -> bool {
    const { packed::<B>() };
    assert!(out.len() == a.len() && out.len() == b.len(), "operands of one length");
    let step = paired_step::<B>();
    if out.len() < 4 * step {
        return run_one::<S, B>(out, a, b, carry);
    }
    let middle = out.len() / (2 * step) * step;
    let (out_low, out_high) = out.split_at_mut(middle);
    let ((a_low, a_high), (b_low, b_high)) = (a.split_at(middle), b.split_at(middle));
    let (out_high, out_rest) = out_high.split_at_mut(middle);
    let ((a_high, a_rest), (b_high, b_rest)) = (a_high.split_at(middle), b_high.split_at(middle));

    let (mut low_carry, mut high_carry) = (carry, false);
    let low = out_low.chunks_exact_mut(step).zip(a_low.chunks_exact(step)).zip(b_low.chunks_exact(step));
    let high = out_high.chunks_exact_mut(step).zip(a_high.chunks_exact(step)).zip(b_high.chunks_exact(step));
    for (((out_low, a_low), b_low), ((out_high, a_high), b_high)) in low.zip(high) {
        low_carry = run_step::<S, B>(out_low, a_low, b_low, low_carry);
        high_carry = run_step::<S, B>(out_high, a_high, b_high, high_carry);
    }
    // At most one is set: a sum with a carry out is not all ones, a difference with a borrow is not zero.
    high_carry |= ripple::<S, B>(out_high, low_carry);
    run_one::<S, B>(out_rest, a_rest, b_rest, high_carry)
}

#[inline(always)]
fn run_one<S: CarryStep, B: Base>(out: &mut [B], a: &[B], b: &[B], mut carry: bool) -> bool {
    let whole = out.len() / step::<B>() * step::<B>();
    let ((out, out_rest), (a, a_rest), (b, b_rest)) =
        (out.split_at_mut(whole), a.split_at(whole), b.split_at(whole));
    let steps =
        out.chunks_exact_mut(step::<B>()).zip(a.chunks_exact(step::<B>())).zip(b.chunks_exact(step::<B>()));
    for ((out, a), b) in steps {
        carry = run_step::<S, B>(out, a, b, carry);
    }
    for ((out, &a), &b) in out_rest.iter_mut().zip(a_rest).zip(b_rest) {
        (*out, carry) = run_limb::<S, B>(a, b, carry);
    }
    carry
}

/// Slices of one step each.
#[inline(always)]
fn run_step<S: CarryStep, B: Base>(out: &mut [B], a: &[B], b: &[B], mut carry: bool) -> bool {
    // Limbs that do not fill a word would lose the carry.
    if B::BITS < u64::BITS && u64::BITS.is_multiple_of(B::BITS) {
        let per_word = (u64::BITS / B::BITS) as usize;
        let chunks =
            out.chunks_exact_mut(per_word).zip(a.chunks_exact(per_word)).zip(b.chunks_exact(per_word));
        for ((out, a), b) in chunks {
            let word;
            (word, carry) = S::step(join(a), join(b), carry);
            for (i, out) in out.iter_mut().enumerate() {
                *out = B::from_word(word >> (B::BITS as usize * i));
            }
        }
    } else {
        for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
            (*out, carry) = run_limb::<S, B>(a, b, carry);
        }
    }
    carry
}

/// One limb, word by word if it has several.
#[inline(always)]
fn run_limb<S: CarryStep, B: Base>(a: B, b: B, mut carry: bool) -> (B, bool) {
    if B::BITS <= u64::BITS {
        return S::step(a, b, carry);
    }
    let mut out = B::ZERO;
    for shift in (0..B::BITS as usize).step_by(u64::BITS as usize) {
        let word;
        (word, carry) = S::step((a >> shift).low_word(), (b >> shift).low_word(), carry);
        out = out | B::from_word(word) << shift;
    }
    (out, carry)
}
