//! Moduli with their precomputed constants.
//!
//! | | any modulus | odd moduli |
//! | --- | --- | --- |
//! | on numbers, [`Uint`](limbforge_limb::Uint) | [`Modulus`] | [`OddModulus`], with [`Residue`]s |
//! | on limb slices, in the caller's memory | [`Barrett`], with a reciprocal | [`Montgomery`], with his constants |
//!
//! The contexts of slices keep machine words, to which other limbs are repacked. Residues are in `0..m`;
//! other numbers give meaningless residues, but do no harm. Residues and results have M limbs, as the modulus
//! has; the functions panic on other lengths. Not constant time.

/// Operations on numbers, each with an example: those of the context on the limbs of its residues.
macro_rules! operations {
    ($Number:ty: $(
        $(#[$doc:meta])*
        $name:ident($($a:ident),+) = |$context:ident, $out:ident, $scratch:ident| $run:expr, $example:literal;
    )*) => {$(
        $(#[$doc])*
        #[doc = example!($example)]
        #[must_use]
        pub fn $name(&self, $($a: &$Number),+) -> $Number {
            self.run([$($a),+], |$context, $out, [$($a),+], $scratch| $run)
        }
    )*};
}

pub(crate) mod constants;
mod halve;
mod number;
mod odd_number;
mod power;
mod ring;
mod slices;

pub use number::Modulus;
pub use odd_number::{OddModulus, Residue};
pub use slices::{Barrett, Montgomery};

/// The modulus of [`OddModulus`], or the lower number n of a Jacobi symbol `(a / n)`, is even, as 0 is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the modulus is even: expected an odd one")]
pub struct EvenModulus;
