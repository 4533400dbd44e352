//! Random integers, and the number of the instance.

use super::open::{OpenKind, Want};
use super::shape::Shape;
use super::{Lower, Result, type_error};
use crate::program::region::Kind;
use crate::program::text::syntax::{Expression, Span, integer_type};
use crate::program::ty::{Element, WORD};

impl Lower<'_> {
    /// `random(type, seed, counter)`, of integers modulo 2^64.
    pub(super) fn random(
        &mut self,
        ty: &Expression,
        [seed, counter]: [&Expression; 2],
        span: Span,
    ) -> Result<Shape> {
        let Some(ty) = integer_type(ty) else {
            return Err(type_error(ty.span, "a type of integers", "another operand"));
        };
        let (a, b) = (self.expression(seed)?, self.expression(counter)?);
        self.zip(&a, &b, span, &mut |this, a, b| {
            for (leaf, operand) in [(a, seed), (b, counter)] {
                this.want_integer(leaf, operand.span)?;
            }
            let args = [this.cast(a, WORD, seed.span)?, this.cast(b, WORD, counter.span)?];
            let class = this.classes.of(Element::Int(ty));
            let args = args.map(|leaf| (leaf, Want::Own)).to_vec();
            this.emit(OpenKind::Fixed(Kind::Random), args, class, span)
        })
    }

    /// The number of the instance.
    pub(super) fn instance(&mut self, span: Span) -> Result<Shape> {
        let class = self.classes.of(Element::Int(WORD));
        self.emit(OpenKind::Fixed(Kind::Instance), vec![], class, span).map(Shape::Leaf)
    }
}
