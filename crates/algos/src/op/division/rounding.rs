//! The directions in which quotients are rounded, and the signs of their remainders.

use limbforge_limb::Base;

use super::super::class::Division;
use super::super::memory::{negate_if, negate_residue_if};

/// The direction in which a quotient that is not exact is rounded.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::op) enum Rounding {
    TowardsZero,
    /// To a remainder that is not negative.
    Euclidean,
    /// To a remainder with the sign of the divisor.
    Down,
}

impl Rounding {
    pub(in crate::op) const fn of(op: Division) -> Self {
        match op {
            Division::Div | Division::DivExact | Division::Rem | Division::Divisible => Self::TowardsZero,
            Division::DivEuclid | Division::RemEuclid => Self::Euclidean,
            Division::DivFloor | Division::RemFloor => Self::Down,
        }
    }

    /// Whether the quotient of these signs is rounded away from 0.
    pub(in crate::op) const fn is_away(self, [a_negative, b_negative]: [bool; 2]) -> bool {
        match self {
            Self::TowardsZero => false,
            Self::Euclidean => a_negative,
            Self::Down => a_negative != b_negative,
        }
    }

    /// Turns the remainder of absolute values into that of operands with these signs, the second |b|.
    pub(in crate::op) fn sign<B: Base>(
        self,
        remainder: &mut [B],
        b: &[B],
        [a_negative, b_negative]: [bool; 2],
    ) {
        negate_residue_if(self.is_away([a_negative, b_negative]), remainder, b);
        negate_if(
            match self {
                Self::TowardsZero => a_negative,
                Self::Euclidean => false,
                Self::Down => b_negative,
            },
            remainder,
        );
    }
}
