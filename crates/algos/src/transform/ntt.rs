//! Number-theoretic transforms on the CPU, over any prime field.
//!
//! Forward, `X_j = sum of x_i w^(ij)` with w of order n: the values of a polynomial at the powers of w, so
//! that pointwise products are cyclic convolutions. Negacyclic, `X_j = sum of x_i psi^(i(2j + 1))` with
//! `psi^2 = w`: the values at the odd powers of psi, for products modulo `x^n + 1`. w and psi are
//! [`root_of_unity(n)`](limbforge_field::TwoAdicField::root_of_unity) and `root_of_unity(2n)`.
//!
//! An [`NttPlan`] lists the passes without a field. [`Ntt`] executes it in place, [`DynNtt`] over a field
//! that is known at run time. Decimation is in frequency forward and in time backward (Gentleman and Sande
//! 1966; Cooley and Tukey 1965): between the two, values are in [`NttPlan::position`] order, and a product
//! never reorders them.

use limbforge_field::DynField;

use super::context::Fixed;

mod butterfly;
mod dynamic;
mod plan;
mod transform;

pub use plan::{Direction, NttPlan, Pass, Radix, Wrap};
pub use transform::Transform;

/// The transforms over the field F of a type.
pub type Ntt<F> = Transform<Fixed<F>>;

/// The transforms over a field known at run time, with the plans, roots and results of [`Ntt`].
pub type DynNtt = Transform<DynField>;

/// A transform does not exist or cannot run.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NttError {
    /// No plan has this number of points.
    #[error("a transform of {found} points; expected 2^k or 3*2^k points, below 2^48")]
    Points {
        /// The requested points.
        found: usize,
    },
    /// The field is too small, or 3 does not divide p - 1.
    #[error(
        "no root of unity of order {order} modulo {modulus}, whose adicity is {adicity}; expected an order that divides p - 1: \
         use fewer points or another prime"
    )]
    NoRoot {
        /// The required order: n, or 2n for a negacyclic transform.
        order: u64,
        /// p.
        modulus: u64,
        /// n in `p = k * 2^n + 1`.
        adicity: u32,
    },
    /// The values are not a batch of transforms.
    #[error("{found} values; expected a multiple of {points}, as many on both sides of a convolution")]
    Values {
        /// n, or the values on the other side.
        points: usize,
        /// The values given.
        found: usize,
    },
    /// Residues do not fit the words.
    #[error("residues modulo {modulus} in words of {bits} bits; expected words of 64 bits")]
    WordTooNarrow {
        /// p.
        modulus: u64,
        /// Bits of the words given.
        bits: u32,
    },
    /// A word is not a residue.
    #[error("value {at} is {found}; expected a residue below {modulus}")]
    Residue {
        /// Its index in the batch, from 0.
        at: usize,
        /// The word.
        found: u64,
        /// p.
        modulus: u64,
    },
}
