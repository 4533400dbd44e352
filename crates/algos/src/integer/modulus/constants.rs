//! A modulus with the constants of its reduction, in words.

use limbforge_limb::slice::{div::LimbDivisor, mul::rows::montgomery::Short};

use crate::transform::mul_ntt;

/// The residues modulo a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ring {
    /// Without zeros at the top.
    pub(crate) modulus: Vec<u64>,
    /// The residue of 1, of the modulus's length like all residues.
    pub(crate) one: Vec<u64>,
    pub(super) reduction: Reduction,
    /// The constants of Montgomery's products in straight assembly, if there are any for this modulus.
    pub(super) short: Option<Short>,
}

/// The constants of a reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reduction {
    /// Residues are the numbers in `0..m`. A modulus of one word is divided by as such.
    Barrett { reciprocal: Vec<u64>, word: Option<LimbDivisor<u64>> },
    /// Residues are `a R mod m`, `R = 2^(64 n)` for n words, m odd: `-1/m mod 2^64`, `R^2 mod m`, and
    /// `-1/m mod R` where the reduction is by products, modulo `2^512` where it is by rows, else empty.
    /// Products are by `transforms` if there are any; a modulus too long for those has none.
    Montgomery {
        negated: u64,
        square: Vec<u64>,
        negated_long: Vec<u64>,
        transforms: Option<mul_ntt::Reduction>,
    },
}
