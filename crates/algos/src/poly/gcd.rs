//! Greatest common divisors: monic, and 0 only for two polynomials 0.
//!
//! | rung | what it is |
//! | --- | --- |
//! | [`naive`] | a division step at a time (Algorithm 8 of the model's paper) |
//! | [`optimised`] | s steps at a time from the heads, then all of them over blocks of both (Algorithm 10) |
//! | [`extended`] | with the cofactors |
//!
//! [`gcd`] takes the first: a processor's caches hold polynomials of thousands of terms, so that
//! [`optimised`], which is the reference of what runs on a GPU, saves nothing there.

use crate::transform::context::Context;

pub mod extended;
pub mod naive;
pub mod optimised;

/// The monic greatest common divisor, by the faster rung.
#[must_use]
pub fn gcd<C: Context>(field: C, a: &[C::Element], b: &[C::Element]) -> Vec<C::Element> {
    naive::gcd(field, a, b)
}
