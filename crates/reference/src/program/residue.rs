//! Moduli, and arithmetic modulo them.

use limbforge_algos::op::{Op, Operation};
use limbforge_algos::program::text::syntax::{Expression, ExpressionKind, Span};
use num_bigint::BigInt;
use num_traits::{Euclid, One, Signed};

use super::class::{Class, Ring, int, least};
use super::value::Value;
use super::{Run, Stopped};

impl Run<'_> {
    /// A number modulo n.
    pub(super) fn lift(&mut self, value: &Value, ring: &Ring) -> Result<Value, Stopped> {
        if value.ring().is_some() {
            return Ok(value.clone());
        }
        let mut ring = ring.clone();
        let n = self.modulus(&ring)?;
        ring.number.clone_from(&n);
        let number = n.and_then(|n| value.number().map(|number| number.rem_euclid(&n)));
        Ok(Value::Number(Class::Residue(ring), number))
    }

    /// The ring of `mod modulus`.
    pub(super) fn ring(&mut self, modulus: &Expression) -> Result<Ring, Stopped> {
        let value = self.evaluate(modulus, None)?;
        let (name, ty) = match (&value, &*modulus.kind) {
            (Value::Exact(number), _) => (number.to_string(), Class::Int(least(number.magnitude()))),
            (Value::Number(class, _), ExpressionKind::Name(name)) => (name.to_string(), class.clone()),
            (Value::Number(class, _), _) => (format!("{:?}", modulus.span), class.clone()),
            (value, _) => panic!("expected an integer as modulus, found {value:?}"),
        };
        let ty = match self.classes.known(&ty) {
            open @ Class::Open(_) => self.classes.meet(&open, &Class::Int(int(64, true))),
            known => known,
        };
        let number = value.number().filter(|_| !self.is_survey());
        if let Some(number) = &number {
            self.moduli.insert(name.clone(), number.clone());
        }
        let place = self.classes.place_of_modulus(&name, modulus.span);
        Ok(Ring { name, place, written: modulus.clone(), number, ty: Box::new(ty) })
    }

    /// The modulus, if it is a good one; unknown in a survey.
    fn modulus(&mut self, ring: &Ring) -> Result<Option<BigInt>, Stopped> {
        if self.is_survey() {
            return Ok(None);
        }
        let n = match (&ring.number, self.moduli.get(&ring.name)) {
            (Some(n), _) | (None, Some(n)) => n.clone(),
            // A number became a residue before the text says so.
            (None, None) => self.evaluate(&ring.written.clone(), None)?.number().unwrap_or_default(),
        };
        let place = ring.place;
        if !n.is_positive() {
            return Err(Stopped { mark: "DIV0", place });
        }
        if !n.bit(0) {
            return Err(Stopped { mark: "EVEN", place });
        }
        Ok(Some(n))
    }

    /// An operation one of whose operands is a residue.
    pub(super) fn residues(
        &mut self,
        row: &Operation,
        operands: &[Value],
        place: Span,
    ) -> Result<Value, Stopped> {
        let ring = operands.iter().find_map(Value::ring).unwrap_or_else(|| panic!("a residue")).clone();
        let operands: Vec<Value> =
            operands.iter().map(|operand| self.lift(operand, &ring)).collect::<Result<_, _>>()?;
        let (Some(n), false) = (&ring.number, self.is_survey()) else {
            return Ok(match row.op {
                Some(Op::Eq | Op::Ne) => Value::Bool(None),
                _ => Value::Number(Class::Residue(ring), None),
            });
        };
        let numbers: Vec<BigInt> = operands.iter().filter_map(Value::number).collect();
        let other = operands.iter().filter_map(Value::ring).any(|other| other.number != ring.number);
        assert!(!other, "expected residues of one modulus at {place:?}");
        let x = &numbers[0];
        let y = numbers.last().unwrap_or(x);
        let number = match row.op {
            Some(Op::Eq) => return Ok(Value::Bool(Some(x == y))),
            Some(Op::Ne) => return Ok(Value::Bool(Some(x != y))),
            Some(Op::Add) => x + y,
            Some(Op::Sub) => x - y,
            Some(Op::Neg) => -x,
            Some(Op::Mul | Op::Sqr) => x * y,
            Some(Op::Div) => x * inverse(y, n, place)?,
            _ => panic!("expected an operation of residues at {place:?}, found {row:?}"),
        };
        let number = number.rem_euclid(n);
        Ok(Value::Number(Class::Residue(ring), Some(number)))
    }
}

/// The inverse modulo n.
fn inverse(x: &BigInt, n: &BigInt, place: Span) -> Result<BigInt, Stopped> {
    if n.is_one() {
        return Ok(BigInt::ZERO);
    }
    x.modinv(n).ok_or(Stopped { mark: "NOINVERSE", place })
}

/// A residue to any integer power.
pub(super) fn power(x: &BigInt, e: &BigInt, n: &BigInt, place: Span) -> Result<BigInt, Stopped> {
    let base = if e.is_negative() { inverse(x, n, place)? } else { x.clone() };
    Ok(base.modpow(&e.abs(), n).rem_euclid(n))
}
