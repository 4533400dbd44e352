//! Building expressions with Rust's operators.

use core::fmt;
use core::mem;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};
use std::sync::Arc;

use num_bigint::{BigInt, Sign};

use super::{Amount, Dag, Op, amount};
use crate::invariant::broken_invariant;

/// An expression: a node of a directed acyclic graph, shared where it is used more than once.
///
/// Cloning is cheap. Equal subexpressions are computed once, whether they were shared or written twice.
///
/// ```
/// use limbforge_algos::expr::Expr;
/// let (a, b) = (Expr::input("a"), Expr::input("b"));
/// let poly = (a.sqr() + &b) * (b.sqr() + &b) + a * b;
/// assert_eq!(poly.to_dag(), Expr::parse("(a*a + b)*(b*b + b) + a*b")?.to_dag());
/// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
/// ```
#[derive(Clone)]
pub struct Expr(pub(super) Arc<Node>);

pub(super) struct Node {
    pub(super) op: Op,
    pub(super) args: Vec<Expr>,
}

impl Drop for Node {
    /// Takes a long chain apart link by link; the derived drop would recurse once per link.
    fn drop(&mut self) {
        let mut pending = mem::take(&mut self.args);
        while let Some(Expr(node)) = pending.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                pending.append(&mut node.args);
            }
        }
    }
}

impl Expr {
    pub(super) fn new(op: Op, args: Vec<Self>) -> Self {
        if args.len() != op.arity() {
            broken_invariant("an operation has as many operands as it takes");
        }
        let (op, args) = amount::fold(op, args);
        Self(Arc::new(Node { op, args }))
    }

    /// An operation on these operands. An [`Amount`] or a shift by a constant is folded into it.
    ///
    /// # Panics
    ///
    /// If they are not [`Op::arity`] many.
    #[must_use]
    pub fn operation(op: Op, args: Vec<Self>) -> Self {
        assert_eq!(args.len(), op.arity(), "operands of {op}");
        Self::new(op, args)
    }

    /// The operand of this name. A name that the parser can read starts with a letter or `_` and goes on with
    /// letters, digits and `_`.
    #[must_use]
    pub fn input(name: &str) -> Self {
        Self::new(Op::Input(name.into()), vec![])
    }

    /// A constant. It must fit the type that the expression is evaluated in
    /// ([`TypeError`](super::TypeError)), from `-2^(N-1)` to `2^(N-1) - 1` in a signed type. A negative one
    /// is its absolute value negated, and so fits an unsigned type too, modulo `2^N`.
    ///
    /// ```
    /// # use limbforge_algos::expr::Expr;
    /// let below = Expr::input("a").cmp_lt(&Expr::literal(-128));
    /// assert_eq!(below.to_dag(), Expr::parse("a < -128")?.to_dag());
    /// assert!(below.to_dag().result_type("i8".parse().unwrap()).is_ok());
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    #[must_use]
    pub fn literal(value: impl Into<BigInt>) -> Self {
        let (sign, magnitude) = value.into().into_parts();
        let magnitude = Self::new(Op::Literal(magnitude), vec![]);
        if sign == Sign::Minus { -magnitude } else { magnitude }
    }

    /// The graph of this expression, in order of computation, with equal subexpressions merged.
    #[must_use]
    pub fn to_dag(&self) -> Dag {
        Dag::new(self)
    }
}

macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) = $op:expr;)*) => {
        impl Expr {$(
            $(#[$doc])*
            #[must_use]
            pub fn $name(&self $(, $arg: &Self)*) -> Self {
                Self::new($op, vec![self.clone() $(, $arg.clone())*])
            }
        )*}
    };
}

