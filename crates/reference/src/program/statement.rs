//! Statements, blocks and loops.

use limbforge_algos::program::text::syntax::{
    Block, Expression, ExpressionKind, Name, Over, Place, Span, Statement, StatementKind,
};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive};

use super::assigned::assigned;
use super::class::{Class, int};
use super::scope::Scope;
use super::value::Value;
use super::{Run, Stopped};

impl Run<'_> {
    /// The value of a statement that is an expression.
    pub(super) fn statement(&mut self, statement: &Statement) -> Result<Option<Value>, Stopped> {
        let place = statement.span;
        match &statement.kind {
            StatementKind::Declare { pattern, ty, value, .. } => {
                let value = self.evaluate(value, None)?;
                let (value, shape) = match ty {
                    Some(ty) => {
                        let shape = self.shape_of(ty)?;
                        (self.convert(&value, &shape, place)?, Some(shape))
                    }
                    None => (value, None),
                };
                self.declare_all(pattern, value, shape);
            }
            StatementKind::Assign { place: to, value } => {
                let value = self.evaluate(value, None)?;
                self.assign_all(to, value, place)?;
            }
            StatementKind::Repeat { count, body } => self.repeat(count, body, place)?,
            StatementKind::For { name, over, after, body } => {
                let after = after.as_ref().map_or(Ok(0), |after| self.constant(after))?;
                let rounds = self.rounds(over)?;
                let after = if self.is_survey() { 0 } else { after };
                self.rounds_of(name, rounds.into_iter().skip(after), body, place)?;
            }
            StatementKind::While { condition, limit, body } => {
                self.repeat_while(condition, limit, body, place)?;
            }
            StatementKind::Require(condition) => {
                if self.evaluate(condition, None)?.truth() == Some(false) {
                    return Err(Stopped { mark: "REQUIRE", place });
                }
            }
            StatementKind::Value(value) => {
                return match &*value.kind {
                    ExpressionKind::If { condition, then, otherwise } => {
                        self.branch(condition, then, otherwise.as_ref(), value.span)
                    }
                    _ => self.evaluate(value, None).map(Some),
                };
            }
        }
        Ok(None)
    }

    /// The value of the last statement.
    pub(super) fn block(&mut self, block: &Block) -> Result<Option<Value>, Stopped> {
        self.scopes.push(Scope::default());
        let mut value = None;
        for statement in &block.statements {
            value = self.statement(statement)?;
        }
        self.scopes.pop();
        Ok(value)
    }

    fn assign_all(&mut self, to: &Place, value: Value, place: Span) -> Result<(), Stopped> {
        match (to, value) {
            (Place::Name(name), value) => self.assign(&name.text, value, place),
            (Place::Element(name, index), value) => {
                let index = self.evaluate(index, None)?;
                let array = self.find(&name.text).value.clone();
                let array = self.update(&array, &index, &value, place)?;
                self.assign(&name.text, array, place)
            }
            (Place::Tuple(places, _), Value::Tuple(values)) if places.len() == values.len() => {
                places.iter().zip(values).try_for_each(|(to, value)| self.assign_all(to, value, place))
            }
            (to, value) => panic!("expected a tuple like {to:?}, found {value:?}"),
        }
    }

    /// A count that is written as a constant.
    pub(super) fn constant(&mut self, expression: &Expression) -> Result<usize, Stopped> {
        let count = self.evaluate(expression, None)?.constant();
        Ok(count.to_usize().unwrap_or_else(|| panic!("expected a count, found {count}")))
    }

    fn repeat(&mut self, count: &Expression, body: &Block, place: Span) -> Result<(), Stopped> {
        let count = self.evaluate(count, None)?.number();
        let changed = assigned([body]);
        self.keep_types(&changed, place)?;
        let Some(count) = count.filter(|_| !self.is_survey()) else {
            self.block(body)?;
            self.forget(&changed);
            return Ok(());
        };
        let mut round = BigInt::ZERO;
        while round < count {
            self.block(body)?;
            round += 1;
        }
        Ok(())
    }

    /// The values that a loop runs over; in a survey one of their type.
    fn rounds(&mut self, over: &Over) -> Result<Vec<Value>, Stopped> {
        match over {
            Over::Range(from, to) => {
                let place = from.span.to(to.span);
                let ends = [self.evaluate(from, None)?, self.evaluate(to, None)?];
                let class = self.common(&ends, place);
                let [from, to] =
                    [self.to_class(&ends[0], &class, place)?, self.to_class(&ends[1], &class, place)?];
                let (Some(mut next), Some(end)) = (from.number(), to.number()) else {
                    return Ok(vec![Value::Number(class, None)]);
                };
                let mut rounds = vec![];
                while next < end {
                    rounds.push(Value::Number(class.clone(), Some(next.clone())));
                    next += 1;
                }
                Ok(rounds)
            }
            Over::Values(values) => match &*values.kind {
                ExpressionKind::Call(name, operands) if matches!(&*name.text, "bits" | "digits") => {
                    let k = self.evaluate(&operands[0], None)?.number();
                    let w = operands.get(1).map(|width| self.constant(width)).transpose()?;
                    Ok(digits(k.filter(|_| !self.is_survey()), w))
                }
                _ => Ok(self.evaluate(values, None)?.elements().to_vec()),
            },
        }
    }

    fn rounds_of(
        &mut self,
        name: &Name,
        rounds: impl Iterator<Item = Value>,
        body: &Block,
        place: Span,
    ) -> Result<(), Stopped> {
        let changed = assigned([body]);
        self.keep_types(&changed, place)?;
        for value in rounds {
            // The index has one type, an array of numbers, too.
            let shape = self.typed_shape(&value, place, &format!("round {}", name.text));
            let value = self.convert(&value, &shape, place)?;
            self.scopes.push(Scope::default());
            self.declare(&name.text, if self.is_survey() { value.forget() } else { value });
            self.block(body)?;
            self.scopes.pop();
            if self.is_survey() {
                self.forget(&changed);
            }
        }
        Ok(())
    }

    fn repeat_while(
        &mut self,
        condition: &Expression,
        limit: &Expression,
        body: &Block,
        place: Span,
    ) -> Result<(), Stopped> {
        let limit = self.constant(limit)?;
        let changed = assigned([body]);
        self.keep_types(&changed, place)?;
        if self.is_survey() {
            self.evaluate(condition, None)?;
            self.block(body)?;
            self.forget(&changed);
            return Ok(());
        }
        let mut rounds = 0;
        while self.evaluate(condition, None)?.truth() == Some(true) {
            if rounds == limit {
                return Err(Stopped { mark: "LIMIT", place });
            }
            self.block(body)?;
            rounds += 1;
        }
        Ok(())
    }
}

/// The bits of k from the highest one, or its digits of w bits.
fn digits(k: Option<BigInt>, w: Option<usize>) -> Vec<Value> {
    let digit = |number: Option<BigUint>| match w {
        None => Value::Bool(number.map(|number| number.bit(0))),
        Some(w) => Value::Number(Class::Int(int(w as u64, false)), number.map(BigInt::from)),
    };
    let Some(k) = k else { return vec![digit(None)] };
    if !k.is_positive() {
        return vec![];
    }
    let (k, w) = (k.magnitude(), w.unwrap_or(1));
    let mask = (BigUint::one() << w) - 1_u32;
    let count = k.bits().div_ceil(w as u64);
    (0..count).rev().map(|i| digit(Some((k >> (i * w as u64)) & &mask))).collect()
}
