//! Errors of transforms.

use thiserror::Error;

/// Why there is no such transform, or why it cannot run.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NttError {
    /// A number of points that no plan is made for.
    #[error("a transform of {found} points; expected 2^k or 3*2^k points, below 2^48")]
    Points {
        /// The points asked for.
        found: usize,
    },
    /// The field is too small, or 3 does not divide p - 1.
    #[error(
        "no root of unity of order {order} modulo {modulus}, whose adicity is {adicity}; expected an order that divides p - 1: \
         use fewer points or another prime"
    )]
    NoRoot {
        /// The order that is needed: n, or 2n for a negacyclic transform.
        order: u64,
        /// p.
        modulus: u64,
        /// n in `p = k * 2^n + 1`.
        adicity: u32,
    },
    /// Values that are no batch of transforms.
    #[error("{found} values; expected a multiple of {points}, as many on both sides of a convolution")]
    Values {
        /// n, or the values on the other side.
        points: usize,
        /// The values given.
        found: usize,
    },
    /// Words in which residues do not fit.
    #[error("residues modulo {modulus} in words of {bits} bits; expected words of 64 bits")]
    WordTooNarrow {
        /// p.
        modulus: u64,
        /// Bits of the words given.
        bits: u32,
    },
    /// A word that is no residue.
    #[error("value {at} is {found}; expected a residue below {modulus}")]
    Residue {
        /// Its index, counted from 0 over the whole batch.
        at: usize,
        /// The word.
        found: u64,
        /// p.
        modulus: u64,
    },
}
