//! Powers of residues.

use limbforge_algos::op::Why;
use limbforge_algos::program::{Element, ModulusId, Node, ValueId};
use num_bigint::{BigInt, Sign};

use super::Lowerer;
use super::builder::Kind;
use super::values::{Held, bits_of, is_scalar};
use crate::program::tape::code::{Class, Item, Var};
use crate::spec::SpecError;

/// Constant exponents up to this are products written out, which equal powers share.
const MOST_WRITTEN: u64 = 1 << 16;

impl Lowerer<'_> {
    /// x^e; a negative e takes the inverse.
    pub(super) fn power(
        &mut self,
        id: ModulusId,
        x: ValueId,
        e: ValueId,
        node: &Node,
    ) -> Result<Var, SpecError> {
        let small = self.small.get(&x).filter(|c| c.sign() == Sign::Plus && c.bits() <= 4).cloned();
        if let Some(constant) = self.as_constant(e) {
            let mut base = self.var(x);
            if constant.sign() == Sign::Minus {
                base = self.inverse_of(id, base, node);
            }
            let exponent = BigInt::from(constant.magnitude().clone());
            return match u64::try_from(&exponent) {
                Ok(exponent) if exponent <= MOST_WRITTEN => Ok(self.written_power(id, base, exponent)),
                _ => {
                    let (held, ty) = (Held::Constant(exponent), self.element(e));
                    let small = small.filter(|_| constant.sign() != Sign::Minus);
                    Ok(self.long_power(id, base, small.as_ref(), (&held, ty)))
                }
            };
        }
        let (held, element) = (self.held(e), self.element(e));
        if bits_of(element).1 {
            return self.signed_power(id, (x, small.as_ref()), e, node);
        }
        let base = self.var(x);
        Ok(self.long_power(id, base, small.as_ref(), (&held, element)))
    }

    /// x^|e| of x or its inverse.
    fn signed_power(
        &mut self,
        id: ModulusId,
        (x, small): (ValueId, Option<&BigInt>),
        e: ValueId,
        node: &Node,
    ) -> Result<Var, SpecError> {
        let (magnitude, negative) = self.magnitude(e);
        let base = self.var(x);
        let chosen = self.b.var(Class::Number);
        self.b.assign(chosen, base);
        if let Some(condition) = negative {
            self.b.open(Kind::Arm);
            let inverse = self.inverse_of(id, base, node);
            self.b.assign(chosen, inverse);
            let then = self.b.close();
            self.b.item(Item::If { condition, then, otherwise: vec![] });
        }
        let ty = self.wide();
        let held = Held::Var(magnitude);
        // A small base is so only where the exponent is positive, which is not known here.
        let small = small.filter(|_| negative.is_none());
        Ok(self.long_power(id, chosen, small, (&held, ty)))
    }

    pub(super) fn inverse_of(&mut self, id: ModulusId, x: Var, node: &Node) -> Var {
        let plain = self.plain(id, x);
        let place = self.place(node.span, &[Why::NoInverse]);
        let modulus = self.modulus_number(id);
        let inverse = self.residue_case(&limbforge_algos::op::Op::ModInv, &[plain, modulus], Some(place));
        self.converted(id, inverse)
    }

    /// A power by squares and products. The next one of a table is a product of the one before.
    fn written_power(&mut self, id: ModulusId, x: Var, exponent: u64) -> Var {
        match exponent {
            0 => return self.one(id),
            1 => return x,
            _ => {}
        }
        if let Some(known) = self.b.power(x, exponent) {
            return known;
        }
        let power = match (self.b.power(x, exponent - 1), self.b.power(x, exponent.saturating_sub(2))) {
            (Some(below), _) => self.product_of(id, below, x),
            (None, Some(below)) => {
                let square = self.square_of(id, x);
                self.product_of(id, below, square)
            }
            _ if exponent.is_multiple_of(2) => {
                let root = self.written_power(id, x, exponent / 2);
                self.square_of(id, root)
            }
            _ => {
                let below = self.written_power(id, x, exponent - 1);
                self.product_of(id, below, x)
            }
        };
        self.b.set_power(x, exponent, power);
        power
    }

    /// The type of a number of all padded words.
    fn wide(&self) -> Element {
        debug_assert!(!is_scalar(Element::Int(self.widest)));
        Element::Int(self.widest)
    }
}
