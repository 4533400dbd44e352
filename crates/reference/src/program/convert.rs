//! Conversions between types, and the types in which values meet.

use limbforge_algos::program::text::syntax::Span;
use limbforge_testing::expr::in_type;
use num_bigint::BigInt;

use super::class::Class;
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
            (value, Value::Number(class, _)) => self.as_class(value, class, place),
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
    pub(super) fn as_class(&mut self, value: &Value, class: &Class, place: Span) -> Result<Value, Stopped> {
        let common = self.common_of(core::slice::from_ref(value), Some(class.clone()), place);
        match (self.classes.known(class), self.classes.known(&common)) {
            (Class::Residue(ring), _) => self.lift(value, &ring),
            (class, common) if class == common => {
                let number = value.number().filter(|_| !self.is_survey());
                Ok(Value::Number(class.clone(), number.map(|number| in_class(&number, &class))))
            }
            (class, _) => panic!("expected a value that {class:?} holds, found {value:?} at {place:?}"),
        }
    }
}

/// A number in the range of a class of integers, modulo 2^N.
fn in_class(number: &BigInt, class: &Class) -> BigInt {
    match class {
        Class::Int(ty) => in_type(number, *ty),
        Class::Residue(_) | Class::Open(_) => panic!("expected a type of integers, found {class:?}"),
    }
}
