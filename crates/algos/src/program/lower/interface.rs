//! Inputs, results and written types.

use std::sync::Arc;

use limbforge_limb::IntType;

use super::constant::constant_error;
use super::open::Leaf;
use super::scope::Binding;
use super::shape::Shape;
use super::{Lower, Result, type_error};
use crate::program::region::Part;
use crate::program::text::syntax::{Expression, Name, Span, Type, TypeKind};
use crate::program::text::{ProgramError, ProgramErrorKind};
use crate::program::ty::{BIT, Element, ModulusId};

/// Most integers of an instance in an input.
const MAX_ELEMENTS: u64 = 1 << 20;

/// An input, whose values are integers.
pub(super) struct OpenInput {
    pub(super) name: Arc<str>,
    pub(super) ty: IntType,
    pub(super) elements: u32,
    pub(super) parts: Vec<Part>,
}

/// A result.
pub(super) struct OpenOutput {
    pub(super) name: Arc<str>,
    pub(super) shape: Shape,
    pub(super) span: Span,
}

/// A member of an input: a type for one integer, or for an array of them.
struct Member {
    kind: MemberKind,
    span: Span,
    length: Option<u32>,
    first: u32,
    stride: u32,
}

#[derive(Clone, Copy)]
enum MemberKind {
    Bool,
    Int(IntType),
    Residue(ModulusId),
    /// That of the batch.
    Given,
}

