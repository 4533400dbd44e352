//! Reasons why an operation has no result.

/// One row for each reason: mark, operand to blame, and words with `{}` for the operand.
macro_rules! reasons {
    ($($(#[$doc:meta])* $why:ident $mark:literal $blamed:ident $reason:literal;)*) => {
        /// The reason why an operation has no result for its operands.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Why {
            $($(#[$doc])* $why,)*
        }

        impl Why {
            const fn facts(self) -> (&'static str, Blamed, &'static str) {
                match self {
                    $(Self::$why => ($mark, Blamed::$blamed, $reason),)*
                }
            }

            /// The name of the reason, which no other one has: `EvenNumber`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$why => stringify!($why),)*
                }
            }

            /// The reason of this [`name`](Self::name).
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                [$(Self::$why),*].into_iter().find(|why| why.name() == name)
            }
        }
    };
}

enum Blamed {
    First,
    Second,
    Last,
}

reasons! {
    /// The divisor is zero.
    DivisionByZero "DIV0" Last "division by zero: `{}` is 0";
    /// The modulus is zero.
    ZeroModulus "DIV0" Last "division by zero: `{}` is 0";
    /// The exponent is negative.
    NegativeExponent "NEGATIVE" Second "the exponent `{}` is negative";
    /// An exact division leaves a remainder.
    NotDivisible "INEXACT" First "`{}` is no multiple of its divisor";
    /// The number has no square root.
    Negative "NEGATIVE" First "`{}` is negative and has no square root";
    /// The number has a common divisor with the modulus.
    NoInverse "NOINVERSE" First "`{}` has no inverse: it has a common divisor with the modulus";
    /// The number is even and has no inverse modulo a power of two.
    EvenNumber "EVEN" First "`{}` is even and has no inverse modulo a power of two";
    /// The lower number of a Jacobi symbol, or the modulus of a number in Montgomery form, is even.
    EvenModulus "EVEN" Last "`{}` is even: expected an odd number";
    /// The quotient of a wide division has more bits than its type.
    LongQuotient "OVERFLOW" First
        "`{}` is not below the divisor: the quotient has more bits than its type";
    /// The degree of a root is not positive.
    NoDegree "DEGREE" Second "the degree `{}` of the root is not positive";
    /// A loop of a program needs more rounds than its limit.
    Limit "LIMIT" First "the loop needs more rounds than its limit: `{}` still holds";
    /// A condition that a program requires does not hold.
    Require "REQUIRE" First "`{}` is required and does not hold";
    /// The index lies outside its array.
    Index "INDEX" Second "the index `{}` lies outside its array";
}

impl Why {
    /// A short name for reports that continue after a failure: `DIV0`, `INEXACT`, `NEGATIVE`, `NOINVERSE`,
    /// `EVEN`, `DEGREE`, `OVERFLOW`; of programs also `LIMIT`, `REQUIRE`, `INDEX`.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        self.facts().0
    }

    /// The failure in words.
    pub(crate) fn reason(self, operand: &str) -> String {
        self.facts().2.replace("{}", operand)
    }

    /// Whether only negative operands fail so.
    pub(crate) const fn is_of_sign(self) -> bool {
        matches!(self, Self::Negative | Self::NegativeExponent)
    }

    /// The index of the operand to blame, for an operation with this number of operands.
    #[must_use]
    pub const fn operand(self, operands: usize) -> usize {
        match self.facts().1 {
            Blamed::First => 0,
            Blamed::Second => 1,
            Blamed::Last => operands.saturating_sub(1),
        }
    }
}
