//! Expressions over integers: built with operators or parsed from text, evaluated as one unit.

mod amount;
mod build;
mod dag;
mod error;
mod lexer;
mod number_theory;
mod operations;
mod parser;
mod power;
pub mod random;
mod report;
mod suggestions;
mod text;
mod typing;

pub use amount::Amount;
pub use build::Expr;
pub use dag::{Dag, DagNode, NodeId};
pub use error::{ParseErrorKind, ParseExprError, ParseWarning};
pub use operations::{Example, Operation, Outcome, Syntax, operation, operations};
pub use parser::Parsed;
pub use report::Report;
pub use suggestions::suggest_operation;
pub use typing::TypeError;

use num_bigint::BigUint;
use std::sync::Arc;

/// The operation of a node of an expression. All values are integers of one
/// [`IntType`](limbforge_limb::IntType) of N bits, and every result is exact modulo `2^N`; but a wide
/// product, which may only be the result of the whole expression, has 2N bits.
///
/// Where an operation may fail for two reasons, the one that is named first is reported. [`operations`] has
/// an example of every value at an edge, such as `jacobi(1, 0)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Op {
    /// The named operand.
    Input(Arc<str>),
    /// A constant. It must be a number of the type that it is evaluated in ([`TypeError::Literal`]).
    /// `2^(N-1)` of a signed type is one where it is negated, and nowhere else.
    Literal(BigUint),
    /// `-a`.
    Neg,
    /// All N bits flipped.
    Not,
    /// `a * a`, on most paths for less than a product.
    Sqr,
    /// `a * 2^n`. Numbers of bits from 2^32 on are 2^32 - 1 here, which shifts all bits out as they do.
    Shl(u32),
    /// `floor(a / 2^n)`; of a signed number too.
    Shr(u32),
    /// `floor(a * 2^n)` by an operand n; a negative n shifts to the right.
    ShlBy,
    /// `floor(a / 2^n)` by an operand n; a negative n shifts to the left.
    ShrBy,
    /// The N bits of `a`, rotated to the left by `n mod N`.
    Rotl(Amount),
    /// The N bits of `a`, rotated to the right by `n mod N`.
    Rotr(Amount),
    /// The number of ones among the N bits.
    Popcount,
    /// The number of zeros above the highest one; N for 0.
    Clz,
    /// The number of zeros below the lowest one; N for 0.
    Ctz,
    /// `floor(a / 2^start) mod 2^length`: a field of bits. Bits from N on are zeros, or copies of the sign of
    /// a signed number; bits below 0 are zeros. A length of 0 or less is an empty field.
    Extract {
        /// The lowest bit of the field.
        start: Amount,
        /// The number of its bits.
        length: Amount,
    },
    /// `a` with its bits `start .. start + length - 1` replaced by the lowest bits of `b`, as far as they lie
    /// within the N bits. Start and length are exact, however large they are.
    Insert {
        /// The lowest bit of the field.
        start: Amount,
        /// The number of its bits.
        length: Amount,
    },
    /// Ones in the lowest n bits; in the highest -n bits if n is negative. All N from `|n| = N` on.
    Mask(Amount),
    /// Ones in the highest n bits; in the lowest -n bits if n is negative. All N from `|n| = N` on.
    MaskHigh(Amount),
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `floor(a * b / 2^N)` of the exact product; of signed numbers too.
    MulHigh,
    /// The exact product `a * b`, of 2N bits.
    MulWide,
    /// The exact square `a * a`, of 2N bits.
    SqrWide,
    /// `a / b` rounded towards 0; an instance with `b = 0` fails. The one quotient that does not fit, of the
    /// smallest number by -1, wraps to itself.
    Div,
    /// The remainder of [`Op::Div`], with the sign of `a`; an instance with `b = 0` fails.
    Rem,
    /// The quotient whose remainder is [`Op::RemEuclid`]; an instance with `b = 0` fails.
    DivEuclid,
    /// `a mod b` in `0..|b|`; an instance with `b = 0` fails.
    RemEuclid,
    /// `a / b`; an instance fails with `b = 0`, else where a remainder is left.
    DivExact,
    /// 1 if `a` is a multiple of `b`, else 0. The only multiple of 0 is 0.
    Divisible,
    /// The greatest common divisor of `|a|` and `|b|`; that of 0 and 0 is 0.
    Gcd,
    /// The least common multiple of `|a|` and `|b|`, mod `2^N`; 0 if one is 0.
    Lcm,
    /// `floor(sqrt(a))`; an instance with a negative `a` fails.
    Isqrt,
    /// `1/a mod |b|`, in `0..|b|`, so 0 modulo 1; an instance fails with `b = 0`, else where a and b have a
    /// common divisor.
    ModInv,
    /// `a^b mod |c|`, in `0..|c|`, with `0^0 = 1 mod |c|`; an instance fails with a negative `b`, else with
    /// `c = 0`.
    PowMod,
    /// `(a + b) mod |c|` of the exact sum, in `0..|c|`; an instance fails with `c = 0`.
    AddMod,
    /// `(a - b) mod |c|` of the exact difference, in `0..|c|`; an instance fails with `c = 0`.
    SubMod,
    /// `(a * b) mod |c|` of the exact product, in `0..|c|`; an instance fails with `c = 0`.
    MulMod,
    /// `floor((a 2^N + b) / c)`; an instance fails with `c = 0`, else with `a >= c`, where the quotient has
    /// more than N bits. This and the next five take the N bits of their operands as unsigned numbers, in
    /// signed types too.
    DivWide,
    /// `(a 2^N + b) mod c`; an instance fails with `c = 0`.
    RemWide,
    /// `a 2^N mod b`, Montgomery's form of a; an instance with an even `b`, as 0 is, fails.
    ToMont,
    /// `a / 2^N mod b`, the number whose Montgomery form is a; an instance with an even `b`, as 0 is, fails.
    FromMont,
    /// `a b / 2^N mod c`, Montgomery's product; an instance with an even `c`, as 0 is, fails.
    MontMul,
    /// `(a 2^N + b) / 2^N mod c`, Montgomery's reduction; an instance with an even `c`, as 0 is, fails.
    MontReduce,
    /// `1/a mod 2^N`; an instance with an even `a` fails.
    ModInv2k,
    /// x of `x a + y b = gcd(a, b)`, the pair of smallest numbers ([`xgcd`](mod@crate::integer::xgcd)), mod `2^N`.
    XgcdX,
    /// y of the same.
    XgcdY,
    /// The Jacobi symbol `(a / |b|)`: 0, 1, or -1, which is `2^N - 1` in an unsigned type; an instance with
    /// an even `b`, as 0 is, fails.
    Jacobi,
    /// The b-th root of `a`, rounded down; an instance fails with `b <= 0`, else with a negative `a` and an
    /// even `b`.
    Root,
    /// `a - isqrt(a)^2`; an instance with a negative `a` fails.
    IsqrtRem,
    /// 1 if `a` is a square, as 0 is, else 0.
    IsSquare,
    /// 1 if `a` is `x^k` with `k >= 2`, as 0, 1 and -1 are, else 0.
    IsPerfectPower,
    /// 1 if `a` is prime, else 0, as for 1 and less. Exact below `2^64`; above it, no composite number is
    /// known to pass ([`primality`](mod@crate::integer::primality)).
    IsPrime,
    /// 1 if `a` is a strong probable prime to the base `b`, as all primes are, else 0, as for 1 and less. An
    /// odd number above 1 passes to all multiples of itself as bases, 0 among them.
    IsStrongProbablePrime,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// 1 if `a == b`, else 0.
    Eq,
    /// 1 if `a != b`, else 0.
    Ne,
    /// 1 if `a < b`, else 0.
    Lt,
    /// 1 if `a <= b`, else 0.
    Le,
    /// `b` if `a` is not zero, else `c`.
    Select,
}

