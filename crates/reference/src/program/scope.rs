//! Names and variables, and the types that assignments keep.

use std::collections::HashMap;
use std::sync::Arc;

use limbforge_algos::program::text::syntax::{Pattern, Span};

use super::value::Value;
use super::{Run, Stopped};

/// The names of a block.
pub(super) type Scope = HashMap<Arc<str>, Variable>;

/// A name with its value.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) value: Value,
    /// The shape that all values of a variable have: of the declared type, or that of the first value.
    shape: Option<Value>,
}

impl Variable {
    pub(super) const fn new(value: Value) -> Self {
        Self { value, shape: None }
    }
}

impl Run<'_> {
    pub(super) fn declare(&mut self, name: &Arc<str>, value: Value) {
        self.declare_variable(name, Variable::new(value));
    }

    fn declare_variable(&mut self, name: &Arc<str>, variable: Variable) {
        let scope = self.scopes.last_mut().unwrap_or_else(|| panic!("a program has a scope"));
        scope.insert(name.clone(), variable);
    }

    /// Takes a value apart.
    pub(super) fn declare_all(&mut self, pattern: &Pattern, value: Value, shape: Option<Value>) {
        match (pattern, value) {
            (Pattern::Name(name), value) => self.declare_variable(&name.text, Variable { value, shape }),
            (Pattern::Tuple(patterns, _), Value::Tuple(values)) if patterns.len() == values.len() => {
                let shapes: Vec<Option<Value>> = match shape {
                    Some(Value::Tuple(shapes)) => shapes.into_iter().map(Some).collect(),
                    _ => vec![None; values.len()],
                };
                for ((pattern, value), shape) in patterns.iter().zip(values).zip(shapes) {
                    self.declare_all(pattern, value, shape);
                }
            }
            (pattern, value) => panic!("expected a tuple like {pattern:?}, found {value:?}"),
        }
    }

    pub(super) fn find(&self, name: &str) -> &Variable {
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        found.unwrap_or_else(|| panic!("expected a name that is declared, found `{name}`"))
    }

    /// The value of a name: the number of the instance, if nothing else is declared so.
    pub(super) fn value_of(&self, name: &str) -> Value {
        match self.scopes.iter().any(|scope| scope.contains_key(name)) {
            false if name == "instance" => self.number_of_instance(),
            _ => self.find(name).value.clone(),
        }
    }

    fn find_mut(&mut self, name: &str) -> &mut Variable {
        let found = self.scopes.iter_mut().rev().find_map(|scope| scope.get_mut(name));
        found.unwrap_or_else(|| panic!("expected a name that is declared, found `{name}`"))
    }

    /// Assigns a variable, in the type that it has to keep.
    pub(super) fn assign(&mut self, name: &str, value: Value, place: Span) -> Result<(), Stopped> {
        let value = match self.find(name).shape.clone() {
            Some(shape) => self.convert(&value, &shape, place)?,
            None => value,
        };
        self.find_mut(name).value = value;
        Ok(())
    }

    /// In a survey, forgets what variables are where there are several ways through a program.
    pub(super) fn forget(&mut self, names: &[Arc<str>]) {
        let names = if self.is_survey() { names } else { &[] };
        for name in names {
            let variable = self.find_mut(name);
            variable.value = variable.value.forget();
        }
    }

    /// The shape of a value, where numbers without a type get one that is found later.
    pub(super) fn typed_shape(&mut self, value: &Value, place: Span, what: &str) -> Value {
        match value {
            Value::Exact(_) => Value::Number(self.classes.at(self.key(place, what)), None),
            // All elements have one type.
            Value::Array(elements) => {
                let shapes: Vec<Value> =
                    elements.iter().map(|element| self.typed_shape(element, place, what)).collect();
                Value::Array(shapes)
            }
            Value::Tuple(members) => {
                let shape = |(i, member)| self.typed_shape(member, place, &format!("{what}.{i}"));
                Value::Tuple(members.iter().enumerate().map(shape).collect())
            }
            value => value.forget(),
        }
    }
}
