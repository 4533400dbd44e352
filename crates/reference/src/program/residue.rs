//! Conversions between types, and arithmetic modulo n.

use limbforge_algos::op::{Op, Operation};
use limbforge_algos::program::text::syntax::Span;
use limbforge_testing::expr::in_type;
use num_bigint::BigInt;
use num_traits::{Euclid, One, Signed};

use super::class::{Class, Ring};
use super::value::Value;
use super::{Run, Stopped};

impl Run<'_> {
    /// The class of numbers that meet.
    pub(super) fn common(&mut self, values: &[Value], place: Span) -> Class {
        self.common_of(values, None, place)
    }

    /// As [`common`](Self::common), with a class that they meet, too. Where none has a type, one is found later.
    pub(super) fn common_of(&mut self, values: &[Value], class: Option<Class>, place: Span) -> Class {
        let mut class = class;
        for value in values {
            if let Value::Number(other, _) = value {
                class = Some(match class {
                    Some(class) => self.classes.meet(&class, other),
                    None => self.classes.known(other),
                });
            }
        }
        class.unwrap_or_else(|| self.classes.at(self.key(place, "common")))
    }

    /// The shape of two values that may both be those of an expression.
    pub(super) fn merge(&mut self, a: &Value, b: &Value, place: Span, what: &str) -> Value {
        match (a, b) {
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
                Value::Tuple(self.merge_all(a, b, place, what))
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                Value::Array(self.merge_all(a, b, place, what))
            }
            (Value::Array(elements), one) | (one, Value::Array(elements)) => {
                let shape = elements.iter().map(|element| self.merge(element, one, place, what));
                Value::Array(shape.collect())
            }
            (Value::Bool(_), Value::Bool(_)) => Value::Bool(None),
            (Value::Exact(_), Value::Exact(_)) => Value::Number(self.classes.at(self.key(place, what)), None),
            (a, b) => Value::Number(self.common(&[a.clone(), b.clone()], place), None),
        }
    }

    fn merge_all(&mut self, a: &[Value], b: &[Value], place: Span, what: &str) -> Vec<Value> {
        let pairs = a.iter().zip(b).enumerate();
        pairs.map(|(i, (a, b))| self.merge(a, b, place, &format!("{what}.{i}"))).collect()
    }

    /// A value in the types of a shape. One number fills an array.
    pub(super) fn convert(&mut self, value: &Value, shape: &Value, place: Span) -> Result<Value, Stopped> {
        match (value, shape) {
            (Value::Tuple(values), Value::Tuple(shapes)) if values.len() == shapes.len() => {
                self.convert_all(values, shapes, place).map(Value::Tuple)
            }
            (Value::Array(values), Value::Array(shapes)) if values.len() == shapes.len() => {
                self.convert_all(values, shapes, place).map(Value::Array)
            }
            (value, Value::Array(shapes)) => {
                self.convert_all(&vec![value.clone(); shapes.len()], shapes, place).map(Value::Array)
            }
            (Value::Bool(_), Value::Bool(_)) => Ok(value.clone()),
            (value, Value::Number(class, _)) => self.to_class(value, class, place),
            (value, shape) => panic!("expected a value like {shape:?}, found {value:?} at {place:?}"),
        }
    }

    fn convert_all(
        &mut self,
        values: &[Value],
        shapes: &[Value],
        place: Span,
    ) -> Result<Vec<Value>, Stopped> {
        values.iter().zip(shapes).map(|(value, shape)| self.convert(value, shape, place)).collect()
    }

    /// A number in a class that holds its values.
    pub(super) fn to_class(&mut self, value: &Value, class: &Class, place: Span) -> Result<Value, Stopped> {
        let common = self.common_of(core::slice::from_ref(value), Some(class.clone()), place);
        match (self.classes.known(class), common) {
            (Class::Residue(ring), _) => self.lift(value, &ring),
            (class, common) if class == common => {
                let number = value.number().filter(|_| !self.is_survey());
                Ok(Value::Number(class.clone(), number.map(|number| in_class(&number, &class))))
            }
            (class, _) => panic!("expected a value that {class:?} holds, found {value:?} at {place:?}"),
        }
    }

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

    /// The modulus, if it is a good one; unknown in a survey.
    fn modulus(&mut self, ring: &Ring) -> Result<Option<BigInt>, Stopped> {
        if self.is_survey() {
            return Ok(None);
        }
        let n = match (&ring.number, self.moduli.get(&ring.key)) {
            (Some(n), _) | (None, Some(n)) => n.clone(),
            // A number became a residue before the text says so.
            (None, None) => self.evaluate(&ring.written.clone(), None)?.number().unwrap_or_default(),
        };
        let place = ring.key.span;
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

/// A number in the range of a class of integers, modulo 2^N.
fn in_class(number: &BigInt, class: &Class) -> BigInt {
    match class {
        Class::Int(ty) => in_type(number, *ty),
        Class::Residue(_) | Class::Open(_) => panic!("expected a type of integers, found {class:?}"),
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