methods! {
    /// `self * self`.
    sqr() = Op::Sqr;
    /// `floor(self * other / 2^N)`.
    mul_high(other) = Op::MulHigh;
    /// The exact product, of 2N bits: may only be the whole expression.
    mul_wide(other) = Op::MulWide;
    /// The exact square, of 2N bits: may only be the whole expression.
    sqr_wide() = Op::SqrWide;
    /// The quotient of the division whose remainder is not negative.
    div_euclid(other) = Op::DivEuclid;
    /// The remainder that is not negative, below `|other|`.
    rem_euclid(other) = Op::RemEuclid;
    /// The quotient, where no remainder is left; other instances fail.
    div_exact(other) = Op::DivExact;
    /// 1 where `self` is a multiple of `other`, else 0.
    divisible(other) = Op::Divisible;
    /// The greatest common divisor of the absolute values.
    gcd(other) = Op::Gcd;
    /// The least common multiple of the absolute values.
    lcm(other) = Op::Lcm;
    /// The inverse modulo `|modulus|`, if there is one.
    modinv(modulus) = Op::ModInv;
    /// The power modulo `|modulus|`.
    powmod(exponent, modulus) = Op::PowMod;
    /// The square root rounded down; of negative numbers there is none.
    isqrt() = Op::Isqrt;
    /// The bits rotated to the left by `n mod N`.
    rotl(n) = Op::Rotl(Amount::Operand);
    /// The bits rotated to the right by `n mod N`.
    rotr(n) = Op::Rotr(Amount::Operand);
    /// How many bits are ones.
    popcount() = Op::Popcount;
    /// How many bits are zeros above the highest one; N for 0.
    clz() = Op::Clz;
    /// How many bits are zeros below the lowest one; N for 0.
    ctz() = Op::Ctz;
    /// The `length` bits from bit `start` on: `floor(self / 2^start) mod 2^length`.
    extract(start, length) = Op::Extract { start: Amount::Operand, length: Amount::Operand };
    /// `self` with the lowest `length` bits of `value` in its bits from `start` on.
    insert(value, start, length) = Op::Insert { start: Amount::Operand, length: Amount::Operand };
    /// Ones in the lowest `self` bits; in the highest `-self` if that is negative.
    mask() = Op::Mask(Amount::Operand);
    /// Ones in the highest `self` bits; in the lowest `-self` if that is negative.
    mask_high() = Op::MaskHigh(Amount::Operand);
    /// `self + other` modulo `|modulus|`, of the exact sum.
    addmod(other, modulus) = Op::AddMod;
    /// `self - other` modulo `|modulus|`, of the exact difference.
    submod(other, modulus) = Op::SubMod;
    /// `self * other` modulo `|modulus|`, of the exact product.
    mulmod(other, modulus) = Op::MulMod;
    /// `floor((self 2^N + low) / divisor)` of unsigned numbers, where `self < divisor`.
    div_wide(low, divisor) = Op::DivWide;
    /// `(self 2^N + low) mod divisor` of unsigned numbers.
    rem_wide(low, divisor) = Op::RemWide;
    /// Montgomery's form `self 2^N` modulo an odd number, unsigned.
    to_mont(modulus) = Op::ToMont;
    /// The number whose Montgomery form is `self`: `self / 2^N` modulo an odd number, unsigned.
    from_mont(modulus) = Op::FromMont;
    /// Montgomery's product `self other / 2^N` modulo an odd number, unsigned.
    mont_mul(other, modulus) = Op::MontMul;
    /// Montgomery's reduction `(self 2^N + low) / 2^N` modulo an odd number, unsigned.
    mont_reduce(low, modulus) = Op::MontReduce;
    /// The inverse modulo `2^N`; even numbers have none.
    modinv2k() = Op::ModInv2k;
    /// x of `x self + y other = gcd(self, other)`, mod `2^N`: the smallest.
    xgcd_x(other) = Op::XgcdX;
    /// y of `x self + y other = gcd(self, other)`, mod `2^N`: the smallest.
    xgcd_y(other) = Op::XgcdY;
    /// The Jacobi symbol of `self` modulo `|n|`; even n have none.
    jacobi(n) = Op::Jacobi;
    /// The root of this degree, rounded down.
    root(degree) = Op::Root;
    /// What the square of the square root leaves of `self`.
    isqrt_rem() = Op::IsqrtRem;
    /// 1 where `self` is a square, else 0.
    is_square() = Op::IsSquare;
    /// 1 where `self` is a square or a higher power, else 0.
    is_perfect_power() = Op::IsPerfectPower;
    /// 1 where `self` is prime, else 0; above 2^64 a probable prime ([`primality`](mod@crate::integer::primality)).
    is_prime() = Op::IsPrime;
    /// 1 where `self` is a strong probable prime to the base, else 0.
    is_strong_probable_prime(base) = Op::IsStrongProbablePrime;
    /// The smaller of the two.
    min(other) = Op::Min;
    /// The larger of the two.
    max(other) = Op::Max;
    /// 1 where `self == other`, else 0.
    cmp_eq(other) = Op::Eq;
    /// 1 where `self != other`, else 0.
    cmp_ne(other) = Op::Ne;
    /// 1 where `self < other`, else 0.
    cmp_lt(other) = Op::Lt;
    /// 1 where `self <= other`, else 0.
    cmp_le(other) = Op::Le;
    /// `then` where `self` is not zero, else `otherwise`.
    select(then, otherwise) = Op::Select;
}

