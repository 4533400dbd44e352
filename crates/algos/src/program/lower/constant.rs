//! Operations on numbers without a type: exact integers.

use limbforge_limb::IntType;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use super::open::Leaf;
use super::{Lower, Result};
use crate::op::Op;
use crate::program::text::syntax::{Expression, Span};
use crate::program::text::{ProgramError, ProgramErrorKind};

/// The value of an operation on numbers; `None` for one that needs a type, as `~` or `clz` do.
pub(super) fn fold(op: &Op, operands: &[&BigInt], span: Span) -> Result<Option<BigInt>> {
    let truth = |holds: bool| BigInt::from(u8::from(holds));
    let value = match (op, operands) {
        (Op::Neg, [a]) => -*a,
        (Op::Sqr, [a]) => *a * *a,
        (Op::Add, [a, b]) => *a + *b,
        (Op::Sub, [a, b]) => *a - *b,
        (Op::Mul, [a, b]) => *a * *b,
        (Op::Div | Op::Rem, [_, b]) if b.is_zero() => {
            return Err(constant_error(span, "a divisor that is not 0", "0"));
        }
        // As of integers with a type: rounded towards 0.
        (Op::Div, [a, b]) => *a / *b,
        (Op::Rem, [a, b]) => *a % *b,
        (Op::And, [a, b]) => *a & *b,
        (Op::Or, [a, b]) => *a | *b,
        (Op::Xor, [a, b]) => *a ^ *b,
        (Op::Min, [a, b]) => (*a).min(*b).clone(),
        (Op::Max, [a, b]) => (*a).max(*b).clone(),
        (Op::Lt, [a, b]) => truth(a < b),
        (Op::Le, [a, b]) => truth(a <= b),
        (Op::Eq, [a, b]) => truth(a == b),
        (Op::Ne, [a, b]) => truth(a != b),
        _ => return Ok(None),
    };
    if value.bits() > u64::from(IntType::MAX_BITS) {
        let expected = format!("a number of at most {} bits", IntType::MAX_BITS);
        return Err(constant_error(span, expected, format!("one of {}", value.bits())));
    }
    Ok(Some(value))
}

/// `a * 2^n`, rounded down.
pub(super) fn shift(a: &BigInt, n: &BigInt, span: Span) -> Result<BigInt> {
    let far = u64::from(IntType::MAX_BITS);
    let distance = n.abs().to_u64().filter(|distance| *distance <= far);
    match (n.is_negative(), distance) {
        (_, None) if a.is_zero() => Ok(a.clone()),
        (true, None) => Ok(if a.is_negative() { BigInt::from(-1) } else { BigInt::ZERO }),
        (true, Some(distance)) => Ok(a >> distance),
        (false, Some(distance)) if a.bits() + distance <= far => Ok(a << distance),
        (false, _) => {
            let expected = format!("a number of at most {far} bits");
            Err(constant_error(span, expected, "a longer one"))
        }
    }
}

/// `a ** n`, or `None` if it has more bits than `limit`.
pub(super) fn power(a: &BigInt, n: u32, limit: u64) -> Option<BigInt> {
    // At least this many.
    let bits = a.bits().saturating_sub(1).saturating_mul(n.into());
    (bits <= limit).then(|| a.pow(n))
}

pub(super) fn constant_error(
    span: Span,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> ProgramError {
    ProgramError::new(ProgramErrorKind::Constant, span, expected, found)
}

impl Lower<'_> {
    /// The number that an expression of constants is.
    pub(super) fn number(&mut self, expression: &Expression) -> Result<BigInt> {
        let shape = self.expression(expression)?;
        match self.single(&shape, expression.span)? {
            Leaf::Number(number) => Ok(number),
            leaf @ Leaf::Value(_) => {
                let error = constant_error(expression.span, "a constant number", self.describe(&leaf));
                Err(error.with_help("constants are numbers and names declared by `const`"))
            }
        }
    }

    /// As [`number`](Self::number), from 0 up to `most`.
    pub(super) fn count(&mut self, expression: &Expression, most: u64) -> Result<u64> {
        let number = self.number(expression)?;
        number.to_u64().filter(|count| *count <= most).ok_or_else(|| {
            constant_error(expression.span, format!("a number from 0 to {most}"), shown(&number))
        })
    }
}

/// A number in an error.
pub(super) fn shown(number: &BigInt) -> String {
    if number.bits() > 128 { format!("a number of {} bits", number.bits()) } else { format!("`{number}`") }
}
