//! Statements and blocks.

use limbforge_algos::program::text::syntax::{Block, ExpressionKind, Place, Span, Statement, StatementKind};

use super::scope::Scope;
use super::value::Value;
use super::{Run, Stopped};

impl Run<'_> {
    /// The value of a statement that is an expression.
    pub(super) fn statement(&mut self, statement: &Statement) -> Result<Option<Value>, Stopped> {
        let place = statement.span;
        match &statement.kind {
            StatementKind::Declare { is_variable, pattern, ty, value } => {
                let value = self.evaluate(value, None)?;
                let shape = match ty {
                    Some(ty) => Some(self.shape_of(ty)?),
                    None if *is_variable => Some(self.typed_shape(&value, place, "variable")),
                    None => None,
                };
                let value = match &shape {
                    Some(shape) => self.convert(&value, shape, place)?,
                    None => value,
                };
                self.declare_all(pattern, value, shape);
            }
            StatementKind::Assign { place: to, value } => {
                let value = self.evaluate(value, None)?;
                self.assign_all(to, value, place)?;
            }
            StatementKind::Repeat { count, body } => self.repeat(count, body)?,
            StatementKind::For { name, over, after, body } => {
                let after = after.as_ref().map_or(Ok(0), |after| self.constant(after))?;
                let rounds = self.rounds(over)?;
                let after = if self.is_survey() { 0 } else { after };
                self.rounds_of(name, rounds.into_iter().skip(after), body, place)?;
            }
            StatementKind::While { condition, limit, body } => {
                self.repeat_while(condition, limit, body, place)?;
            }
            StatementKind::Emit { list, values, condition } => {
                self.emit(list, values, condition.as_ref(), place)?;
            }
            StatementKind::Require(condition) => {
                let holds = self.evaluate(condition, None)?.truth();
                if !self.is_survey() && holds == Some(false) {
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
            (Place::Element(name, at), value) => {
                let index = self.evaluate(at, None)?;
                let array = self.find(&name.text).value.clone();
                let array = self.update(&array, &index, &value, name.span.to(at.span))?;
                self.assign(&name.text, array, place)
            }
            (Place::Tuple(places, _), Value::Tuple(values)) if places.len() == values.len() => {
                places.iter().zip(values).try_for_each(|(to, value)| self.assign_all(to, value, place))
            }
            (to, value) => panic!("expected a tuple like {to:?}, found {value:?}"),
        }
    }
}
