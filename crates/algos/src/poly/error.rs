//! Errors of polynomials.

use thiserror::Error;

/// Why there is no result.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolyError {
    /// A division by the polynomial 0.
    #[error("division by the zero polynomial; expected a divisor with a nonzero coefficient")]
    ZeroDivisor,
    /// Both operands of an operation that needs one are 0.
    #[error("both polynomials are zero; expected one that is not: only then there is a monic common divisor")]
    BothZero,
    /// Not as many points as values.
    #[error("{points} points and {values} values; expected as many values as points")]
    Values {
        /// Points given.
        points: usize,
        /// Values given.
        values: usize,
    },
    /// Two equal points of an interpolation.
    #[error("points {first} and {second} are equal; expected different points")]
    RepeatedPoint {
        /// The one, from 0.
        first: usize,
        /// The other.
        second: usize,
    },
    /// Residues that do not fit the digits of an integer.
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
