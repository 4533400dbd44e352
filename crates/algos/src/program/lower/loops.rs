//! Loops.

use super::assigned::{assigned, assigned_in};
use super::branch::Carried;
use super::class::Class;
use super::constant::constant_error;
use super::open::{Leaf, OpenKind, OpenRegion, Want};
use super::scope::Binding;
use super::shape::Shape;
use super::{Lower, Result, type_error};
use crate::program::region::Rounds;
use crate::program::text::syntax::{Block, Expression, ExpressionKind, Name, Over, Span};
use crate::program::text::{ProgramError, ProgramErrorKind};
use crate::program::ty::ValueId;

/// Most bits of a digit.
const MAX_DIGIT_BITS: u64 = 64;

/// What a loop runs over: the operands of the node, and the leaves that the index is one of.
struct Head {
    over: Rounds,
    args: Vec<(Leaf, Want)>,
    /// Of the index, unless there is none. An array of tuples has several.
    index: Option<(Shape, Vec<Class>)>,
}

impl Lower<'_> {
    /// `repeat count { ... }`
    pub(super) fn repeat(&mut self, count: &Expression, body: &Block, span: Span) -> Result<()> {
        let shape = self.expression(count)?;
        let count = self.index(&shape, count.span)?;
        let head = Head { over: Rounds::Times, args: vec![(count, Want::Own)], index: None };
        self.counted(head, None, 0, body, span)
    }

    /// `for name in over after n { ... }`
    pub(super) fn for_loop(
        &mut self,
        name: &Name,
        over: &Over,
        after: Option<&Expression>,
        body: &Block,
        span: Span,
    ) -> Result<()> {
        let head = match over {
            Over::Range(from, to) => self.range(from, to, span)?,
            Over::Values(values) => match &*values.kind {
                ExpressionKind::Call(function, operands)
                    if matches!(&*function.text, "bits" | "digits")
                        && !self.functions.contains_key(&function.text) =>
                {
                    self.digits(&function.text, operands, values.span)?
                }
                _ => self.elements(values)?,
            },
        };
        let after = after.map_or(Ok(0), |after| self.count(after, u64::MAX))?;
        self.counted(head, Some(name), after, body, span)
    }

    fn range(&mut self, from: &Expression, to: &Expression, span: Span) -> Result<Head> {
        let mut end = |e: &Expression| {
            let shape = self.expression(e)?;
            self.index(&shape, e.span)
        };
        let (first, last) = (end(from)?, end(to)?);
        let class = self.meet(&[&first, &last], span)?;
        let args = vec![(first.clone(), Want::Class(class)), (last, Want::Class(class))];
        Ok(Head { over: Rounds::Range, args, index: Some((Shape::Leaf(first), vec![class])) })
    }

    /// `bits(k)` or `digits(k, w)`.
    fn digits(&mut self, function: &str, operands: &[Expression], span: Span) -> Result<Head> {
        let expected = if function == "bits" { 1 } else { 2 };
        if operands.len() != expected {
            let found = operands.len().to_string();
            let expected = format!("{expected} operands of `{function}`");
            return Err(ProgramError::new(ProgramErrorKind::Operands, span, expected, found));
        }
        let shape = self.expression(&operands[0])?;
        let k = self.index(&shape, operands[0].span)?;
        let (over, class) = match operands.get(1) {
            None => (Rounds::Bits, self.bool_class()),
            Some(width) => match self.count(width, MAX_DIGIT_BITS)? {
                0 => {
                    let expected = format!("digits of 1 to {MAX_DIGIT_BITS} bits");
                    return Err(constant_error(width.span, expected, "`0`"));
                }
                bits => (Rounds::Digits(bits as u32), self.int_class(bits, false, width.span)?),
            },
        };
        let index = Some((Shape::Leaf(k.clone()), vec![class]));
        Ok(Head { over, args: vec![(k, Want::Own)], index })
    }

    fn elements(&mut self, values: &Expression) -> Result<Head> {
        let shape = self.expression(values)?;
        let leaves: Vec<Leaf> = shape.leaves().into_iter().cloned().collect();
        let mut classes = vec![];
        for leaf in &leaves {
            self.array_length(leaf, values.span).map_err(|error| {
                error.with_help("write a range `0 .. n`, `bits(k)`, `digits(k, w)` or an array")
            })?;
            classes.extend(self.class(leaf));
        }
        let args = leaves.into_iter().map(|leaf| (leaf, Want::Own)).collect();
        Ok(Head { over: Rounds::Elements, args, index: Some((shape, classes)) })
    }

    fn counted(
        &mut self,
        head: Head,
        name: Option<&Name>,
        after: u64,
        body: &Block,
        span: Span,
    ) -> Result<()> {
        let carried = self.carried(assigned([body]));
        let mut args = head.args;
        args.extend(self.current(&carried));
        let body = self.round(&carried, |this, params| {
            if let (Some(name), Some((shape, classes))) = (name, head.index) {
                let values: Vec<_> = classes.into_iter().map(|class| this.value(class, None)).collect();
                params.splice(0..0, values.iter().copied());
                let shape = shape.with(&mut values.into_iter().map(Leaf::Value)).into_element();
                this.scopes.declare(&name.text, Binding { shape, slots: vec![] });
            }
            this.block(body).map(|_| ())
        })?;
        let results = self.fresh(&carried);
        self.carrying(OpenKind::For { over: head.over, after, body }, args, (&carried, results), span);
        Ok(())
    }

    /// A region whose parameters are the carried values, before what `lower` puts there, and which yields
    /// what they are after it.
    fn round(
        &mut self,
        carried: &Carried,
        lower: impl FnOnce(&mut Self, &mut Vec<ValueId>) -> Result<()>,
    ) -> Result<OpenRegion> {
        self.open_region();
        let mut params = self.fresh(carried);
        self.rebind(carried, params.iter().map(|value| Leaf::Value(*value)));
        let done = lower(self, &mut params);
        let yields = self.current(carried);
        let mut region = self.close_region();
        done?;
        (region.params, region.yields) = (params, yields);
        Ok(region)
    }

    /// `while condition limit rounds { ... }`
    pub(super) fn while_loop(
        &mut self,
        condition: &Expression,
        limit: &Expression,
        body: &Block,
        span: Span,
    ) -> Result<()> {
        let limit = self.count(limit, u64::MAX)?;
        if let Some(name) = assigned_in(condition).first() {
            let found = format!("an assignment of `{name}`");
            return Err(type_error(condition.span, "a condition that changes nothing", found));
        }
        let carried = self.carried(assigned([body]));
        let args = self.current(&carried);
        let mut holds = None;
        let mut test = self.round(&carried, |this, _| {
            let shape = this.expression(condition)?;
            holds = Some(this.condition(&shape, condition.span)?);
            Ok(())
        })?;
        Self::check_silent(&test, condition.span)?;
        test.yields = holds.into_iter().map(|leaf| (leaf, Want::Bool)).collect();
        let body = self.round(&carried, |this, _| this.block(body).map(|_| ()))?;
        let results = self.fresh(&carried);
        self.carrying(OpenKind::While { limit, condition: test, body }, args, (&carried, results), span);
        Ok(())
    }
}
