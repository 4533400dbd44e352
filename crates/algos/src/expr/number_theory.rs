//! Modular arithmetic, roots and primality: which operations they are.

use super::Op;

impl Op {
    /// Whether it is modular arithmetic, a root or a test of primality.
    #[must_use]
    pub const fn is_number_theory(&self) -> bool {
        matches!(
            self,
            Self::AddMod
                | Self::SubMod
                | Self::MulMod
                | Self::ModInv2k
                | Self::XgcdX
                | Self::XgcdY
                | Self::Jacobi
                | Self::Root
                | Self::IsqrtRem
                | Self::IsSquare
                | Self::IsPerfectPower
                | Self::IsPrime
                | Self::IsStrongProbablePrime
        )
    }

    /// Whether it is a root, other than [`Op::Isqrt`], a test for powers or a test of primality.
    #[must_use]
    pub const fn is_root_or_test(&self) -> bool {
        matches!(
            self,
            Self::Root
                | Self::IsqrtRem
                | Self::IsSquare
                | Self::IsPerfectPower
                | Self::IsPrime
                | Self::IsStrongProbablePrime
        )
    }
}
