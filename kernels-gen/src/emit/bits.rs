//! Shifts and rotations by amounts, counts and fields of bits.

use limbforge_algos::expr::{Amount, DagNode, NodeId, Op};

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
        let value = match node.op {
            Op::Popcount => self.count("population", &mut operands),
            Op::Clz => self.count("leading_zeros", &mut operands),
            Op::Ctz => self.count("trailing_zeros", &mut operands),
            Op::ShlBy | Op::ShrBy => {
                let (x, sign) = (self.staged(&mut operands), if node.op == Op::ShlBy { "" } else { "-" });
                self.out.templates.bits.shift_by = true;
                let n = self.amount(Amount::Operand, &mut operands);
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
                let field = self.field(start, length, &mut operands);
                format!("extract<{signed}>({x}, {field}, slot, at)")
            }
            Op::Insert { start, length } => {
                let x = self.next_number(&mut operands);
                let y = self.staged(&mut operands);
                let field = self.field(start, length, &mut operands);
                format!("insert<{signed}>({x}, {y}, {field}, slot, at)")
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

    fn field(
        &mut self,
        start: Amount,
        length: Amount,
        operands: &mut impl Iterator<Item = NodeId>,
    ) -> String {
        self.out.templates.bits.field = true;
        let (start, length) = (self.amount(start, operands), self.amount(length, operands));
        format!("{start}, {length}")
    }

    /// An amount as a number or the name of one, which is written where it is first needed.
    fn amount(&mut self, amount: Amount, operands: &mut impl Iterator<Item = NodeId>) -> String {
        if let Amount::Constant(n) = amount {
            return format!("({})", n.clamp(-Amount::FAR, Amount::FAR));
        }
        self.out.templates.bits.amount = true;
        self.amount_of("int", "amount", next(operands))
    }

    /// How far to rotate to the left, below the width.
    fn turns(&mut self, amount: Amount, operands: &mut impl Iterator<Item = NodeId>, left: bool) -> String {
        self.out.templates.bits.rotate = true;
        if let Amount::Constant(n) = amount {
            let bits = i64::from(self.spec.ty.bits());
            let n = n.rem_euclid(bits);
            return format!("{}u", if left { n } else { (bits - n) % bits });
        }
        let turns = self.amount_of("unsigned", "turns", next(operands));
        if left { turns } else { format!("other_way({turns})") }
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

/// The operand that comes next.
fn next(operands: &mut impl Iterator<Item = NodeId>) -> NodeId {
    operands.next().unwrap_or_else(|| broken_invariant("an operation has as many operands as it takes"))
}