impl Lower<'_> {
    pub(super) fn input(&mut self, name: &Name, ty: Option<&Type>) -> Result<()> {
        let mut members = vec![];
        let shape = match ty {
            None => self.member(MemberKind::Given, name.span, &mut members),
            Some(ty) => self.members(ty, None, &mut members)?,
        };
        let elements: u64 = members.iter().map(|member| u64::from(member.length.unwrap_or(1))).sum();
        let elements = u32::try_from(elements).ok().filter(|k| u64::from(*k) <= MAX_ELEMENTS);
        let Some(elements) = elements else {
            let expected = format!("at most {MAX_ELEMENTS} integers of an instance");
            return Err(constant_error(name.span, expected, "more"));
        };
        let ty = self.batch_type(name, &members)?;
        let (mut parts, mut leaves) = (vec![], vec![]);
        let class = self.classes.of(Element::Int(ty));
        for member in &members {
            let value = self.value(class, member.length);
            parts.push(Part { value, first: member.first, stride: member.stride });
            leaves.push(self.received(Leaf::Value(value), member)?);
        }
        let shape = shape.with(&mut leaves.into_iter());
        self.scopes.declare(&name.text, Binding { shape, slots: vec![] });
        self.inputs.push(OpenInput { name: Arc::clone(&name.text), ty, elements, parts });
        Ok(())
    }

    /// An integer of a batch as a value of its written type.
    fn received(&mut self, leaf: Leaf, member: &Member) -> Result<Leaf> {
        match member.kind {
            MemberKind::Int(_) | MemberKind::Given => Ok(leaf),
            MemberKind::Residue(modulus) => self.residue(&leaf, modulus, member.span),
            MemberKind::Bool => self.is_not_zero(&leaf, member.span),
        }
    }

    fn member(&mut self, kind: MemberKind, span: Span, members: &mut Vec<Member>) -> Shape {
        let first = members.iter().map(|member: &Member| member.length.unwrap_or(1)).sum();
        members.push(Member { kind, span, length: None, first, stride: 1 });
        Shape::Leaf(Leaf::Number(0.into()))
    }

    /// The members of a type in order, each of `length` elements if that is given.
    fn members(&mut self, ty: &Type, length: Option<u32>, members: &mut Vec<Member>) -> Result<Shape> {
        let kind = match &ty.kind {
            TypeKind::Bool => MemberKind::Bool,
            TypeKind::Int(ty) => MemberKind::Int(*ty),
            TypeKind::Residue(name) => MemberKind::Residue(self.named_modulus(name)?),
            TypeKind::Tuple(types) => {
                let shapes = types.iter().map(|ty| self.members(ty, length, members));
                return Ok(Shape::Tuple(shapes.collect::<Result<_>>()?));
            }
            TypeKind::Array(_, _) if length.is_some() => {
                return Err(type_error(ty.span, "elements that are no arrays", "an array of arrays"));
            }
            TypeKind::Array(element, k) => {
                let k = self.array_size(k)?;
                let from = members.len();
                let start = members.iter().map(|member| member.length.unwrap_or(1)).sum::<u32>();
                let shape = self.members(element, Some(k), members)?;
                // Elements one after the other, each with its members.
                let stride = (members.len() - from) as u32;
                for (j, member) in members[from..].iter_mut().enumerate() {
                    (member.first, member.stride) = (start + j as u32, stride);
                }
                return Ok(shape.into_rows());
            }
        };
        let shape = self.member(kind, ty.span, members);
        if let Some(last) = members.last_mut() {
            last.length = length;
        }
        Ok(shape)
    }

    pub(super) fn array_size(&mut self, k: &Expression) -> Result<u32> {
        let size = self.count(k, MAX_ELEMENTS)? as u32;
        if size == 0 { Err(constant_error(k.span, "at least one element", "`0`")) } else { Ok(size) }
    }

    /// The modulus of this name.
    pub(super) fn named_modulus(&mut self, name: &Name) -> Result<ModulusId> {
        let Some(shape) = self.scopes.shape(&name.text).cloned() else {
            let found = format!("`{}`", name.text);
            return Err(ProgramError::new(ProgramErrorKind::Name, name.span, "a modulus", found));
        };
        let leaf = self.single(&shape, name.span)?;
        self.modulus(&leaf, name.span)
    }

    /// The one type of all integers of a batch.
    fn batch_type(&self, name: &Name, members: &[Member]) -> Result<IntType> {
        let given = self.given.iter().find(|(given, _)| **given == *name.text).map(|(_, ty)| *ty);
        let mut found: Option<IntType> = None;
        for member in members {
            let wanted = match member.kind {
                MemberKind::Int(ty) => Some(ty),
                MemberKind::Bool => given.or(Some(BIT)),
                MemberKind::Residue(modulus) => given.or_else(|| self.modulus_type(modulus)),
                MemberKind::Given => given,
            };
            let Some(wanted) = wanted else {
                let expected = format!("the type of the batch `{}`", name.text);
                let error = type_error(member.span, expected, "none");
                return Err(error.with_help(format!("write it: in {}: u1024", name.text)));
            };
            if let Some(ty) = found.replace(wanted).filter(|ty| *ty != wanted) {
                let error = type_error(member.span, format!("members of one type, {ty}"), wanted.to_string());
                return Err(error.with_help("an input is a batch of one type: take two inputs"));
            }
        }
        match (found, given) {
            (Some(ty), Some(given)) if given != ty => {
                let error = type_error(name.span, format!("a batch of {ty}"), format!("one of {given}"));
                Err(error.with_help("convert the batch, or leave its type out of the program"))
            }
            (Some(ty), _) => Ok(ty),
            (None, _) => Err(type_error(name.span, "a member", "an empty tuple")),
        }
    }

    fn modulus_type(&self, modulus: ModulusId) -> Option<IntType> {
        match &self.moduli[modulus.index()].modulus {
            Leaf::Number(n) => IntType::new(n.bits(), false).ok(),
            leaf => match self.element(leaf) {
                Some(Element::Int(ty)) => Some(ty),
                _ => None,
            },
        }
    }

    pub(super) fn output(&mut self, name: &Name, value: Option<&Expression>) -> Result<()> {
        let (shape, span) = match value {
            Some(value) => (self.expression(value)?, value.span),
            None => (self.name(&name.text, name.span)?, name.span),
        };
        let shape = shape.map(&mut |leaf| {
            if self.is_residue(leaf) { self.int(leaf, span) } else { self.typed(leaf, span) }
        })?;
        self.outputs.push(OpenOutput { name: Arc::clone(&name.text), shape, span });
        Ok(())
    }
}
