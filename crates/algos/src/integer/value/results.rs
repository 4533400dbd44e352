//! The results of the methods that have types of their own.

use crate::integer::root::ZeroDegree;

/// A greatest common divisor with the smallest coefficients: `x a + y b = gcd`
/// ([`xgcd`](mod@crate::integer::xgcd)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Xgcd<T, S> {
    /// The greatest common divisor; that of 0 and 0 is 0.
    pub gcd: T,
    /// The coefficient of the first number.
    pub x: S,
    /// The coefficient of the second number.
    pub y: S,
}

/// Why a number has no root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RootError {
    /// The degree is 0.
    #[error(transparent)]
    Degree(#[from] ZeroDegree),
    /// An even root of a negative number.
    #[error("a negative number has no even root: expected a number of 0 or more, or an odd degree")]
    Negative,
}
