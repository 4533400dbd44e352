//! Python's `//` and `%`, which round down. In the language `/` and `%` round towards 0; of unsigned numbers
//! they are the same, and need no corrections of signs.

use limbforge::prelude::Expr;

pub(crate) const fn quotient(is_signed: bool) -> &'static str {
    if is_signed { "div_floor(a, b)" } else { "a / b" }
}

pub(crate) const fn remainder(is_signed: bool) -> &'static str {
    if is_signed { "rem_floor(a, b)" } else { "a % b" }
}

/// As [`quotient`], of expressions.
pub(crate) fn quotient_of(a: &Expr, b: &Expr, is_signed: bool) -> Expr {
    if is_signed { a.div_floor(b) } else { a / b }
}

/// As [`remainder`], of expressions.
pub(crate) fn remainder_of(a: &Expr, b: &Expr, is_signed: bool) -> Expr {
    if is_signed { a.rem_floor(b) } else { a % b }
}
