//! The type in which operands meet.

use limbforge_limb::IntType;

use super::class::Class;
use super::open::Leaf;
use super::{Lower, Result, type_error};
use crate::program::text::syntax::Span;
use crate::program::text::{ProgramError, ProgramErrorKind};
use crate::program::ty::Element;

/// Whether a type holds all numbers of another.
pub(super) const fn holds(ty: IntType, other: IntType) -> bool {
    if ty.is_signed() == other.is_signed() {
        ty.bits() >= other.bits()
    } else {
        ty.is_signed() && ty.bits() > other.bits()
    }
}

impl Lower<'_> {
    /// The type in which integers and residues meet: residues' if there is one, else that of the integers
    /// that holds the others. Operands whose type was open take it; a `bool` is 0 or 1.
    pub(super) fn meet(&mut self, leaves: &[&Leaf], span: Span) -> Result<Class> {
        let (mut int, mut residue, mut open): (Option<IntType>, Option<Element>, Vec<Class>) = <_>::default();
        for leaf in leaves {
            match (self.element(leaf), self.class(leaf)) {
                (Some(Element::Int(ty)), _) => int = Some(join(int, ty, span)?),
                (Some(element @ Element::Residue(_)), _) => {
                    if *residue.get_or_insert(element) != element {
                        return Err(self.two_moduli(span));
                    }
                }
                (None, Some(class)) => open.push(class),
                (Some(Element::Bool), _) | (None, None) => {}
            }
        }
        if let Some(residue) = residue {
            return Ok(self.classes.of(residue));
        }
        if let Some(ty) = int {
            open.iter().for_each(|class| self.classes.bind(*class, Element::Int(ty)));
            return Ok(self.classes.of(Element::Int(ty)));
        }
        let Some(first) = open.first().copied() else { return Ok(self.classes.open()) };
        open.iter().for_each(|class| self.classes.unify(*class, first));
        Ok(first)
    }

    fn two_moduli(&self, span: Span) -> ProgramError {
        let moduli = self.moduli.len();
        let error =
            ProgramError::new(ProgramErrorKind::Modulus, span, "residues of one modulus", "two moduli");
        error.with_help(format!("int(x) is the number of a residue; the program has {moduli} moduli"))
    }

    /// The type of a value that is one of these: as [`meet`](Self::meet), but of nothing but `bool` a `bool`.
    pub(super) fn one_of(&mut self, leaves: &[&Leaf], span: Span) -> Result<Class> {
        if leaves.iter().all(|leaf| self.is_bool(leaf)) {
            return Ok(self.bool_class());
        }
        self.meet(leaves, span)
    }
}

/// The type that holds the numbers of both.
fn join(int: Option<IntType>, ty: IntType, span: Span) -> Result<IntType> {
    match int {
        None => Ok(ty),
        Some(int) if holds(int, ty) => Ok(int),
        Some(int) if holds(ty, int) => Ok(ty),
        Some(int) => {
            let error = type_error(
                span,
                "integers of which one type holds all numbers of the other",
                format!("{int} and {ty}"),
            );
            Err(error.with_help(format!("write {int}(...) or {ty}(...), which take the number mod 2^N")))
        }
    }
}
