//! The reasons why there is no plan, or why a modulus has another algorithm.

use num_bigint::BigUint;

use super::{LARGEST_BITS, LEAST_BITS};

/// There is no plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The width is out of range.
    #[error(
        "no residue number system of {found} bits: expected {LEAST_BITS} to {LARGEST_BITS}; use \
         powmod instead"
    )]
    Width {
        /// The width that was asked for.
        found: u32,
    },
    /// The modulus of all instances is refused.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// A modulus that a plan does not serve: its powers take another algorithm,
/// [`powmod`](mod@crate::integer::powmod).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The modulus is zero.
    #[error("no residues modulo 0")]
    Zero,
    /// The modulus has more bits than the plan.
    #[error("the modulus has {found} bits, but the plan has {bits}: make a plan of that width")]
    Wide {
        /// The plan's width.
        bits: u32,
        /// Bits of the modulus.
        found: u64,
    },
    /// A prime of base 1 divides the modulus, so that it has no inverse modulo that prime.
    #[error("the modulus is a multiple of {prime}, a prime of the plan's base: use powmod instead")]
    SharedFactor {
        /// The first prime of base 1 that divides the modulus.
        prime: u32,
    },
    /// The plan is made for one other modulus.
    #[error("the plan serves one modulus, which is not this one: make a plan for it")]
    Other,
    /// The plan has no room for products that are doubled or less a number, or for products of sums.
    #[error("the plan has the products of powers only: make one by Plan::for_tests or Plan::for_sequences")]
    NoSlack,
    /// A sequence is given other numbers than it takes.
    #[error("the sequence takes {expected} numbers, but is given {found}")]
    Numbers {
        /// Those that it takes.
        expected: usize,
        /// Those that it is given.
        found: usize,
    },
    /// A number of a sequence is too wide.
    #[error("a number has {found} bits, but the plan has {bits}: reduce it, or make a plan of that width")]
    Number {
        /// The plan's width.
        bits: u32,
        /// Bits of the number.
        found: u64,
    },
}

impl Refused {
    /// Checks the range of a modulus.
    pub(crate) fn check_range(modulus: &BigUint, bits: u32) -> Result<(), Self> {
        match modulus.bits() {
            0 => Err(Self::Zero),
            found if found > bits.into() => Err(Self::Wide { bits, found }),
            _ => Ok(()),
        }
    }
}

/// A number has more bits than the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the base has {found} bits, but the plan has {bits}: reduce it, or make a plan of that width")]
pub struct TooWide {
    /// The plan's width.
    pub bits: u32,
    /// Bits of the number.
    pub found: u64,
}

/// An inequality that a system of residues does not satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unproved {
    /// P is too small: a product modulo N may exceed lambda N.
    #[error("the product of base 1 is too small")]
    FirstBase,
    /// Q is too small or k too large: the estimate of alpha may be wrong.
    #[error("the estimate of alpha may differ from alpha")]
    Alpha,
    /// A value of a step may have more bits than its word.
    #[error("{0} may not fit its word")]
    Word(&'static str),
}
