//! Reasons why an operation has no result.

/// Why an operation has no result for its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Why {
    /// The divisor is zero.
    DivisionByZero,
    /// The modulus of a power is zero.
    ZeroModulus,
    /// The exponent is negative.
    NegativeExponent,
    /// An exact division leaves a remainder.
    NotDivisible,
    /// The number has no square root.
    Negative,
    /// The number has a common divisor with the modulus.
    NoInverse,
    /// The number is even and has no inverse modulo a power of two.
    EvenNumber,
    /// The lower number of a Jacobi symbol, or the modulus of a number in Montgomery's form, is even.
    EvenModulus,
    /// The quotient of a wide division has more bits than its type.
    LongQuotient,
    /// The degree of a root is not positive.
    NoDegree,
}

impl Why {
    /// A short name for reports that go on: `DIV0`, `INEXACT`, `NEGATIVE`, `NOINVERSE`, `EVEN`, `DEGREE`,
    /// `OVERFLOW`.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::DivisionByZero | Self::ZeroModulus => "DIV0",
            Self::NotDivisible => "INEXACT",
            Self::Negative | Self::NegativeExponent => "NEGATIVE",
            Self::NoInverse => "NOINVERSE",
            Self::EvenNumber | Self::EvenModulus => "EVEN",
            Self::NoDegree => "DEGREE",
            Self::LongQuotient => "OVERFLOW",
        }
    }

    /// Whether only negative operands have it.
    pub(crate) const fn is_of_sign(self) -> bool {
        matches!(self, Self::Negative | Self::NegativeExponent)
    }

    /// Which of so many operands of the operation is to blame, from 0: of a divisor or modulus the last one.
    #[must_use]
    pub const fn operand(self, operands: usize) -> usize {
        match self {
            Self::ZeroModulus | Self::DivisionByZero | Self::EvenModulus => operands.saturating_sub(1),
            Self::NegativeExponent | Self::NoDegree => 1,
            Self::NotDivisible | Self::Negative | Self::NoInverse | Self::EvenNumber | Self::LongQuotient => {
                0
            }
        }
    }
}
