//! Shifts and rotations by amounts, counts and fields of bits.

use limbforge_algos::expr::{Amount, DagNode, NodeId, Op};
use limbforge_limb::IntType;
use num_bigint::{BigInt, BigUint, Sign};

use super::{Emitter, Form};
use crate::invariant::broken_invariant;

/// Their templates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BitTemplates {
    count: bool,
    amount: bool,
    shift_by: bool,
    rotate: bool,
    pub(super) mask: bool,
    field: bool,
}

impl BitTemplates {
    /// The texts, in the order of their dependence. They need those of shifts if anything is shifted.
    pub(crate) fn texts(self) -> impl Iterator<Item = &'static str> {
        [
            (self.count || self.amount || self.rotate, include_str!("../../templates/instance.cuh")),
            (self.count, include_str!("../../templates/count.cuh")),
            (self.amount || self.rotate, include_str!("../../templates/amount.cuh")),
            (self.shift_by || self.rotate || self.field, include_str!("../../templates/shift_by.cuh")),
            (self.rotate, include_str!("../../templates/rotate.cuh")),
            (self.mask || self.field, include_str!("../../templates/mask.cuh")),
            (self.field, include_str!("../../templates/field.cuh")),
        ]
        .into_iter()
        .filter_map(|(needed, text)| needed.then_some(text))
    }
}

impl Emitter<'_> {
    pub(super) fn bit_field(&mut self, i: usize, node: &DagNode) -> Form {
        let signed = self.spec.ty.is_signed();
        let mut operands = node.args.iter().copied();
        let value = match &node.op {
            Op::Popcount => self.count("population", &mut operands),
            Op::Clz => self.count("leading_zeros", &mut operands),
            Op::Ctz => self.count("trailing_zeros", &mut operands),
            op @ (Op::ShlBy | Op::ShrBy) => {
                let (x, sign) = (self.staged(&mut operands), if *op == Op::ShlBy { "" } else { "-" });
                self.out.templates.bits.shift_by = true;
                let n = self.amount(&Amount::Operand, &mut operands);
                format!("shift_by<{signed}>({x}, {sign}{n}, slot, at)")
            }
            Op::Rotl(n) | Op::Rotr(n) => {
                let (x, left) = (self.staged(&mut operands), matches!(node.op, Op::Rotl(_)));
                let n = self.turns(n, &mut operands, left);
                format!("rotate({x}, {n}, slot, at)")
            }
            Op::Mask(n) | Op::MaskHigh(n) => {
                self.out.templates.bits.mask = true;
                let sign = if matches!(node.op, Op::Mask(_)) { "" } else { "-" };
                format!("mask({sign}{}, at)", self.amount(n, &mut operands))
            }
            Op::Extract { start, length } => {
                let x = self.staged(&mut operands);
                self.out.templates.bits.field = true;
                let (start, length) = (self.amount(start, &mut operands), self.amount(length, &mut operands));
                format!("extract<{signed}>({x}, {start}, {length}, slot, at)")
            }
            Op::Insert { start, length } => {
                let x = self.next_number(&mut operands);
                let y = self.staged(&mut operands);
                self.out.templates.bits.field = true;
                let (start, length) = (self.bound(start, &mut operands), self.bound(length, &mut operands));
                let end = self.end(i, &start, &length);
                let first = self.near(&start);
                format!("insert<{signed}>({x}, {y}, {first}, {end}, slot, at)")
            }
            _ => broken_invariant("an operation on bits is one of these"),
        };
        self.num(i, &value)
    }

    fn count(&mut self, function: &str, operands: &mut impl Iterator<Item = NodeId>) -> String {
        self.out.templates.bits.count = true;
        let x = self.next_number(operands);
        format!("count({function}({x}, exchange, at), at)")
    }

    /// The next operand, which goes through the instance's shared memory.
    fn staged(&mut self, operands: &mut impl Iterator<Item = NodeId>) -> String {
        self.out.templates.shift = true;
        self.next_number(operands)
    }

    fn next_number(&mut self, operands: &mut impl Iterator<Item = NodeId>) -> String {
        self.number(next(operands))
    }

    fn bound<'a>(&self, amount: &'a Amount, operands: &mut impl Iterator<Item = NodeId>) -> Bound<'a> {
        match amount {
            Amount::Constant(n) => Bound::Constant(n),
            Amount::Operand => Bound::Operand(next(operands)),
        }
    }

    /// An amount as a number or the name of one, which is written where it is first needed.
    fn near(&mut self, amount: &Bound<'_>) -> String {
        match *amount {
            Bound::Constant(n) => format!("({})", Amount::near(n)),
            Bound::Operand(operand) => {
                self.out.templates.bits.amount = true;
                self.amount_of("int", "amount", operand)
            }
        }
    }

    fn amount(&mut self, amount: &Amount, operands: &mut impl Iterator<Item = NodeId>) -> String {
        let amount = self.bound(amount, operands);
        self.near(&amount)
    }

    /// How far to rotate to the left, below the width.
    fn turns(&mut self, amount: &Amount, operands: &mut impl Iterator<Item = NodeId>, left: bool) -> String {
        self.out.templates.bits.rotate = true;
        match self.bound(amount, operands) {
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
    fn end(&mut self, i: usize, start: &Bound<'_>, length: &Bound<'_>) -> String {
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
        self.out.templates.bits.amount = true;
        self.line(format!("const int far{i} = amount<{signed}>(field{i}, exchange, at);"));
        format!("far{i}")
    }

    fn amount_of(&mut self, ty: &str, function: &str, operand: NodeId) -> String {
        let (x, signed) = (self.number(operand), self.spec.ty.is_signed());
        let name = format!("{function}{}", operand.index());
        if self.amounts.insert(name.clone()) {
            self.line(format!("const {ty} {name} = {function}<{signed}>({x}, exchange, at);"));
        }
        name
    }
}

/// An amount: a constant, or the node that computes it.
enum Bound<'a> {
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

/// The next operand of an operation, which has as many as it needs.
fn next(operands: &mut impl Iterator<Item = NodeId>) -> NodeId {
    operands.next().unwrap_or_else(|| broken_invariant("an operation has as many operands as it takes"))
}
