//! The carry chain, common to addition and subtraction: `out[i], carry = step(a[i], b[i], carry)` from limb to limb.
//!
//! Two things make it fast. Limbs are taken as machine words, eight at a time, so that the carry stays in the
//! processor's flag. And long operands run as two chains at once, one from the middle: one chain is bound by the
//! latency of its carry, two independent ones overlap.

use crate::base::Base;

/// Limbs per step.
const CHAIN: usize = 8;

/// From this length on, two chains.
const MIN_LEN_TWO_CHAINS: usize = 4 * CHAIN;

/// What runs along the chain.
pub(super) trait CarryStep {
    /// One limb: (result, carry out).
    fn step<B: Base>(a: B, b: B, carry: bool) -> (B, bool);

    /// Feeds a late carry into finished limbs; returns the carry out.
    fn ripple<B: Base>(acc: &mut [B], carry: bool) -> bool;
}

/// Runs the chain over M limbs; returns the carry out.
#[inline]
pub(super) fn run<S: CarryStep, B: Base>(out: &mut [B], a: &[B], b: &[B], carry: bool) -> bool {
    assert!(out.len() == a.len() && out.len() == b.len(), "operands of one length");
    if out.len() < MIN_LEN_TWO_CHAINS {
        return run_one::<S, B>(out, a, b, carry);
    }
    let middle = out.len() / (2 * CHAIN) * CHAIN;
    let (out_low, out_high) = out.split_at_mut(middle);
    let ((a_low, a_high), (b_low, b_high)) = (a.split_at(middle), b.split_at(middle));
    let (out_high, out_rest) = out_high.split_at_mut(middle);
    let ((a_high, a_rest), (b_high, b_rest)) = (a_high.split_at(middle), b_high.split_at(middle));

    let (mut low_carry, mut high_carry) = (carry, false);
    let low = out_low.as_chunks_mut().0.iter_mut().zip(a_low.as_chunks().0).zip(b_low.as_chunks().0);
    let high = out_high.as_chunks_mut().0.iter_mut().zip(a_high.as_chunks().0).zip(b_high.as_chunks().0);
    for (((o0, a0), b0), ((o1, a1), b1)) in low.zip(high) {
        low_carry = run_chunk::<S, B>(o0, a0, b0, low_carry);
        high_carry = run_chunk::<S, B>(o1, a1, b1, high_carry);
    }
    // At most one is set: a sum that carried out is not all ones, a difference that borrowed is not zero.
    high_carry |= S::ripple(out_high, low_carry);
    run_one::<S, B>(out_rest, a_rest, b_rest, high_carry)
}

#[inline(always)]
fn run_one<S: CarryStep, B: Base>(out: &mut [B], a: &[B], b: &[B], mut carry: bool) -> bool {
    let (out_chunks, out_rest) = out.as_chunks_mut();
    let ((a_chunks, a_rest), (b_chunks, b_rest)) = (a.as_chunks(), b.as_chunks());
    for ((out, a), b) in out_chunks.iter_mut().zip(a_chunks).zip(b_chunks) {
        carry = run_chunk::<S, B>(out, a, b, carry);
    }
    for ((out, &a), &b) in out_rest.iter_mut().zip(a_rest).zip(b_rest) {
        (*out, carry) = run_limb::<S, B>(a, b, carry);
    }
    carry
}

#[inline(always)]
fn run_chunk<S: CarryStep, B: Base>(
    out: &mut [B; CHAIN],
    a: &[B; CHAIN],
    b: &[B; CHAIN],
    mut carry: bool,
) -> bool {
    if B::BITS < u64::BITS {
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

#[inline(always)]
fn join<B: Base>(limbs: &[B]) -> u64 {
    limbs.iter().rev().fold(0, |word, limb| word << (B::BITS % u64::BITS) | limb.low_word())
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
