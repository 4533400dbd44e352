//! Python's `//` and `%`, which round down, as expressions of the language. There, `/` rounds towards 0.
//!
//! From a = q b + r with r in 0 .. |b| - 1 (`div_euclid` and `rem_euclid`), a remainder of b's sign is r + b, with
//! the quotient q - 1, where b is negative and r is not 0.

use limbforge::prelude::Expr;

pub(crate) const fn quotient(is_signed: bool) -> &'static str {
    if is_signed { "div_euclid(a, b) - ((b < 0) & (div_euclid(a, b) * b != a))" } else { "a / b" }
}

pub(crate) const fn remainder(is_signed: bool) -> &'static str {
    if is_signed { "rem_euclid(a, b) + select((b < 0) & (rem_euclid(a, b) != 0), b, 0)" } else { "a % b" }
}

/// As [`quotient`], of expressions.
pub(crate) fn quotient_of(a: &Expr, b: &Expr, is_signed: bool) -> Expr {
    if !is_signed {
        return a / b;
    }
    let quotient = a.div_euclid(b);
    let is_inexact = (&quotient * b).cmp_ne(a);
    quotient - (b.cmp_lt(&Expr::literal(0)) & is_inexact)
}

/// As [`remainder`], of expressions.
pub(crate) fn remainder_of(a: &Expr, b: &Expr, is_signed: bool) -> Expr {
    if !is_signed {
        return a % b;
    }
    let (remainder, zero) = (a.rem_euclid(b), Expr::literal(0));
    let is_other = b.cmp_lt(&zero) & remainder.cmp_ne(&zero);
    remainder + is_other.select(b, &zero)
}
