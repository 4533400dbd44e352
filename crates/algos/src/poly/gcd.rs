//! Greatest common divisors: monic, and 0 only for two polynomials 0.
//!
//! | rung | what it is |
//! | --- | --- |
//! | [`naive`] | a division step at a time (Algorithm 8 of the model's paper) |
//! | [`optimised`] | s steps at a time from the heads, then all of them over blocks of both (Algorithm 10) |
//! | [`extended`] | with the cofactors |
//!
//! [`gcd`] chooses among the first two.

use crate::context::Context;

use super::linear::trimmed;

pub mod extended;
pub mod naive;
pub mod optimised;

/// Terms of the shorter polynomial from which on [`optimised`] is faster than [`naive`].
const OPTIMISED: usize = 1024;

/// Steps at a time.
const STEPS: usize = 64;

/// The monic greatest common divisor, by the fastest rung.
#[must_use]
pub fn gcd<C: Context>(field: C, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
    if trimmed(field, a).len().min(trimmed(field, b).len()) < OPTIMISED {
        naive::gcd(field, a, b)
    } else {
        optimised::gcd(field, a, b, STEPS)
    }
}
