//! Addition with carries across the threads of a block, mod B^M, with the carry out of each instance.
//!
//! | formulation | carries between threads |
//! | --- | --- |
//! | [`scan`] | a log-step scan of packed (overflow, all ones) states: the paper's, the reference |
//! | [`ballot`] | two ballots and one integer addition per warp, as in the kernels |
//! | [`deferred`] | none: counted, and resolved once at the end of a chain of additions |
//!
//! All three take three steps (Oancea and Watt, "GPU Implementations for Midsize Integer Addition and
//! Multiplication", section 2). Every thread adds its limbs and finds whether the sum overflowed and whether
//! it is all ones, so that it would pass a carry on. The carries into the threads follow from these two bits.
//! Every thread adds its carry. Subtraction is the same with borrows, which all zeros pass on
//! ([`CarryRule`]).

use limbforge_limb::Base;

use crate::block::batch::batch_functions;

pub mod ballot;
pub mod deferred;
pub mod scan;

/// The difference between addition and subtraction.
pub trait CarryRule {
    /// `a + b + carry` or `a - b - carry`, mod B, and the carry or borrow out.
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

macro_rules! rules {
    ($($(#[$doc:meta])* $Rule:ident: $step:ident, $passing:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Rule;

        impl CarryRule for $Rule {
            fn step<B: Base>(a: B, b: B, carry: bool) -> (B, bool) {
                a.$step(b, carry)
            }

            fn passing<B: Base>() -> B {
                B::$passing
            }
        }
    )+};
}

rules! {
    /// The rule of addition.
    Carry: carrying_add, HIGHEST;
    /// The rule of subtraction.
    Borrow: borrowing_sub, ZERO;
}

batch_functions! {
    /// `a + b mod B^M` and the carry out for each of `n` instances of M limbs, by the [scan].
    add_scan(a, b) -> (Vec<B>, Vec<bool>): map_batch(|block| block.combine_by_scan(Carry, &a, &b));
    /// `a + b mod B^M` and the carry out for each of `n` instances of M limbs, by [ballots](ballot).
    add_ballot(a, b) -> (Vec<B>, Vec<bool>): map_batch(|block| block.combine_by_ballots(Carry, &a, &b));
}
