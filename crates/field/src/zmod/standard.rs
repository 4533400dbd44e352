//! The traits of `std` that are not derived, except operators.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use super::Zmod;
use crate::field::PrimeField;
use crate::modulus::PrimeModulus;
use crate::text::{ParseElementError, parse_residue};

impl<P: PrimeModulus> PartialOrd for Zmod<P> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The order of the residues in `0..p`. No operation respects it.
impl<P: PrimeModulus> Ord for Zmod<P> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.value().cmp(&other.value())
    }
}

impl<P: PrimeModulus> Hash for Zmod<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value().hash(state);
    }
}

impl<P: PrimeModulus> Default for Zmod<P> {
    /// 0.
    #[inline(always)]
    fn default() -> Self {
        num_traits::zero()
    }
}

macro_rules! forward_format {
    ($($Trait:ident)*) => {$(
        /// The residue in `0..p`.
        impl<P: PrimeModulus> fmt::$Trait for Zmod<P> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::$Trait::fmt(&self.value(), f)
            }
        }
    )*};
}

forward_format!(Debug Display LowerHex);

impl<P: PrimeModulus> FromStr for Zmod<P> {
    type Err = ParseElementError;

    /// Parses a residue in `0..p`, in decimal, or in hexadecimal after `0x`.
    fn from_str(text: &str) -> Result<Self, ParseElementError> {
        parse_residue(text, P::MODULUS).map(Self::new)
    }
}

macro_rules! from_integer {
    ($($unsigned:ty, $signed:ty;)*) => {$(
        impl<P: PrimeModulus> From<$unsigned> for Zmod<P> {
            /// The integer mod p.
            #[inline]
            fn from(value: $unsigned) -> Self {
                Self::new(value.into())
            }
        }

        impl<P: PrimeModulus> From<$signed> for Zmod<P> {
            /// The integer mod p.
            #[inline]
            fn from(value: $signed) -> Self {
                let magnitude = Self::from(value.unsigned_abs());
                if value < 0 { -magnitude } else { magnitude }
            }
        }
    )*};
}

from_integer! {
    u32, i32;
    u64, i64;
}
