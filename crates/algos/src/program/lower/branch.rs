//! Branches: `if`, and `and` and `or` where the right side costs something or may fail.

use std::sync::Arc;

use super::assigned::{assigned, assigned_in};
use super::class::Class;
use super::open::{Leaf, OpenKind, OpenRegion, Want};
use super::shape::Shape;
use super::{Lower, Result, type_error};
use crate::invariant::broken_invariant;
use crate::op::{Class as OpClass, Op};
use crate::program::region::Kind;
use crate::program::text::syntax::{Block, Expression, ExpressionKind, Infix, Span};
use crate::program::ty::ValueId;

/// Variables that a loop carries or a branch decides: each with its slots.
pub(super) struct Carried {
    names: Vec<Arc<str>>,
    pub(super) slots: Vec<(Class, Option<u32>)>,
}

impl<'p> Lower<'p> {
    /// The variables among these names.
    pub(super) fn carried(&mut self, names: Vec<Arc<str>>) -> Carried {
        let mut carried = Carried { names: vec![], slots: vec![] };
        for name in names {
            if let Some(binding) = self.scopes.variable(&name).filter(|binding| !binding.slots.is_empty()) {
                carried.slots.extend(&binding.slots);
                carried.names.push(name);
            }
        }
        carried
    }

    /// The values of carried variables, each in the type of its slot.
    pub(super) fn current(&mut self, carried: &Carried) -> Vec<(Leaf, Want)> {
        let mut leaves = vec![];
        for name in &carried.names {
            if let Some(binding) = self.scopes.variable(name) {
                leaves.extend(binding.shape.leaves().into_iter().cloned());
            }
        }
        leaves.into_iter().zip(&carried.slots).map(|(leaf, (class, _))| (leaf, Want::Class(*class))).collect()
    }

    /// Gives carried variables other values.
    pub(super) fn rebind(&mut self, carried: &Carried, values: impl IntoIterator<Item = Leaf>) {
        let mut values = values.into_iter();
        for name in &carried.names {
            if let Some(binding) = self.scopes.variable(name) {
                binding.shape = binding.shape.with(&mut values);
            }
        }
    }

    /// New values for carried variables in the region at hand.
    pub(super) fn fresh(&mut self, carried: &Carried) -> Vec<ValueId> {
        carried.slots.iter().map(|(class, length)| self.value(*class, *length)).collect()
    }

    /// Adds a node whose first results are what carried variables are from here on.
    pub(super) fn carrying(
        &mut self,
        kind: OpenKind,
        args: Vec<(Leaf, Want)>,
        (carried, results): (&Carried, Vec<ValueId>),
        span: Span,
    ) {
        self.rebind(carried, results.iter().map(|value| Leaf::Value(*value)));
        self.node(kind, args, results, span);
    }

    pub(super) fn open_region(&mut self) {
        self.regions.push(OpenRegion::default());
        self.scopes.enter();
    }

    pub(super) fn close_region(&mut self) -> OpenRegion {
        self.scopes.leave();
        self.regions.pop().unwrap_or_else(|| broken_invariant("a region is closed that was opened"))
    }

    /// `if`: its value, if both blocks have one.
    pub(super) fn branch(
        &mut self,
        condition: &Expression,
        then: &Block,
        otherwise: Option<&Block>,
        span: Span,
    ) -> Result<Option<Shape>> {
        let shape = self.expression(condition)?;
        let leaf = self.condition(&shape, condition.span)?;
        let names = assigned([then].into_iter().chain(otherwise));
        self.arms(
            &leaf,
            names,
            &mut |this: &mut Self| this.block(then),
            &mut |this: &mut Self| otherwise.map_or(Ok(None), |block| this.block(block)),
            span,
        )
    }