impl Expr {
    /// 1 where `self > other`, else 0.
    #[must_use]
    pub fn cmp_gt(&self, other: &Self) -> Self {
        other.cmp_lt(self)
    }

    /// 1 where `self >= other`, else 0.
    #[must_use]
    pub fn cmp_ge(&self, other: &Self) -> Self {
        other.cmp_le(self)
    }
}

macro_rules! binary_operators {
    ($($trait:ident::$method:ident => $op:expr;)*) => {$(
        impl $trait<Expr> for Expr {
            type Output = Expr;
            fn $method(self, rhs: Expr) -> Expr {
                Expr::new($op, vec![self, rhs])
            }
        }
        impl $trait<&Expr> for Expr {
            type Output = Expr;
            fn $method(self, rhs: &Expr) -> Expr {
                Expr::new($op, vec![self, rhs.clone()])
            }
        }
        impl $trait<Expr> for &Expr {
            type Output = Expr;
            fn $method(self, rhs: Expr) -> Expr {
                Expr::new($op, vec![self.clone(), rhs])
            }
        }
        impl $trait<&Expr> for &Expr {
            type Output = Expr;
            fn $method(self, rhs: &Expr) -> Expr {
                Expr::new($op, vec![self.clone(), rhs.clone()])
            }
        }
        impl $trait<u64> for Expr {
            type Output = Expr;
            fn $method(self, rhs: u64) -> Expr {
                Expr::new($op, vec![self, rhs.into()])
            }
        }
        impl $trait<u64> for &Expr {
            type Output = Expr;
            fn $method(self, rhs: u64) -> Expr {
                Expr::new($op, vec![self.clone(), rhs.into()])
            }
        }
    )*};
}

binary_operators! {
    Add::add => Op::Add;
    Sub::sub => Op::Sub;
    Mul::mul => Op::Mul;
    Div::div => Op::Div;
    Rem::rem => Op::Rem;
    BitAnd::bitand => Op::And;
    BitOr::bitor => Op::Or;
    BitXor::bitxor => Op::Xor;
}

macro_rules! shifts {
    ($($trait:ident::$method:ident => $op:expr;)*) => {$(
        impl $trait<Expr> for Expr {
            type Output = Expr;
            fn $method(self, n: Expr) -> Expr {
                Expr::new($op, vec![self, n])
            }
        }
        impl $trait<&Expr> for &Expr {
            type Output = Expr;
            fn $method(self, n: &Expr) -> Expr {
                Expr::new($op, vec![self.clone(), n.clone()])
            }
        }
    )*};
}

shifts! {
    Shl::shl => Op::ShlBy;
    Shr::shr => Op::ShrBy;
}

macro_rules! unary_operators {
    ($($trait:ident::$method:ident($($arg:ident: $type:ty)?) => $op:expr;)*) => {$(
        impl $trait$(<$type>)? for Expr {
            type Output = Expr;
            fn $method(self $(, $arg: $type)?) -> Expr {
                Expr::new($op, vec![self])
            }
        }
        impl $trait$(<$type>)? for &Expr {
            type Output = Expr;
            fn $method(self $(, $arg: $type)?) -> Expr {
                Expr::new($op, vec![self.clone()])
            }
        }
    )*};
}

unary_operators! {
    Neg::neg() => Op::Neg;
    Not::not() => Op::Not;
    Shl::shl(bits: u32) => Op::Shl(bits);
    Shr::shr(bits: u32) => Op::Shr(bits);
}

impl From<u64> for Expr {
    fn from(value: u64) -> Self {
        Self::literal(value)
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expr({})", self.to_dag())
    }
}
