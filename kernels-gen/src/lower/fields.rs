//! Amounts of shifts, rotations and masks, and where fields of bits end.

use limbforge_algos::expr::{Amount, NodeId};
use limbforge_limb::IntType;
use num_bigint::{BigInt, BigUint, Sign};

use super::emitter::Emitter;
use crate::template::Template;

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

    /// How far to rotate to the left, below the width.
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

    /// Where the field of node `i` ends, or a number beyond the same end of the width.
    pub(super) fn end(&mut self, i: usize, start: &Bound<'_>, length: &Bound<'_>) -> String {
        match far_end(start, length, self.spec.ty) {
            End::Near => {
                let (first, bits) = (self.near(start), self.near(length));
                format!("field_end({first}, {bits})")
            }
            End::Constant(end) => format!("({end})"),
            End::Sum { start: first, length: bits, rest } => {
                let first = self.term(&format!("start{i}"), first);
                let bits = self.term(&format!("length{i}"), bits);
                self.line(format!("const Num field{i} = resolve<0>(add({first}, {bits}), exchange, at);"));
                let (near, sum) = (self.near(start), self.far(i, true));
                let within = format!("field_end({near}, {})", self.near(length));
                format!("({near} < 0 && {} > 0 ? {sum} + {rest} : {within})", self.near(length))
            }
            End::Difference { length: bits, below } => {
                let bits = self.number(bits);
                let below = self.term(&format!("below{i}"), Term::Number(below));
                let order = self.order(&bits, &below);
                self.line(format!("const Num field{i} = resolve<-1>(sub({bits}, {below}), exchange, at);"));
                self.line(format!("const int order{i} = {order};"));
                let rest = self.far(i, false);
                format!("(order{i} < 0 ? 0 : {rest})")
            }
        }
    }

    /// The name of a number of the type.
    fn term(&mut self, name: &str, term: Term) -> String {
        match term {
            Term::Node(node) => self.number(node),
            Term::Number(number) => {
                self.constant(&format!("{name}_words"), &number);
                self.line(format!("const Num {name} = constant({name}_words, at);"));
                name.to_owned()
            }
        }
    }

    fn far(&mut self, i: usize, signed: bool) -> String {
        self.calls(Template::Amount);
        self.line(format!("const int far{i} = amount<{signed}>(field{i}, exchange, at);"));
        format!("far{i}")
    }

    fn amount_of(&mut self, ty: &str, function: &str, operand: NodeId) -> String {
        let (x, signed) = (self.number(operand), self.signed());
        let name = format!("{function}{}", operand.index());
        if self.shared.amounts.insert(name.clone()) {
            self.line(format!("const {ty} {name} = {function}<{signed}>({x}, exchange, at);"));
        }
        name
    }
}

/// An amount: a constant, or the node that computes it.
pub(super) enum Bound<'a> {
    Constant(&'a BigInt),
    Operand(NodeId),
}

/// A number of the type, as its residue.
enum Term {
    Node(NodeId),
    Number(BigUint),
}

/// How the end of a field is found.
enum End {
    /// From start and length, as far as they are near.
    Near,
    /// It is the same for all instances, or next to the same end of the width.
    Constant(i64),
    /// Where the start is negative and the length positive, their sum, a signed number of the type, and
    /// `rest` more.
    Sum { start: Term, length: Term, rest: i64 },
    /// The length less this number, or 0 if that is negative. Unsigned.
    Difference { length: NodeId, below: BigUint },
}

/// Only a start that lies far below bit 0 needs more of the amounts than [`Amount::FAR`] says.
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
        (Bound::Operand(start), Bound::Constant(length)) => {
            let part = highest().min((*length).clone());
            let rest = Amount::near(&(*length - &part));
            End::Sum { start: Term::Node(*start), length: Term::Number(part.magnitude().clone()), rest }
        }
        (Bound::Operand(start), Bound::Operand(length)) => {
            End::Sum { start: Term::Node(*start), length: Term::Node(*length), rest: 0 }
        }
        (Bound::Constant(start), Bound::Operand(_)) if Amount::near(start) >= -far => End::Near,
        // No length of the type reaches bit 0.
        (Bound::Constant(start), Bound::Operand(_)) if *start.magnitude() >= *highest().magnitude() => {
            End::Constant(0)
        }
        (Bound::Constant(start), Bound::Operand(length)) if ty.is_signed() => {
            let start = (BigInt::from(1) << ty.bits()) + *start;
            End::Sum { start: Term::Number(start.magnitude().clone()), length: Term::Node(*length), rest: 0 }
        }
        (Bound::Constant(start), Bound::Operand(length)) => {
            End::Difference { length: *length, below: start.magnitude().clone() }
        }
    }
}
