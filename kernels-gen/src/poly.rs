//! Kernels of polynomials over a prime field, in batches of polynomials of equal sizes.
//!
//! | program | kernels |
//! | --- | --- |
//! | [`PolyMulSpec`] | the schoolbook product: one multiplication phase, then steps of the addition phase |
//! | [`PolyNttSpec`] | the product by transforms over the field |
//! | [`PolyDivSpec`] | quotient and remainder: a start, launches of s division steps |
//! | [`PolyNewtonSpec`] | quotient and remainder by Newton's inverse, with transforms over the field |
//! | [`PolyGcdSpec`] | the greatest common divisor: a start, launches of s division steps, a finish |
//!
//! [`PolyShape`] chooses among them for pairs of any lengths. The programs without transforms are those of
//! Haque, Moreno Maza and Xie (2014), for any odd prime below 2^64; `limbforge_algos::model` estimates them
//! by their parameter s. Words have 32 bits for p below 2^32, else 64.

mod batch;
mod builder;
mod div;
mod div_newton;
mod gcd;
mod mul;
mod mul_ntt;
mod shape;

pub use batch::{PolyOperation, PolyShape};
pub use div::PolyDivSpec;
pub use div_newton::PolyNewtonSpec;
pub use gcd::PolyGcdSpec;
pub use mul::PolyMulSpec;
pub use mul_ntt::PolyNttSpec;
pub use shape::{Div, Gcd, Mul, PolySpec, SteppedProgram};

use crate::spec::SpecError;

/// Most terms of a polynomial.
const MOST_TERMS: u32 = 1 << 26;

/// Words of 32 bits of a residue below p.
pub(crate) const fn residue_words(p: u64) -> u32 {
    if p >> 32 == 0 { 1 } else { 2 }
}

/// Checks that a parameter is within its range.
pub(crate) fn check(
    what: &'static str,
    found: u32,
    range: core::ops::RangeInclusive<u32>,
    expected: &'static str,
) -> Result<(), SpecError> {
    if range.contains(&found) { Ok(()) } else { Err(SpecError::Mapping { what, found, expected }) }
}

/// Checks that blocks consist of whole warps.
pub(crate) fn check_threads(threads: u32) -> Result<(), SpecError> {
    check("threads", threads, 32..=1024, "a multiple of 32 up to 1024")?;
    check("threads mod 32", threads % 32, 0..=0, "0: whole warps")
}
