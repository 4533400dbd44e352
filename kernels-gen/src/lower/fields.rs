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

    /// The end of the node's field, or a number beyond the same end of the width.
    pub(super) fn end(&mut self, start: &Bound<'_>, length: &Bound<'_>) -> String {
        let i = self.i;
        match far_end(start, length, self.spec.ty) {
            End::Near => format!("field_end({}, {})", self.near(start), self.near(length)),
            End::Constant(end) => format!("({end})"),
            End::Sum { start: first, length: bits, rest } => {
                let (first, bits) = (self.term("start", first), self.term("length", bits));
                self.line(format!("const Num field{i} = resolve<0>(add({first}, {bits}), exchange, at);"));
                let (start, sum, length) = (self.near(start), self.far(true), self.near(length));
                format!("({start} < 0 && {length} > 0 ? {sum} + {rest} : field_end({start}, {length}))")
            }
            End::Difference { length, below } => {
                let (length, below) = (self.number(length), self.term("below", Term::Number(below)));
                let order = self.order(&format!("{length}, {below}"));
                self.line(format!("const Num field{i} = resolve<-1>(sub({length}, {below}), exchange, at);"));
                self.line(format!("const int order{i} = {order};"));
                format!("(order{i} < 0 ? 0 : {})", self.far(false))
            }
        }
    }

    /// The name of a number of the type.
    fn term(&mut self, name: &str, term: Term) -> String {
        match term {
            Term::Node(node) => self.number(node),
            Term::Number(number) => {
                let name = format!("{name}{}", self.i);
                self.constant(&format!("{name}_words"), &number);
                self.line(format!("const Num {name} = constant({name}_words, at);"));
                name
            }
        }
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

/// A number of the type, as its residue.
enum Term {
    Node(usize),
    Number(BigUint),
}

/// How to find the end of a field.
enum End {
    /// From start and length, as far as they are near.
    Near,
    /// The same for all instances, or next to the same end of the width.
    Constant(i64),
    /// For a negative start and a positive length, their sum, a signed number of the type, and `rest` more.
    Sum { start: Term, length: Term, rest: i64 },
    /// The unsigned length less this number, or 0 if that is negative.
    Difference { length: usize, below: BigUint },
}

/// Only a start far below bit 0 needs amounts beyond [`Amount::FAR`].
fn far_end(start: &Bound<'_>, length: &Bound<'_>, ty: IntType) -> End {
    let far = Amount::FAR - i64::from(IntType::MAX_BITS);
    // Types in which no number is far.
    let is_short = 1_i64 << ty.bits().min(62) <= Amount::FAR;
    let highest = || -> BigInt { (BigInt::from(1) << (ty.bits() - u32::from(ty.is_signed()))) - 1 };
    match (start, length) {
        (Bound::Constant(start), Bound::Constant(length)) => match length.sign() {
            Sign::Plus => End::Constant(Amount::near(&(*start + *length))),
            _ => End::Constant(Amount::near(start)),
        },
        (Bound::Operand(_), _) if !ty.is_signed() || is_short => End::Near,
        (Bound::Operand(_), Bound::Constant(length)) if Amount::near(length) < Amount::FAR => End::Near,
        (&Bound::Operand(start), Bound::Constant(length)) => {
            let part = highest().min((*length).clone());
            let rest = Amount::near(&(*length - &part));
            End::Sum { start: Term::Node(start), length: Term::Number(part.magnitude().clone()), rest }
        }
        (&Bound::Operand(start), &Bound::Operand(length)) => {
            End::Sum { start: Term::Node(start), length: Term::Node(length), rest: 0 }
        }
        (Bound::Constant(start), Bound::Operand(_)) if Amount::near(start) >= -far => End::Near,
        // No length of the type reaches bit 0.
        (Bound::Constant(start), _) if *start.magnitude() >= *highest().magnitude() => End::Constant(0),
        (Bound::Constant(start), &Bound::Operand(length)) if ty.is_signed() => {
            let start = (BigInt::from(1) << ty.bits()) + *start;
            End::Sum { start: Term::Number(start.magnitude().clone()), length: Term::Node(length), rest: 0 }
        }
        (Bound::Constant(start), &Bound::Operand(length)) => {
            End::Difference { length, below: start.magnitude().clone() }
        }
    }
}
