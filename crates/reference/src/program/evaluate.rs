//! Expressions.

use std::sync::Arc;

use limbforge_algos::op::Op;
use limbforge_algos::program::text::syntax::{Block, Expression, ExpressionKind, Infix, Prefix, Span};
use num_bigint::BigInt;

use super::assigned::assigned;
use super::class::Ring;
use super::scope::Scope;
use super::value::{Value, elementwise};
use super::{Run, Stopped};

impl Run<'_> {
    /// The value of an expression, in a ring where it stands left of `mod n`: there + - * / and ** are those of
    /// the ring, through tuples and arrays, and all else is taken modulo n.
    pub(super) fn evaluate(&mut self, e: &Expression, ring: Option<&Ring>) -> Result<Value, Stopped> {
        let value = match &*e.kind {
            ExpressionKind::Tuple(members) => {
                let members: Result<_, _> =
                    members.iter().map(|member| self.evaluate(member, ring)).collect();
                return members.map(Value::Tuple);
            }
            ExpressionKind::Array(elements) => {
                let elements: Result<Vec<_>, _> =
                    elements.iter().map(|element| self.evaluate(element, ring)).collect();
                return self.array(&elements?, e.span);
            }
            ExpressionKind::Each { element, name, from, to } => {
                let (from, to) = (self.constant(from)?, self.constant(to)?);
                let elements: Result<Vec<_>, _> =
                    (from..to).map(|i| self.element_of(element, &name.text, i, ring)).collect();
                return self.array(&elements?, e.span);
            }
            ExpressionKind::Prefix(Prefix::Negative, a) => {
                let a = self.evaluate(a, ring)?;
                return self.operation(Op::Neg.row(), &[a], e.span);
            }
            ExpressionKind::Infix(infix @ Infix::Operation(row), a, b) => {
                let inside = |signs: &[&str]| ring.filter(|_| signs.contains(&infix.sign()));
                let a = self.evaluate(a, inside(&["+", "-", "*", "/", "**"]))?;
                let b = self.evaluate(b, inside(&["+", "-", "*", "/"]))?;
                self.operation(Some(row), &[a, b], e.span)?
            }
            ExpressionKind::Infix(infix, a, b) => self.lazy(*infix, a, b)?,
            ExpressionKind::Number(number) => Value::Exact(BigInt::from(number.clone())),
            ExpressionKind::Truth(truth) => Value::Bool(Some(*truth)),
            ExpressionKind::Name(name) => self.value_of(name),
            ExpressionKind::Prefix(Prefix::Flip, a) => {
                let a = self.evaluate(a, None)?;
                self.operation(Op::Not.row(), &[a], e.span)?
            }
            ExpressionKind::Prefix(Prefix::Not, a) => {
                let not = |a: &Value| Value::Bool(a.truth().map(|a| !a));
                elementwise(&[self.evaluate(a, None)?], &mut |a| Ok(not(&a[0])))?
            }
            ExpressionKind::Call(name, operands) => self.call(name, operands, e.span)?,
            ExpressionKind::Element(array, index) => {
                let (array, index) = (self.evaluate(array, None)?, self.evaluate(index, None)?);
                self.index(&array, &index, e.span)?
            }
            ExpressionKind::Mod(value, modulus) => {
                let inner = self.ring(modulus)?;
                self.evaluate(value, Some(&inner))?
            }
            ExpressionKind::If { condition, then, otherwise } => {
                let value = self.branch(condition, then, otherwise.as_ref(), e.span)?;
                value.unwrap_or_else(|| panic!("expected an `if` with a value at {:?}", e.span))
            }
        };
        match ring {
            Some(ring) => elementwise(&[value], &mut |value| self.lift(&value[0], ring)),
            None => Ok(value),
        }
    }

    /// Elements of one type.
    fn array(&mut self, elements: &[Value], place: Span) -> Result<Value, Stopped> {
        let mut shape = elements.first().unwrap_or_else(|| panic!("an array has an element")).forget();
        for (i, element) in elements.iter().enumerate() {
            shape = self.merge(&shape, element, place, &format!("element {i}"));
        }
        let elements: Result<_, _> =
            elements.iter().map(|element| self.convert(element, &shape, place)).collect();
        elements.map(Value::Array)
    }

    fn element_of(
        &mut self,
        element: &Expression,
        name: &Arc<str>,
        i: usize,
        ring: Option<&Ring>,
    ) -> Result<Value, Stopped> {
        self.scopes.push(Scope::default());
        self.path.push(Span { start: i as u32, end: 0 });
        self.declare(name, Value::Exact(i.into()));
        let value = self.evaluate(element, ring);
        self.path.pop();
        self.scopes.pop();
        value
    }

    /// `and`, `or`: the right side where it is needed.
    fn lazy(&mut self, infix: Infix, a: &Expression, b: &Expression) -> Result<Value, Stopped> {
        let decides = infix == Infix::Or;
        match self.evaluate(a, None)?.truth() {
            Some(truth) if truth == decides && !self.is_survey() => Ok(Value::Bool(Some(truth))),
            _ => Ok(Value::Bool(self.evaluate(b, None)?.truth().filter(|_| !self.is_survey()))),
        }
    }

    /// One of two blocks, and its value if both have one.
    pub(super) fn branch(
        &mut self,
        condition: &Expression,
        then: &Block,
        otherwise: Option<&Block>,
        place: Span,
    ) -> Result<Option<Value>, Stopped> {
        let condition = self.evaluate(condition, None)?.truth();
        let changed = assigned([then].into_iter().chain(otherwise));
        self.forget(&changed);
        let key = self.key(place, "value");
        if self.is_survey() {
            let first = self.block(then)?;
            self.forget(&changed);
            let second = otherwise.map_or(Ok(None), |block| self.block(block))?;
            self.forget(&changed);
            let (Some(first), Some(second)) = (first, second) else { return Ok(None) };
            let shape = self.merge(&first, &second, place, "value");
            self.classes.store(key, &shape);
            return Ok(Some(shape));
        }
        let value = match (condition, otherwise) {
            (Some(true), _) => self.block(then)?,
            (_, Some(block)) => self.block(block)?,
            (_, None) => None,
        };
        match (value, self.classes.shape(&key)) {
            (Some(value), Some(shape)) => self.convert(&value, &shape, place).map(Some),
            _ => Ok(None),
        }
    }

    /// An element of an array; of a tuple of arrays, a tuple of elements.
    fn index(&mut self, array: &Value, index: &Value, place: Span) -> Result<Value, Stopped> {
        if let Value::Tuple(members) = array {
            let found: Result<_, _> = members.iter().map(|member| self.index(member, index, place)).collect();
            return found.map(Value::Tuple);
        }
        let elements = array.elements();
        match self.place_of(index, elements.len(), place)? {
            Some(i) => Ok(elements[i].clone()),
            None => Ok(elements[0].forget()),
        }
    }

    /// The array with another element.
    pub(super) fn update(
        &mut self,
        array: &Value,
        index: &Value,
        value: &Value,
        place: Span,
    ) -> Result<Value, Stopped> {
        let elements = array.elements();
        let shape = self.merge(&elements[0], value, place, "element");
        let mut elements: Vec<Value> =
            elements.iter().map(|element| self.convert(element, &shape, place)).collect::<Result<_, _>>()?;
        if let Some(i) = self.place_of(index, elements.len(), place)? {
            elements[i] = self.convert(value, &shape, place)?;
        }
        Ok(Value::Array(elements))
    }

    /// An index within an array; unknown in a survey.
    fn place_of(&self, index: &Value, length: usize, place: Span) -> Result<Option<usize>, Stopped> {
        let Some(index) = index.number().filter(|_| !self.is_survey()) else { return Ok(None) };
        let index = usize::try_from(&index).ok().filter(|index| *index < length);
        index.map(Some).ok_or(Stopped { mark: "INDEX", place })
    }
}
