//! Lists.

use std::sync::Arc;

use limbforge_algos::program::text::syntax::{self, Expression, ExpressionKind, Name, Span};
use num_bigint::BigInt;

use super::class::int;
use super::scope::Scope;
use super::value::{Value, elementwise};
use super::{Run, Stopped};

/// The integers of the columns of a row.
pub type Row = Vec<BigInt>;

/// A list: its name, its columns without numbers, and its rows.
#[derive(Debug)]
pub(super) struct List {
    name: Arc<str>,
    columns: Vec<Value>,
    pub(super) rows: Vec<Row>,
}

impl Run<'_> {
    pub(super) fn list(&mut self, list: &syntax::List) -> Result<(), Stopped> {
        let columns = list.columns().iter().map(|ty| self.shape_of(ty)).collect::<Result<_, _>>()?;
        self.lists.push(List { name: Arc::clone(&list.name.text), columns, rows: vec![] });
        Ok(())
    }

    /// Appends a row, or one for each element. Values with the number of the element come behind the others.
    pub(super) fn emit(
        &mut self,
        name: &Name,
        values: &[Expression],
        condition: Option<&Expression>,
        place: Span,
    ) -> Result<(), Stopped> {
        let at = self.lists.iter().position(|list| list.name == name.text);
        let at = at.unwrap_or_else(|| panic!("expected a list, found `{name}`"));
        let all: Vec<&Expression> = values.iter().chain(condition).collect();
        let late = |e: &Expression| mentions(e, "element");
        let mut found: Vec<Option<Value>> = vec![None; all.len()];
        for i in (0..all.len()).filter(|&i| !late(all[i])) {
            found[i] = Some(self.evaluate(all[i], None)?);
        }
        let length = |found: &[Option<Value>]| {
            found.iter().flatten().find_map(|value| match value {
                Value::Array(elements) => Some(elements.len()),
                _ => None,
            })
        };
        if let Some(elements) = length(&found) {
            let number = |i: usize| Value::int(int(32, false), Some(i.into()));
            self.scopes.push(Scope::default());
            self.declare(&"element".into(), Value::Array((0..elements).map(number).collect()));
        }
        for i in (0..all.len()).filter(|&i| late(all[i])) {
            found[i] = Some(self.evaluate(all[i], None)?);
        }
        if length(&found).is_some() {
            self.scopes.pop();
        }
        let mut operands: Vec<Value> = found.into_iter().flatten().collect();
        let columns = self.lists[at].columns.clone();
        for (operand, column) in operands.iter_mut().zip(&columns) {
            *operand =
                elementwise(core::slice::from_ref(operand), &mut |x| self.convert(&x[0], column, place))?;
        }
        if condition.is_none() {
            operands.push(Value::Bool(Some(true)));
        }
        let mut rows = vec![];
        elementwise(&operands, &mut |values| {
            let (condition, values) = values.split_last().unwrap_or_else(|| panic!("a row has values"));
            if condition.truth() == Some(true) && !self.is_survey() {
                let number = |value: &Value| value.number().unwrap_or_else(|| panic!("a row is known"));
                rows.push(values.iter().map(number).collect());
            }
            Ok(Value::Bool(None))
        })?;
        self.lists[at].rows.extend(rows);
        Ok(())
    }
}

/// Whether an expression without blocks has a name.
fn mentions(e: &Expression, word: &str) -> bool {
    match &*e.kind {
        ExpressionKind::Name(name) => &**name == word,
        ExpressionKind::Number(_) | ExpressionKind::Truth(_) | ExpressionKind::If { .. } => false,
        ExpressionKind::Tuple(parts) | ExpressionKind::Array(parts) | ExpressionKind::Call(_, parts) => {
            parts.iter().any(|part| mentions(part, word))
        }
        ExpressionKind::Each { element, .. } => mentions(element, word),
        ExpressionKind::Prefix(_, a) => mentions(a, word),
        ExpressionKind::Element(a, b) | ExpressionKind::Infix(_, a, b) | ExpressionKind::Mod(a, b) => {
            mentions(a, word) || mentions(b, word)
        }
    }
}
