//! Items, statements and blocks.

use std::sync::Arc;

use super::open::{Leaf, OpenKind, Want};
use super::scope::Binding;
use super::shape::Shape;
use super::{Lower, Result, type_error};
use crate::program::region::Kind;
use crate::program::text::syntax::{
    Block, Expression, ExpressionKind, Item, Name, Pattern, Place, Span, Statement, StatementKind, Type,
};
use crate::program::text::{ProgramError, ProgramErrorKind};

impl<'p> Lower<'p> {
    pub(super) fn item(&mut self, item: &'p Item) -> Result<()> {
        match item {
            Item::Const { name, value } => {
                let number = self.number(value)?;
                self.scopes.constant(&name.text, Shape::Leaf(Leaf::Number(number)));
                Ok(())
            }
            Item::Inputs(inputs) => inputs.iter().try_for_each(|(name, ty)| self.input(name, ty.as_ref())),
            Item::Function(function) => {
                self.functions.insert(Arc::clone(&function.name.text), function);
                Ok(())
            }
            Item::Outputs(outputs) => {
                outputs.iter().try_for_each(|(name, value)| self.output(name, value.as_ref()))
            }
            Item::List(list) => self.list(list),
            Item::Statement(statement) => self.statement(statement).map(|_| ()),
        }
    }
}

impl Lower<'_> {
    /// The statements of a block in a scope of their own; its value.
    pub(super) fn block(&mut self, block: &Block) -> Result<Option<Shape>> {
        self.scopes.enter();
        let mut value = Ok(None);
        for statement in &block.statements {
            value = self.statement(statement);
            if value.is_err() {
                break;
            }
        }
        self.scopes.leave();
        value
    }

    /// The value, if the statement is one.
    fn statement(&mut self, statement: &Statement) -> Result<Option<Shape>> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Declare { is_variable, pattern, ty, value } => {
                self.declare(*is_variable, pattern, ty.as_ref(), value)?;
            }
            StatementKind::Assign { place, value } => {
                let shape = self.expression(value)?;
                self.assign(place, &shape, value.span)?;
            }
            StatementKind::Repeat { count, body } => self.repeat(count, body, span)?,
            StatementKind::For { name, over, after, body } => {
                self.for_loop(name, over, after.as_ref(), body, span)?;
            }
            StatementKind::While { condition, limit, body } => {
                self.while_loop(condition, limit, body, span)?;
            }
            StatementKind::Require(condition) => {
                let shape = self.expression(condition)?;
                let holds = self.condition(&shape, condition.span)?;
                self.node(OpenKind::Fixed(Kind::Require), vec![(holds, Want::Bool)], vec![], span);
            }
            StatementKind::Emit { list, values, condition } => {
                self.emit_row(list, values, condition.as_ref(), span)?;
            }
            StatementKind::Value(value) => return self.value_of(value),
        }
        Ok(None)
    }

    /// An `if` need not have a value here.
    fn value_of(&mut self, value: &Expression) -> Result<Option<Shape>> {
        match &*value.kind {
            ExpressionKind::If { condition, then, otherwise } => {
                self.branch(condition, then, otherwise.as_ref(), value.span)
            }
            _ => self.expression(value).map(Some),
        }
    }

    fn declare(
        &mut self,
        is_variable: bool,
        pattern: &Pattern,
        ty: Option<&Type>,
        value: &Expression,
    ) -> Result<()> {
        let mut shape = self.expression(value)?;
        if let Some(ty) = ty {
            shape = self.of_type(&shape, ty, None, value.span)?;
        }
        if is_variable { self.variables(pattern, shape, value.span) } else { self.bind(pattern, shape) }
    }

    fn assign(&mut self, place: &Place, shape: &Shape, span: Span) -> Result<()> {
        match (place, shape) {
            (Place::Name(name), shape) => self.assign_name(name, shape, span),
            (Place::Element(name, index), shape) => self.assign_element(name, index, shape, span),
            (Place::Tuple(places, _), Shape::Tuple(values) | Shape::Rows(values))
                if places.len() == values.len() =>
            {
                places.iter().zip(values).try_for_each(|(place, value)| self.assign(place, value, span))
            }
            (Place::Tuple(places, span), value) => {
                Err(type_error(*span, format!("a tuple of {} values", places.len()), value.describe()))
            }
        }
    }

    fn variable(&mut self, name: &Name) -> Result<Binding> {
        let binding = self.scopes.variable(&name.text).filter(|binding| !binding.slots.is_empty()).cloned();
        binding.ok_or_else(|| {
            let found = format!("`{}`", name.text);
            let expected = "a variable that was declared with `var`";
            ProgramError::new(ProgramErrorKind::Assignment, name.span, expected, found)
        })
    }

    fn assign_name(&mut self, name: &Name, shape: &Shape, span: Span) -> Result<()> {
        let binding = self.variable(name)?;
        let leaves: Vec<Leaf> = shape.leaves().into_iter().cloned().collect();
        if leaves.len() != binding.slots.len() {
            return Err(type_error(span, binding.shape.describe(), shape.describe()));
        }
        let converted = leaves.iter().zip(&binding.slots).map(|(leaf, slot)| self.convert(leaf, *slot, span));
        let converted = converted.collect::<Result<Vec<_>>>()?;
        let shape = binding.shape.with(&mut converted.into_iter());
        if let Some(binding) = self.scopes.variable(&name.text) {
            binding.shape = shape;
        }
        Ok(())
    }

    /// `name[index] = value`
    fn assign_element(&mut self, name: &Name, index: &Expression, value: &Shape, span: Span) -> Result<()> {
        let binding = self.variable(name)?;
        let i = self.expression(index)?;
        let i = self.index(&i, index.span)?;
        let values: Vec<Leaf> = value.leaves().into_iter().cloned().collect();
        if values.len() != binding.slots.len() {
            return Err(type_error(span, binding.shape.describe(), value.describe()));
        }
        let arrays: Vec<Leaf> = binding.shape.leaves().into_iter().cloned().collect();
        let mut updated = vec![];
        let whole = name.span.to(index.span);
        for ((array, (class, length)), value) in arrays.iter().zip(&binding.slots).zip(&values) {
            let Some(k) = *length else {
                return Err(type_error(name.span, "an array", self.describe(array)));
            };
            Self::check_index(&i, k, index.span)?;
            let value = self.convert(value, (*class, None), span)?;
            let args = vec![
                (array.clone(), Want::Class(*class)),
                (i.clone(), Want::Own),
                (value, Want::Class(*class)),
            ];
            updated.push(self.emit_of(OpenKind::Fixed(Kind::Update), args, (*class, *length), whole));
        }
        let shape = binding.shape.with(&mut updated.into_iter());
        if let Some(binding) = self.scopes.variable(&name.text) {
            binding.shape = shape;
        }
        Ok(())
    }
}
