//! Polynomials over prime fields.
//!
//! [`Poly`] is a polynomial over a field that its type knows, with operators; [`PolyRing`] computes with
//! slices of coefficients over any field, also one that is known at run time. Coefficients go from low to
//! high. Slices may end with zeros; results never do, and the polynomial 0 has no coefficients.
//!
//! | operation | algorithms |
//! | --- | --- |
//! | [`mul`](PolyRing::mul) | schoolbook, by transforms over the field, by one product of integers |
//! | [`div_rem`](PolyRing::div_rem) | naive (one term of the quotient at a time), by Newton's inverse |
//! | [`gcd`](PolyRing::gcd), [`xgcd`](PolyRing::xgcd) | naive (one division step at a time), with cofactors |
//!
//! The naive algorithms are those of Haque, Moreno Maza and Xie, "A Many-core Machine Model for Designing
//! Algorithms with Minimum Parallelism Overheads" (2014), which [`crate::model`] estimates.

mod div;
mod gcd;
mod kronecker;
mod mul;
mod points;
mod ring;
mod value;

pub use div::Division;
pub use ring::PolyRing;
pub use value::Poly;

/// An operation on polynomials has no result.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolyError {
    /// The divisor is the polynomial 0.
    #[error("division by the zero polynomial; expected a divisor with a nonzero coefficient")]
    ZeroDivisor,
    /// Both operands of an extended gcd are 0.
    #[error("both polynomials are zero; expected one that is not: only then there is a monic common divisor")]
    BothZero,
    /// The numbers of points and of values differ.
    #[error("{points} points and {values} values; expected as many values as points")]
    Values {
        /// Points given.
        points: usize,
        /// Values given.
        values: usize,
    },
    /// Two points of an interpolation are equal.
    #[error("points {first} and {second} are equal; expected different points")]
    RepeatedPoint {
        /// Index of the first one.
        first: usize,
        /// Index of the second one.
        second: usize,
    },
    /// Residues do not fit the digits of an integer.
    #[error("digits of {bits} bits; expected {least} or more, for residues modulo {modulus}")]
    NarrowDigits {
        /// The width given.
        bits: u32,
        /// The least width.
        least: u32,
        /// p.
        modulus: u64,
    },
}
