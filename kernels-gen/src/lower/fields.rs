//! Amounts of shifts, rotations and masks, and the ends of fields of bits.

use limbforge_algos::expr::{Amount, DagNode, NodeId};
use limbforge_limb::IntType;
use num_bigint::{BigInt, BigUint, Sign};

use super::emitter::Emitter;
use crate::invariant::broken_invariant;
use crate::template::Template;

/// The values of a node, then its amounts, taken one after the other.
pub(super) struct Operands<'n> {
    values: core::slice::Iter<'n, NodeId>,
    amounts: std::vec::IntoIter<&'n Amount>,
}

/// An amount: a constant, or the node that computes it.
pub(super) enum Bound<'a> {
    Constant(&'a BigInt),
    Operand(usize),
}

impl<'n> Operands<'n> {
    pub(super) fn of(node: &'n DagNode) -> Self {
        Self { values: node.args.iter(), amounts: node.op.amounts().into_iter() }
    }

    pub(super) fn value(&mut self) -> usize {
        let value = self.values.next();
        value.unwrap_or_else(|| broken_invariant("an operation has as many operands as it takes")).index()
    }

    pub(super) fn amount(&mut self) -> Bound<'n> {
        match self.amounts.next() {
            Some(Amount::Constant(n)) => Bound::Constant(n),
            Some(Amount::Operand) | None => Bound::Operand(self.value()),
        }
    }
}

impl Emitter<'_> {
    /// An amount as a number or the name of one, which is written where it is first needed.
    pub(super) fn near(&mut self, amount: &Bound<'_>) -> String {
        match *amount {
            Bound::Constant(n) => format!("({})", Amount::near(n)),
            Bound::Operand(operand) => {
                self.calls(Template::Amount);
                self.amount_of("int", "amount", operand)
            }
        }
    }

    /// A distance of rotation to the left, below the width.
    pub(super) fn turns(&mut self, amount: &Bound<'_>, left: bool) -> String {
        match *amount {
            Bound::Constant(n) => {
                let bits = self.spec.ty.bits();
                let n = Amount::turns(n, bits);
                format!("{}u", if left { n } else { (bits - n) % bits })
            }
            Bound::Operand(operand) => {
                let turns = self.amount_of("unsigned", "turns", operand);
                if left { turns } else { format!("other_way({turns})") }
            }
        }
    }

    /// The end of the node's field, or a number beyond the same end of the width. Only a start far below bit
    /// 0 needs amounts beyond [`Amount::FAR`].
    pub(super) fn end(&mut self, start: &Bound<'_>, length: &Bound<'_>) -> String {
        let (i, ty) = (self.i, self.spec.ty);
        let far = Amount::FAR - i64::from(IntType::MAX_BITS);
        // Types in which no number is far.
        let is_short = 1_i64 << ty.bits().min(62) <= Amount::FAR;
        let highest = || -> BigInt { (BigInt::from(1) << (ty.bits() - u32::from(ty.is_signed()))) - 1 };
        match (start, length) {
            (Bound::Constant(start), Bound::Constant(length)) => match length.sign() {
                Sign::Plus => format!("({})", Amount::near(&(*start + *length))),
                _ => format!("({})", Amount::near(start)),
            },
            (Bound::Operand(_), _) if !ty.is_signed() || is_short => self.near_end(start, length),
            (Bound::Operand(_), Bound::Constant(n)) if Amount::near(n) < Amount::FAR => {
                self.near_end(start, length)
            }
            (&Bound::Operand(first), Bound::Constant(n)) => {
                let part = highest().min((*n).clone());
                let summands = (self.number(first), self.constant_number("length", part.magnitude()));
                self.far_end(start, length, summands, Amount::near(&(*n - &part)))
            }
            (&Bound::Operand(first), &Bound::Operand(bits)) => {
                let summands = (self.number(first), self.number(bits));
                self.far_end(start, length, summands, 0)
            }
            (Bound::Constant(n), Bound::Operand(_)) if Amount::near(n) >= -far => {
                self.near_end(start, length)
            }
            // No length of the type reaches bit 0.
            (Bound::Constant(n), _) if *n.magnitude() >= *highest().magnitude() => "(0)".to_owned(),
            (Bound::Constant(n), &Bound::Operand(bits)) if ty.is_signed() => {
                let first = (BigInt::from(1) << ty.bits()) + *n;
                let summands = (self.constant_number("start", first.magnitude()), self.number(bits));
                self.far_end(start, length, summands, 0)
            }
            // The length less the distance of the start, or 0 if that is negative.
            (Bound::Constant(n), &Bound::Operand(bits)) => {
                let (bits, below) = (self.number(bits), self.constant_number("below", n.magnitude()));
                let order = self.order(&format!("{bits}, {below}"));
                self.line(format!("const Num field{i} = resolve<-1>(sub({bits}, {below}), exchange, at);"));
                self.line(format!("const int order{i} = {order};"));
                format!("(order{i} < 0 ? 0 : {})", self.far(false))
            }
        }
    }

    fn near_end(&mut self, start: &Bound<'_>, length: &Bound<'_>) -> String {
        format!("field_end({}, {})", self.near(start), self.near(length))
    }

    /// For a negative start and a positive length, the sum of these signed numbers and of `rest`.
    fn far_end(
        &mut self,
        start: &Bound<'_>,
        length: &Bound<'_>,
        summands: (String, String),
        rest: i64,
    ) -> String {
        let (i, (x, y)) = (self.i, summands);
        self.line(format!("const Num field{i} = resolve<0>(add({x}, {y}), exchange, at);"));
        let (start, sum, length) = (self.near(start), self.far(true), self.near(length));
        format!("({start} < 0 && {length} > 0 ? {sum} + {rest} : field_end({start}, {length}))")
    }

    /// The name of a constant number of the type.
    fn constant_number(&mut self, name: &str, number: &BigUint) -> String {
        let name = format!("{name}{}", self.i);
        self.constant(&format!("{name}_words"), number);
        self.line(format!("const Num {name} = constant({name}_words, at);"));
        name
    }

    /// The name of the end that `field` is.
    fn far(&mut self, signed: bool) -> String {
        let i = self.i;
        self.calls(Template::Amount);
        self.line(format!("const int far{i} = amount<{signed}>(field{i}, exchange, at);"));
        format!("far{i}")
    }

    fn amount_of(&mut self, ty: &str, function: &str, operand: usize) -> String {
        let (x, signed) = (self.number(operand), self.signed());
        self.once(ty, format!("{function}{operand}"), format!("{function}<{signed}>({x}, exchange, at)"))
    }
}
