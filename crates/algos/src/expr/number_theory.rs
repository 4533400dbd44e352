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

    /// Whether it divides a number of two operands or is arithmetic in Montgomery's form: with R = 2^N, on
    /// the N bits of operands as unsigned numbers.
    #[must_use]
    pub const fn is_of_bits(&self) -> bool {
        self.is_wide_division()
            || matches!(self, Self::ToMont | Self::FromMont | Self::MontMul | Self::MontReduce)
    }

    /// Whether it divides a number of two operands.
    #[must_use]
    pub const fn is_wide_division(&self) -> bool {
        matches!(self, Self::DivWide | Self::RemWide)
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
