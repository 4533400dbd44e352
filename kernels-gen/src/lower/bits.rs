//! Bitwise logic, shifts and rotations, counts and fields of bits.

use limbforge_algos::expr::{Amount, DagNode, NodeId, Op};

use super::emitter::{Emitter, Form};
use super::fields::Bound;
use super::row::{Lowering, padded, plain};
use crate::invariant::broken_invariant;
use crate::template::Template;

pub(super) const LOGIC: Lowering = plain(|e, i, node| {
    let operands = e.all(node);
    e.num(i, &format!("bit_{}({operands})", node.op))
});
pub(super) const NOT: Lowering = plain(|e, i, node| {
    let x = e.number(node.args[0]);
    e.num(i, &format!("bit_not({x}, at)"))
});
pub(super) const SHL: Lowering = staged(&[Template::Shift], |e, i, node| {
    let (x, bits) = (e.number(node.args[0]), distance(e, node));
    e.num(i, &format!("shift_left<{bits}u>({x}, slot, at)"))
});
pub(super) const SHR: Lowering = staged(&[Template::Shift], |e, i, node| {
    let (x, bits, signed) = (e.number(node.args[0]), distance(e, node), e.signed());
    e.num(i, &format!("shift_right<{bits}u, {signed}>({x}, slot, at)"))
});
pub(super) const SHL_BY: Lowering = staged(&[Template::ShiftBy], |e, i, node| shift_by(e, i, node, ""));
pub(super) const SHR_BY: Lowering = staged(&[Template::ShiftBy], |e, i, node| shift_by(e, i, node, "-"));
pub(super) const ROTL: Lowering = staged(&[Template::Rotate], |e, i, node| rotate(e, i, node, true));
pub(super) const ROTR: Lowering = staged(&[Template::Rotate], |e, i, node| rotate(e, i, node, false));
pub(super) const POPCOUNT: Lowering = counted(|e, i, node| count(e, i, node, "population"));
pub(super) const CLZ: Lowering = counted(|e, i, node| count(e, i, node, "leading_zeros"));
pub(super) const CTZ: Lowering = counted(|e, i, node| count(e, i, node, "trailing_zeros"));
pub(super) const EXTRACT: Lowering = staged(&[Template::Field], |e, i, node| {
    let mut operands = Operands::of(node);
    let (x, signed) = (e.number(operands.value()), e.signed());
    let (start, length) = (e.near(&operands.amount()), e.near(&operands.amount()));
    e.num(i, &format!("extract<{signed}>({x}, {start}, {length}, slot, at)"))
});
pub(super) const INSERT: Lowering = staged(&[Template::Field], |e, i, node| {
    let mut operands = Operands::of(node);
    let (x, y, signed) = (e.number(operands.value()), e.number(operands.value()), e.signed());
    let (start, length) = (operands.amount(), operands.amount());
    let end = e.end(i, &start, &length);
    let first = e.near(&start);
    e.num(i, &format!("insert<{signed}>({x}, {y}, {first}, {end}, slot, at)"))
});
pub(super) const MASK: Lowering = masked(|e, i, node| mask(e, i, node, ""));
pub(super) const MASK_HIGH: Lowering = masked(|e, i, node| mask(e, i, node, "-"));

/// A number goes through the instance's shared memory.
const fn staged(
    templates: &'static [Template],
    emit: fn(&mut Emitter<'_>, usize, &DagNode) -> Form,
) -> Lowering {
    Lowering { templates, slot: padded, ..plain(emit) }
}

const fn counted(emit: fn(&mut Emitter<'_>, usize, &DagNode) -> Form) -> Lowering {
    Lowering { templates: &[Template::Count], ..plain(emit) }
}

const fn masked(emit: fn(&mut Emitter<'_>, usize, &DagNode) -> Form) -> Lowering {
    Lowering { templates: &[Template::Mask], ..plain(emit) }
}

/// The values of a node and its amounts, one after the other.
struct Operands<'n> {
    values: core::slice::Iter<'n, NodeId>,
    amounts: core::array::IntoIter<&'n Amount, 2>,
}

impl<'n> Operands<'n> {
    fn of(node: &'n DagNode) -> Self {
        let amounts = match &node.op {
            Op::Rotl(n) | Op::Rotr(n) | Op::Mask(n) | Op::MaskHigh(n) => [n, n],
            Op::Extract { start, length } | Op::Insert { start, length } => [start, length],
            _ => [&Amount::Operand; 2],
        };
        Self { values: node.args.iter(), amounts: amounts.into_iter() }
    }

    fn value(&mut self) -> NodeId {
        let value = self.values.next();
        *value.unwrap_or_else(|| broken_invariant("an operation has as many operands as it takes"))
    }

    fn amount(&mut self) -> Bound<'n> {
        match self.amounts.next() {
            Some(Amount::Constant(n)) => Bound::Constant(n),
            Some(Amount::Operand) => Bound::Operand(self.value()),
            None => broken_invariant("an operation has two amounts at most"),
        }
    }
}

/// A constant distance, the width at most.
fn distance(e: &Emitter<'_>, node: &DagNode) -> u32 {
    let (Op::Shl(bits) | Op::Shr(bits)) = &node.op else { broken_invariant("a shift has a distance") };
    *bits.min(&e.spec.ty.bits())
}

fn shift_by(e: &mut Emitter<'_>, i: usize, node: &DagNode, sign: &str) -> Form {
    let mut operands = Operands::of(node);
    let (x, signed) = (e.number(operands.value()), e.signed());
    let n = e.near(&operands.amount());
    e.num(i, &format!("shift_by<{signed}>({x}, {sign}{n}, slot, at)"))
}

fn rotate(e: &mut Emitter<'_>, i: usize, node: &DagNode, left: bool) -> Form {
    let mut operands = Operands::of(node);
    let x = e.number(operands.value());
    let n = e.turns(&operands.amount(), left);
    e.num(i, &format!("rotate({x}, {n}, slot, at)"))
}

fn count(e: &mut Emitter<'_>, i: usize, node: &DagNode, function: &str) -> Form {
    let x = e.number(node.args[0]);
    e.num(i, &format!("count({function}({x}, exchange, at), at)"))
}

fn mask(e: &mut Emitter<'_>, i: usize, node: &DagNode, sign: &str) -> Form {
    let n = e.near(&Operands::of(node).amount());
    e.num(i, &format!("mask({sign}{n}, at)"))
}
