//! Operations of the table on leaves.

use limbforge_limb::IntType;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::class::Class;
use super::constant::{self, constant_error, shown};
use super::open::{Leaf, OpenKind, Want};
use super::{Lower, Result, type_error};
use crate::op::{Amount, Op, Outcome};
use crate::program::region::Kind;
use crate::program::text::syntax::Span;
use crate::program::ty::Element;

impl Lower<'_> {
    /// An operation of the table on integers, residues or numbers.
    pub(super) fn operation(&mut self, op: Op, operands: &[Leaf], span: Span) -> Result<Leaf> {
        let numbers: Option<Vec<&BigInt>> = operands
            .iter()
            .map(|leaf| if let Leaf::Number(number) = leaf { Some(number) } else { None })
            .collect();
        if let Some(value) = numbers.map(|numbers| constant::fold(&op, &numbers, span)).transpose()?.flatten()
        {
            let is_truth = op.row().is_some_and(|row| row.result == Outcome::Truth);
            return Ok(if is_truth {
                self.truth(value == BigInt::from(1), span)
            } else {
                Leaf::Number(value)
            });
        }
        if operands.iter().any(|leaf| self.is_residue(leaf)) {
            return self.of_residues(&op, operands, span);
        }
        let (op, values) = with_amounts(op, operands);
        let class = self.meet(&values.iter().collect::<Vec<_>>(), span)?;
        let result = match op.row().map_or(Outcome::Value, |row| row.result) {
            Outcome::Truth => self.bool_class(),
            Outcome::Wide => self.twice(class, span)?,
            Outcome::Value | Outcome::Count | Outcome::Unsigned => class,
        };
        let args = values.into_iter().map(|leaf| (leaf, Want::Class(class))).collect();
        self.emit(OpenKind::Meeting(op, class), args, result, span)
    }

    /// The class of integers of twice as many bits.
    fn twice(&mut self, class: Class, span: Span) -> Result<Class> {
        let Some(Element::Int(ty)) = self.classes.known(class) else {
            let error = type_error(span, "operands of a known type", "numbers without one");
            return Err(error.with_help("write their type: u64(x)"));
        };
        let wide = IntType::new(2 * u64::from(ty.bits()), ty.is_signed());
        let wide =
            wide.map_err(|error| constant_error(span, "a product of at most 2^24 bits", error.to_string()))?;
        Ok(self.classes.of(Element::Int(wide)))
    }

    /// `a << n` or `a >> n`.
    pub(super) fn shift(&mut self, left: bool, a: &Leaf, n: &Leaf, span: Span) -> Result<Leaf> {
        for operand in [a, n] {
            if self.is_residue(operand) {
                return Err(type_error(
                    span,
                    "+ - * / or ** of residues",
                    if left { "`<<`" } else { "`>>`" },
                ));
            }
        }
        let Leaf::Number(distance) = n else {
            let class = self.meet(&[a], span)?;
            let args = vec![(a.clone(), Want::Class(class)), (n.clone(), Want::Own)];
            return self.emit(OpenKind::Fixed(Kind::Shift { left }), args, class, span);
        };
        let distance = if left { distance.clone() } else { -distance };
        if let Leaf::Number(a) = a {
            return constant::shift(a, &distance, span).map(Leaf::Number);
        }
        let bits = distance.abs().to_u32().unwrap_or(u32::MAX);
        let op = if distance.is_negative() { Op::Shr(bits) } else { Op::Shl(bits) };
        self.operation(op, core::slice::from_ref(a), span)
    }

    /// `a ** n`.
    pub(super) fn power(&mut self, a: &Leaf, n: &Leaf, span: Span) -> Result<Leaf> {
        if self.is_residue(a) {
            return self.residue_power(a, n, span);
        }
        let Leaf::Number(exponent) = n else {
            let error = constant_error(span, "an exponent that is a constant number", self.describe(n));
            return Err(error.with_help("of residues, exponents are values: `a ** e mod n`"));
        };
        let Some(exponent) = exponent.to_u32() else {
            return Err(constant_error(span, "an exponent from 0 to 2^32 - 1", shown(exponent)));
        };
        if let Leaf::Number(a) = a {
            let most = u64::from(IntType::MAX_BITS);
            let value = constant::power(a, exponent, most).ok_or_else(|| {
                constant_error(span, format!("a number of at most {most} bits"), "a longer one")
            })?;
            return Ok(Leaf::Number(value));
        }
        let class = self.meet(&[a], span)?;
        let mut result = None;
        for bit in (0..u32::BITS - exponent.leading_zeros()).rev() {
            result = match result {
                None => Some(a.clone()),
                Some(so_far) => Some(self.operation(Op::Sqr, &[so_far], span)?),
            };
            if let Some(so_far) = result.as_ref().filter(|so_far| *so_far != a && exponent >> bit & 1 == 1) {
                result = Some(self.operation(Op::Mul, &[so_far.clone(), a.clone()], span)?);
            }
        }
        match result {
            Some(result) => Ok(result),
            None => {
                let one = (Leaf::Number(1.into()), Want::Class(class));
                Ok(self.emit_of(OpenKind::Convert, vec![one], (class, None), span))
            }
        }
    }

    /// `then` where the condition holds, else `otherwise`.
    pub(super) fn select(
        &mut self,
        condition: &Leaf,
        [then, otherwise]: [&Leaf; 2],
        span: Span,
    ) -> Result<Leaf> {
        let class = self.one_of(&[then, otherwise], span)?;
        let want = |leaf: &Leaf| (leaf.clone(), Want::Class(class));
        let args = vec![(condition.clone(), Want::Bool), want(then), want(otherwise)];
        self.emit(OpenKind::Fixed(Kind::Select), args, class, span)
    }

    /// A condition of `select`: a `bool`, or whether an integer is not 0.
    pub(super) fn is_not_zero(&mut self, leaf: &Leaf, span: Span) -> Result<Leaf> {
        if self.is_bool(leaf) {
            return Ok(leaf.clone());
        }
        self.operation(Op::Ne, &[leaf.clone(), Leaf::Number(0.into())], span)
    }
}

/// The operation with the numbers among its amounts in it, and its other operands.
fn with_amounts(mut op: Op, operands: &[Leaf]) -> (Op, Vec<Leaf>) {
    let amounts = op.amounts().len();
    let (values, given) = operands.split_at(operands.len() - amounts);
    let mut rest = values.to_vec();
    for (amount, leaf) in op.amounts_mut().into_iter().zip(given) {
        match leaf {
            Leaf::Number(number) => *amount = Amount::Constant(number.clone()),
            Leaf::Value(_) => rest.push(leaf.clone()),
        }
    }
    (op, rest)
}
