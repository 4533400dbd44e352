//! Addition with carries across the threads of a block, mod B^M, with the carry out of each instance.
//!
//! | formulation | carries between threads |
//! | --- | --- |
//! | [`scan`] | a log-step scan of packed (overflow, all ones) states: the paper's, the reference |
//! | [`ballot`] | two ballots and one integer addition per warp: what the kernels run |
//! | [`deferred`] | none: counted, and resolved once at the end of a chain of additions |
//!
//! All three in three steps (Oancea and Watt, "GPU Implementations for Midsize Integer Addition and
//! Multiplication", section 2): every thread adds its limbs and says whether the sum overflowed and whether
//! it is all ones, so that it would pass a carry on; the carries into the threads follow from these two bits;
//! every thread adds its carry. Subtraction is the same with borrows, which all zeros pass on
//! ([`CarryRule`]).

use limbforge_limb::Base;

use crate::block::{LengthError, map_batch};

pub mod ballot;
pub mod deferred;
pub mod scan;

/// The difference between addition and subtraction.
pub trait CarryRule {
    /// `a + b + carry` or `a - b - carry`, and what it carries on.
    fn step<B: Base>(a: B, b: B, carry: bool) -> (B, bool);

    /// The limb that passes a carry on: B - 1 in a sum, 0 in a difference.
    fn passing<B: Base>() -> B;

    /// A thread's carry chain: Q limbs with a carry in, to Q limbs and the carry out.
    fn chain<B: Base, const Q: usize>(a: &[B; Q], b: &[B; Q], mut carry: bool) -> ([B; Q], bool) {
        let limbs = core::array::from_fn(|q| {
            let limb;
            (limb, carry) = Self::step(a[q], b[q], carry);
            limb
        });
        (limbs, carry)
    }
}

/// The rule of addition.
#[derive(Clone, Copy, Debug)]
pub struct Carry;

/// The rule of subtraction.
#[derive(Clone, Copy, Debug)]
pub struct Borrow;

impl CarryRule for Carry {
    fn step<B: Base>(a: B, b: B, carry: bool) -> (B, bool) {
        a.carrying_add(b, carry)
    }

    fn passing<B: Base>() -> B {
        B::HIGHEST
    }
}

impl CarryRule for Borrow {
    fn step<B: Base>(a: B, b: B, carry: bool) -> (B, bool) {
        a.borrowing_sub(b, carry)
    }

    fn passing<B: Base>() -> B {
        B::ZERO
    }
}

/// `a + b mod B^M` and the carry out for each of `n` instances of M limbs, by the [scan](scan::combine).
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn add_scan<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
) -> Result<(Vec<B>, Vec<bool>), LengthError> {
    map_batch::<B, _, 2, M, Q, IPB>(n, [a, b], |block, [a, b]| {
        scan::combine::<Carry, B, M, Q, IPB>(block, &a, &b)
    })
}

/// `a + b mod B^M` and the carry out for each of `n` instances of M limbs, by [ballots](ballot::combine).
///
/// # Errors
/// [`LengthError`] if an operand is not `n * M` limbs.
pub fn add_ballot<B: Base, const M: usize, const Q: usize, const IPB: usize>(
    n: usize,
    a: &[B],
    b: &[B],
) -> Result<(Vec<B>, Vec<bool>), LengthError> {
    map_batch::<B, _, 2, M, Q, IPB>(n, [a, b], |block, [a, b]| {
        ballot::combine::<Carry, B, M, Q, IPB>(block, &a, &b)
    })
}
