//! Loops.

use limbforge_algos::program::text::syntax::{Block, Expression, ExpressionKind, Name, Over, Span};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive};

use super::assigned::assigned;
use super::class::{Class, int};
use super::scope::Scope;
use super::value::Value;
use super::{Run, Stopped};

impl Run<'_> {
    /// A count that is written as a constant.
    pub(super) fn constant(&mut self, expression: &Expression) -> Result<usize, Stopped> {
        let count = self.evaluate(expression, None)?.constant();
        Ok(count.to_usize().unwrap_or_else(|| panic!("expected a count, found {count}")))
    }

    pub(super) fn repeat(&mut self, count: &Expression, body: &Block) -> Result<(), Stopped> {
        let count = self.evaluate(count, None)?.number();
        let changed = assigned([body]);
        self.forget(&changed);
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
    pub(super) fn rounds(&mut self, over: &Over) -> Result<Vec<Value>, Stopped> {
        match over {
            Over::Range(from, to) => {
                let place = from.span.to(to.span);
                let ends = [self.evaluate(from, None)?, self.evaluate(to, None)?];
                let class = self.common(&ends, place);
                let [from, to] =
                    [self.as_class(&ends[0], &class, place)?, self.as_class(&ends[1], &class, place)?];
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

    pub(super) fn rounds_of(
        &mut self,
        name: &Name,
        rounds: impl Iterator<Item = Value>,
        body: &Block,
        place: Span,
    ) -> Result<(), Stopped> {
        let changed = assigned([body]);
        self.forget(&changed);
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

    pub(super) fn repeat_while(
        &mut self,
        condition: &Expression,
        limit: &Expression,
        body: &Block,
        place: Span,
    ) -> Result<(), Stopped> {
        let limit = self.constant(limit)?;
        let changed = assigned([body]);
        self.forget(&changed);
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
