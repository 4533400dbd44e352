//! Bitwise logic, shifts and rotations, counts and fields of bits.

use limbforge_algos::expr::{DagNode, NodeId};
use limbforge_algos::op::Amount;
use limbforge_algos::op::Class;
use limbforge_algos::op::class::{Bitwise, Count, Field, FixedShift, Shift};

use super::emitter::{Emitter, Held};
use super::fields::Bound;
use super::row::{Emit, Lowering, padded, plain};
use crate::invariant::broken_invariant;
use crate::template::Template;

/// Logic on each bit.
pub(super) const fn bitwise(op: Bitwise) -> Lowering {
    match op {
        Bitwise::And | Bitwise::Or | Bitwise::Xor => plain(|e, i, node| {
            let operands = e.all(node);
            e.num(i, &format!("bit_{}({operands})", node.op))
        }),
        Bitwise::Not => plain(|e, i, node| {
            let x = e.number(node.args[0]);
            e.num(i, &format!("bit_not({x}, at)"))
        }),
    }
}

/// Counts of bits.
pub(super) const fn count(op: Count) -> Lowering {
    match op {
        Count::Popcount => counted(|e, i, node| counted_by(e, i, node, "population")),
        Count::Clz => counted(|e, i, node| counted_by(e, i, node, "leading_zeros")),
        Count::Ctz => counted(|e, i, node| counted_by(e, i, node, "trailing_zeros")),
    }
}

/// Shifts by a constant.
pub(super) const fn fixed_shift(op: FixedShift) -> Lowering {
    match op {
        FixedShift::Shl(_) => staged(&[Template::Shift], |e, i, node| {
            let (x, bits) = (e.number(node.args[0]), distance(e, node));
            e.num(i, &format!("shift_left<{bits}u>({x}, slot, at)"))
        }),
        FixedShift::Shr(_) => staged(&[Template::Shift], |e, i, node| {
            let (x, bits, signed) = (e.number(node.args[0]), distance(e, node), e.signed());
            e.num(i, &format!("shift_right<{bits}u, {signed}>({x}, slot, at)"))
        }),
    }
}

/// Shifts by an operand, and rotations.
pub(super) const fn shift(op: Shift) -> Lowering {
    match op {
        Shift::ShlBy => staged(&[Template::ShiftBy], |e, i, node| shift_by(e, i, node, "")),
        Shift::ShrBy => staged(&[Template::ShiftBy], |e, i, node| shift_by(e, i, node, "-")),
        Shift::Rotl => staged(&[Template::Rotate], |e, i, node| rotate(e, i, node, true)),
        Shift::Rotr => staged(&[Template::Rotate], |e, i, node| rotate(e, i, node, false)),
    }
}

/// Fields of bits, and masks.
pub(super) const fn field(op: Field) -> Lowering {
    match op {
        Field::Extract => staged(&[Template::Field], |e, i, node| {
            let mut operands = Operands::of(node);
            let (x, signed) = (e.number(operands.value()), e.signed());
            let (start, length) = (e.near(&operands.amount()), e.near(&operands.amount()));
            e.num(i, &format!("extract<{signed}>({x}, {start}, {length}, slot, at)"))
        }),
        Field::Insert => staged(&[Template::Field], |e, i, node| {
            let mut operands = Operands::of(node);
            let (x, y, signed) = (e.number(operands.value()), e.number(operands.value()), e.signed());
            let (start, length) = (operands.amount(), operands.amount());
            let end = e.end(i, &start, &length);
            let first = e.near(&start);
            e.num(i, &format!("insert<{signed}>({x}, {y}, {first}, {end}, slot, at)"))
        }),
        Field::Mask => masked(|e, i, node| mask(e, i, node, "")),
        Field::MaskHigh => masked(|e, i, node| mask(e, i, node, "-")),
    }
}

/// A number goes through the instance's shared memory.
const fn staged(templates: &'static [Template], emit: Emit) -> Lowering {
    Lowering { templates, slot: padded, ..plain(emit) }
}

const fn counted(emit: Emit) -> Lowering {
    Lowering { templates: &[Template::Count], ..plain(emit) }
}

const fn masked(emit: Emit) -> Lowering {
    Lowering { templates: &[Template::Mask], ..plain(emit) }
}

/// The values of a node and its amounts, one after the other.
struct Operands<'n> {
    values: core::slice::Iter<'n, NodeId>,
    amounts: std::vec::IntoIter<&'n Amount>,
}

impl<'n> Operands<'n> {
    fn of(node: &'n DagNode) -> Self {
        Self { values: node.args.iter(), amounts: node.op.amounts().into_iter() }
    }

    fn value(&mut self) -> NodeId {
        let value = self.values.next();
        *value.unwrap_or_else(|| broken_invariant("an operation has as many operands as it takes"))
    }

    /// A constant, or what the next value says.
    fn amount(&mut self) -> Bound<'n> {
        match self.amounts.next() {
            Some(Amount::Constant(n)) => Bound::Constant(n),
            Some(Amount::Operand) | None => Bound::Operand(self.value()),
        }
    }
}

/// A constant distance, the width at most.
fn distance(e: &Emitter<'_>, node: &DagNode) -> u32 {
    let Class::FixedShift(FixedShift::Shl(bits) | FixedShift::Shr(bits)) = node.op.class() else {
        broken_invariant("a shift has a distance")
    };
    bits.min(e.spec.ty.bits())
}

fn shift_by(e: &mut Emitter<'_>, i: usize, node: &DagNode, sign: &str) -> Held {
    let mut operands = Operands::of(node);
    let (x, signed) = (e.number(operands.value()), e.signed());
    let n = e.near(&operands.amount());
    e.num(i, &format!("shift_by<{signed}>({x}, {sign}{n}, slot, at)"))
}

fn rotate(e: &mut Emitter<'_>, i: usize, node: &DagNode, left: bool) -> Held {
    let mut operands = Operands::of(node);
    let x = e.number(operands.value());
    let n = e.turns(&operands.amount(), left);
    e.num(i, &format!("rotate({x}, {n}, slot, at)"))
}

fn counted_by(e: &mut Emitter<'_>, i: usize, node: &DagNode, function: &str) -> Held {
    let x = e.number(node.args[0]);
    e.num(i, &format!("count({function}({x}, exchange, at), at)"))
}

fn mask(e: &mut Emitter<'_>, i: usize, node: &DagNode, sign: &str) -> Held {
    let n = e.near(&Operands::of(node).amount());
    e.num(i, &format!("mask({sign}{n}, at)"))
}
