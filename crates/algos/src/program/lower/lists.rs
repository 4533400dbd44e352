//! Lists: their columns, and rows.

use std::sync::Arc;

use num_bigint::BigInt;

use super::open::{Leaf, OpenKind, OpenNode, OpenRegion, Want};
use super::scope::Binding;
use super::shape::Shape;
use super::{Lower, Result, type_error};
use crate::invariant::broken_invariant;
use crate::program::region::{Kind, List};
use crate::program::text::syntax::{self, ELEMENT, Expression, ExpressionKind, Name, Span, Type, TypeKind};
use crate::program::ty::{Element, INDEX};

impl Lower<'_> {
    /// `list name: (types) at most count`
    pub(super) fn list(&mut self, list: &syntax::List) -> Result<()> {
        let columns = list.columns().iter().map(|ty| self.column(ty)).collect::<Result<Vec<_>>>()?;
        let most = self.count(&list.most, u64::MAX)?;
        self.lists.push(List { name: Arc::clone(&list.name.text), columns, most });
        Ok(())
    }

    fn column(&mut self, ty: &Type) -> Result<Element> {
        match &ty.kind {
            TypeKind::Bool => Ok(Element::Bool),
            TypeKind::Int(ty) => Ok(Element::Int(*ty)),
            TypeKind::Residue(name) => self.named_modulus(name).map(Element::Residue),
            TypeKind::Array(..) | TypeKind::Tuple(_) => {
                let error = type_error(ty.span, "a column of integers, bools or residues", ty.to_string());
                Err(error.with_help("a row of several columns is a tuple of them"))
            }
        }
    }

    /// `emit list(values) where condition`. Values with the number of the element come behind the others, which
    /// say how many elements there are.
    pub(super) fn emit_row(
        &mut self,
        name: &Name,
        values: &[Expression],
        condition: Option<&Expression>,
        span: Span,
    ) -> Result<()> {
        let list = self.lists.iter().position(|list| list.name == name.text);
        let list = list.unwrap_or_else(|| broken_invariant("names are checked"));
        let all: Vec<&Expression> = values.iter().chain(condition).collect();
        let hides = self.scopes.shape(ELEMENT).is_some();
        let (late, early): (Vec<usize>, Vec<usize>) =
            (0..all.len()).partition(|&i| !hides && has_element(all[i]));
        let mut leaves: Vec<Option<Leaf>> = vec![None; all.len()];
        for i in early {
            let shape = self.expression(all[i])?;
            leaves[i] = Some(self.single(&shape, all[i].span)?);
        }
        if let Some(&first) = late.first() {
            let length = leaves.iter().flatten().find_map(|leaf| self.length(leaf));
            let Some(length) = length else {
                return Err(type_error(all[first].span, "another value that is an array", "none"));
            };
            self.scopes.enter();
            let numbers = self.elements_of(length, span);
            self.scopes.declare(&ELEMENT.into(), Binding { shape: Shape::Leaf(numbers), slots: vec![] });
            for i in late {
                let shape = self.expression(all[i])?;
                leaves[i] = Some(self.single(&shape, all[i].span)?);
            }
            self.scopes.leave();
        }
        let mut args = vec![];
        if let (Some(condition), Some(Some(leaf))) = (condition, leaves.get(values.len())) {
            args.push((self.truth_value(&Shape::Leaf(leaf.clone()), condition.span)?, Want::Bool));
        }
        let columns = self.lists[list].columns.clone();
        for (((value, leaf), element), i) in values.iter().zip(&leaves).zip(columns).zip(0_u32..) {
            let Some(leaf) = leaf else { broken_invariant(&format!("value {i} of a row is computed")) };
            let class = self.classes.of(element);
            let leaf = match element {
                Element::Residue(modulus) => self.residue(leaf, modulus, value.span)?,
                _ => self.convert(leaf, (class, self.length(leaf)), value.span)?,
            };
            args.push((leaf, Want::Class(class)));
        }
        self.common_length(args.iter().map(|(leaf, _)| leaf), span)?;
        let kind = Kind::Emit { list: list as u32, guarded: condition.is_some() };
        self.node(OpenKind::Fixed(kind), args, vec![], span);
        Ok(())
    }

    /// The numbers of so many elements, an array.
    fn elements_of(&mut self, length: u32, span: Span) -> Leaf {
        let class = self.classes.of(Element::Int(INDEX));
        let numbers = (0..length).map(|i| (Leaf::Number(BigInt::from(i)), Want::Class(class))).collect();
        self.emit_of(OpenKind::Fixed(Kind::Array), numbers, (class, Some(length)), span)
    }

    /// Refuses the condition of a loop that appends rows: it may be evaluated again when a run goes on.
    pub(super) fn check_silent(region: &OpenRegion, span: Span) -> Result<()> {
        match region.nodes.iter().any(emits) {
            false => Ok(()),
            true => Err(type_error(span, "a condition that changes nothing", "an `emit` in it")),
        }
    }
}

fn emits(node: &OpenNode) -> bool {
    let of = |region: &OpenRegion| region.nodes.iter().any(emits);
    match &node.kind {
        OpenKind::Fixed(kind) => matches!(kind, Kind::Emit { .. }),
        OpenKind::For { body, .. } => of(body),
        OpenKind::While { condition, body, .. } => of(condition) || of(body),
        OpenKind::If { then, otherwise } => of(then) || of(otherwise),
        OpenKind::Meeting(..) | OpenKind::Convert => false,
    }
}

/// Whether an expression has the number of the element, blocks and functions apart.
fn has_element(e: &Expression) -> bool {
    match &*e.kind {
        ExpressionKind::Name(name) => &**name == ELEMENT,
        ExpressionKind::Number(_) | ExpressionKind::Truth(_) | ExpressionKind::If { .. } => false,
        ExpressionKind::Tuple(parts) | ExpressionKind::Array(parts) | ExpressionKind::Call(_, parts) => {
            parts.iter().any(has_element)
        }
        ExpressionKind::Each { element, .. } => has_element(element),
        ExpressionKind::Prefix(_, a) => has_element(a),
        ExpressionKind::Element(a, b) | ExpressionKind::Infix(_, a, b) | ExpressionKind::Mod(a, b) => {
            has_element(a) || has_element(b)
        }
    }
}