impl Op {
    /// Number of operands.
    #[must_use]
    pub const fn arity(&self) -> usize {
        match self {
            Self::Input(_) | Self::Literal(_) => 0,
            Self::Neg | Self::Not | Self::Isqrt | Self::Sqr | Self::SqrWide | Self::Shl(_) | Self::Shr(_) => {
                1
            }
            Self::ModInv2k | Self::IsqrtRem | Self::IsSquare | Self::IsPerfectPower | Self::IsPrime => 1,
            Self::AddMod | Self::SubMod | Self::MulMod => 3,
            Self::DivWide | Self::RemWide | Self::MontMul | Self::MontReduce => 3,
            Self::Select | Self::PowMod => 3,
            Self::Popcount | Self::Clz | Self::Ctz => 1,
            Self::Mask(n) | Self::MaskHigh(n) => n.operands(),
            Self::Rotl(n) | Self::Rotr(n) => 1 + n.operands(),
            Self::Extract { start, length } => 1 + start.operands() + length.operands(),
            Self::Insert { start, length } => 2 + start.operands() + length.operands(),
            _ => 2,
        }
    }

    /// Whether it is a product of two values, of any width.
    #[must_use]
    pub const fn is_product(&self) -> bool {
        matches!(self, Self::Mul | Self::Sqr | Self::MulHigh | Self::MulWide | Self::SqrWide)
    }

    /// Whether it divides two values.
    #[must_use]
    pub const fn is_division(&self) -> bool {
        use Op::{Div, DivEuclid, DivExact, Divisible, Rem, RemEuclid};
        matches!(self, Div | Rem | DivEuclid | RemEuclid | DivExact | Divisible)
    }

    /// Whether kernels compute it word by word, an instance in one warp.
    #[must_use]
    pub const fn is_within_warp(&self) -> bool {
        use Op::{AddMod, Gcd, Isqrt, Jacobi, Lcm, ModInv, ModInv2k, MulMod, PowMod, SubMod, XgcdX, XgcdY};
        self.is_division()
            || self.is_of_bits()
            || self.is_root_or_test()
            || matches!(self, Gcd | Lcm | Isqrt | ModInv | PowMod | AddMod | SubMod | MulMod)
            || matches!(self, ModInv2k | XgcdX | XgcdY | Jacobi)
    }

    /// Whether some operands have no result, as a division by zero: such instances fail.
    #[must_use]
    pub const fn may_fail(&self, is_signed: bool) -> bool {
        use Op::{
            AddMod, Div, DivEuclid, DivExact, Isqrt, IsqrtRem, Jacobi, ModInv, ModInv2k, MulMod, PowMod,
        };
        use Op::{Rem, RemEuclid, Root, SubMod};
        match self {
            Div | Rem | DivEuclid | RemEuclid | DivExact | ModInv | PowMod => true,
            AddMod | SubMod | MulMod | ModInv2k | Jacobi | Root => true,
            _ if self.is_of_bits() => true,
            Isqrt | IsqrtRem => is_signed,
            _ => false,
        }
    }

    /// Whether the two operands may be exchanged.
    #[must_use]
    pub const fn is_commutative(&self) -> bool {
        use Op::{Add, And, Eq, Gcd, Lcm, Max, Min, Mul, MulHigh, MulWide, Ne, Or, Xor};
        matches!(self, Add | Mul | MulHigh | MulWide | And | Or | Xor | Min | Max | Eq | Ne | Gcd | Lcm)
    }
}