    fn arms(
        &mut self,
        condition: &Leaf,
        names: Vec<Arc<str>>,
        then: &mut dyn FnMut(&mut Self) -> Result<Option<Shape>>,
        otherwise: &mut dyn FnMut(&mut Self) -> Result<Option<Shape>>,
        span: Span,
    ) -> Result<Option<Shape>> {
        let carried = self.carried(names);
        let before: Vec<Leaf> = self.current(&carried).into_iter().map(|(leaf, _)| leaf).collect();
        let arm = |this: &mut Self, lower: &mut dyn FnMut(&mut Self) -> Result<Option<Shape>>| {
            this.open_region();
            let value = lower(this);
            let yields = this.current(&carried);
            let mut region = this.close_region();
            this.rebind(&carried, before.iter().cloned());
            region.yields = yields;
            Ok((value?, region))
        };
        let (value, mut then) = arm(self, then)?;
        let (other, mut otherwise) = arm(self, otherwise)?;
        let mut results = self.fresh(&carried);
        let values = value.zip(other);
        let mut chosen = None;
        if let Some((value, other)) = values {
            let mut join = |this: &mut Self, a: &Leaf, b: &Leaf| {
                let class = this.one_of(&[a, b], span)?;
                let length = this.length(a);
                then.yields.push((a.clone(), Want::Class(class)));
                otherwise.yields.push((b.clone(), Want::Class(class)));
                if length != this.length(b) {
                    return Err(type_error(span, this.describe(a), this.describe(b)));
                }
                let result = this.value(class, length);
                results.push(result);
                Ok(Leaf::Value(result))
            };
            chosen = Some(self.zip(&value, &other, span, &mut join)?);
        }
        let args = vec![(condition.clone(), Want::Bool)];
        self.carrying(OpenKind::If { then, otherwise }, args, (&carried, results), span);
        Ok(chosen)
    }

    /// `a and b`, `a or b`.
    pub(super) fn logic(&mut self, sign: Infix, a: &Expression, b: &Expression, span: Span) -> Result<Shape> {
        let left = self.expression(a)?;
        if is_plain(b) {
            let (left, right) = (self.truth_value(&left, a.span)?, self.expression(b)?);
            let right = self.truth_value(&right, b.span)?;
            let kind = OpenKind::Fixed(if sign == Infix::And { Kind::And } else { Kind::Or });
            let bool = self.bool_class();
            let leaf = self.emit(kind, vec![(left, Want::Bool), (right, Want::Bool)], bool, span)?;
            return Ok(Shape::Leaf(leaf));
        }
        let left = self.condition(&left, a.span)?;
        let mut right = |this: &mut Self| {
            let shape = this.expression(b)?;
            this.condition(&shape, b.span).map(|leaf| Some(Shape::Leaf(leaf)))
        };
        let (names, kept) = (assigned_in(b), left.clone());
        let mut same = |_: &mut Self| Ok(Some(Shape::Leaf(kept.clone())));
        let value = match sign {
            Infix::And => self.arms(&left, names, &mut right, &mut same, span)?,
            _ => self.arms(&left, names, &mut same, &mut right, span)?,
        };
        Ok(value.unwrap_or_else(|| broken_invariant("both sides of `and` have a value")))
    }
}

/// Whether an expression costs little and never fails: comparisons and sums of names and numbers.
fn is_plain(e: &Expression) -> bool {
    match &*e.kind {
        ExpressionKind::Number(_) | ExpressionKind::Truth(_) | ExpressionKind::Name(_) => true,
        ExpressionKind::Prefix(_, a) => is_plain(a),
        ExpressionKind::Infix(Infix::And | Infix::Or, a, b) => is_plain(a) && is_plain(b),
        ExpressionKind::Infix(Infix::Operation(row), a, b) => {
            let class = row.op.as_ref().map(Op::class);
            let is_cheap =
                matches!(class, Some(OpClass::Comparison(_) | OpClass::Sum(_) | OpClass::Bitwise(_)));
            is_cheap && is_plain(a) && is_plain(b)
        }
        _ => false,
    }
}
