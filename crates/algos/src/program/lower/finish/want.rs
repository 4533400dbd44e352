//! Operands in the types that nodes want them in.

use limbforge_limb::IntType;
use num_bigint::BigInt;
use num_traits::Signed;

use super::super::constant::{constant_error, shown};
use super::super::meet::holds;
use super::super::open::{Leaf, Want};
use super::super::{Result, type_error};
use super::Finish;
use crate::program::region::{Kind, Node, ResidueOp};
use crate::program::text::syntax::Span;
use crate::program::text::{ProgramError, ProgramErrorKind};
use crate::program::ty::{BIT, Element, ModulusId, Ty, ValueId};

impl Finish {
    /// A number in the least type that holds it.
    pub(super) fn own_constant(
        &mut self,
        number: &BigInt,
        span: Span,
        nodes: &mut Vec<Node>,
    ) -> Result<ValueId> {
        let bits = number.bits().max(1) + u64::from(number.is_negative());
        let ty = IntType::new(bits, number.is_negative());
        let ty = ty.map_err(|_| constant_error(span, "a number of at most 2^24 bits", shown(number)))?;
        Ok(self.add(Ty::int(ty), Kind::Constant(number.clone()), vec![], span, nodes))
    }

    /// A variable may turn out to be a residue whose modulus is computed behind the declaration.
    fn check_order(&self, modulus: ModulusId, span: Span) -> Result<()> {
        match self.moduli[modulus.index()] {
            Some(value) if !self.computed.contains(&value) => {
                let kind = ProgramErrorKind::Modulus;
                let expected = "a modulus that is computed before its residues";
                let error = ProgramError::new(kind, span, expected, "one that is computed behind this value");
                Err(error.with_help("declare the variable behind its modulus"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn want(
        &mut self,
        leaf: &Leaf,
        want: Want,
        span: Span,
        nodes: &mut Vec<Node>,
    ) -> Result<ValueId> {
        let wanted = match want {
            Want::Own => None,
            Want::Bool => Some(Element::Bool),
            Want::Class(class) => Some(self.element(class)),
        };
        let value = match (leaf, wanted) {
            (Leaf::Number(number), Some(Element::Int(ty))) => {
                let value = constant(number, ty, span)?;
                return Ok(self.add(Ty::int(ty), Kind::Constant(value), vec![], span, nodes));
            }
            (Leaf::Number(number), _) => self.own_constant(number, span, nodes)?,
            (Leaf::Value(value), _) => self.resolve(*value),
        };
        let own = self.types[value.index()];
        let Some(wanted) = wanted.filter(|wanted| *wanted != own.element) else { return Ok(value) };
        let ty = Ty { element: wanted, length: own.length };
        match (own.element, wanted) {
            (Element::Bool, Element::Int(_)) => Ok(self.add(ty, Kind::Cast, vec![value], span, nodes)),
            (Element::Int(from), Element::Int(to)) if holds(to, from) => {
                Ok(self.add(ty, Kind::Cast, vec![value], span, nodes))
            }
            (Element::Int(_), Element::Residue(modulus)) => {
                self.check_order(modulus, span)?;
                Ok(self.add(ty, Kind::Residue(ResidueOp::Of), vec![value], span, nodes))
            }
            (Element::Bool, Element::Residue(modulus)) => {
                self.check_order(modulus, span)?;
                let bit = Ty { element: Element::Int(BIT), length: own.length };
                let number = self.add(bit, Kind::Cast, vec![value], span, nodes);
                Ok(self.add(ty, Kind::Residue(ResidueOp::Of), vec![number], span, nodes))
            }
            (Element::Int(from), Element::Int(to)) => {
                let error = type_error(span, to.to_string(), from.to_string());
                Err(error.with_help(format!("{to}(x) is x mod 2^{}", to.bits())))
            }
            (from, Element::Bool) => {
                let error = type_error(span, "a bool", describe(from));
                Err(error.with_help("compare it: x != 0"))
            }
            (Element::Residue(_), Element::Residue(_)) => {
                let error = type_error(span, "residues of one modulus", "two moduli");
                Err(error.with_help("int(x) is the number of a residue"))
            }
            (Element::Residue(_), Element::Int(to)) => {
                let error = type_error(span, to.to_string(), "a residue");
                Err(error.with_help("int(x) is the number of a residue"))
            }
        }
    }
}

/// A number of a type: negative ones are taken mod 2^N.
fn constant(number: &BigInt, ty: IntType, span: Span) -> Result<BigInt> {
    let bits = u64::from(ty.bits());
    let fits = match (ty.is_signed(), number.is_negative()) {
        (false, _) => number.bits() <= bits,
        (true, false) => number.bits() < bits,
        (true, true) => (number + BigInt::from(1)).bits() < bits,
    };
    if !fits {
        let expected = format!("a number from {} to {}", ty.min_text(), ty.max_text());
        return Err(constant_error(span, expected, shown(number)));
    }
    let wraps = !ty.is_signed() && number.is_negative();
    Ok(if wraps { number + (BigInt::from(1) << bits) } else { number.clone() })
}

fn describe(element: Element) -> String {
    match element {
        Element::Bool => "a bool".to_owned(),
        Element::Int(ty) => ty.to_string(),
        Element::Residue(_) => "a residue".to_owned(),
    }
}
