//! Bitwise logic, shifts and rotations, counts and fields of bits.

use limbforge_algos::op::Class;
use limbforge_algos::op::class::{Bitwise, Count, Field, FixedShift, Shift};

use super::emitter::{Emitter, Held};
use super::fields::Operands;
use super::row::{Emit, Lowering, padded, plain};
use crate::invariant::broken_invariant;
use crate::template::Template;

/// Logic on each bit.
pub(super) const fn bitwise(op: Bitwise) -> Lowering {
    plain(match op {
        Bitwise::And | Bitwise::Or | Bitwise::Xor => |e| {
            let operands = e.operands();
            e.num(&format!("bit_{}({operands})", e.node().op))
        },
        Bitwise::Not => |e| {
            let x = e.operand(0);
            e.num(&format!("bit_not({x}, at)"))
        },
    })
}

/// Counts of bits.
pub(super) const fn count(op: Count) -> Lowering {
    let emit: Emit = match op {
        Count::Popcount => |e| count_by(e, "population"),
        Count::Clz => |e| count_by(e, "leading_zeros"),
        Count::Ctz => |e| count_by(e, "trailing_zeros"),
    };
    Lowering { templates: &[Template::Count], ..plain(emit) }
}

/// Shifts by a constant.
pub(super) const fn fixed_shift(op: FixedShift) -> Lowering {
    let emit: Emit = match op {
        FixedShift::Shl(_) => |e| {
            let (x, bits) = (e.operand(0), distance(e));
            e.num(&format!("shift_left<{bits}u>({x}, slot, at)"))
        },
        FixedShift::Shr(_) => |e| {
            let (x, bits) = (e.operand(0), distance(e));
            e.num(&format!("shift_right<{bits}u, {}>({x}, slot, at)", e.signed()))
        },
    };
    staged(&[Template::Shift], emit)
}

/// Shifts by an operand, and rotations.
pub(super) const fn shift(op: Shift) -> Lowering {
    match op {
        Shift::ShlBy => staged(&[Template::ShiftBy], |e| shift_by(e, "")),
        Shift::ShrBy => staged(&[Template::ShiftBy], |e| shift_by(e, "-")),
        Shift::Rotl => staged(&[Template::Rotate], |e| rotate(e, true)),
        Shift::Rotr => staged(&[Template::Rotate], |e| rotate(e, false)),
    }
}

/// Fields of bits, and masks.
pub(super) const fn field(op: Field) -> Lowering {
    match op {
        Field::Extract => staged(&[Template::Field], |e| {
            let mut operands = Operands::of(e.node());
            let x = e.number(operands.value());
            let (start, length) = (e.near(&operands.amount()), e.near(&operands.amount()));
            e.num(&format!("extract<{}>({x}, {start}, {length}, slot, at)", e.signed()))
        }),
        Field::Insert => staged(&[Template::Field], |e| {
            let mut operands = Operands::of(e.node());
            let (x, y) = (e.number(operands.value()), e.number(operands.value()));
            let (start, length) = (operands.amount(), operands.amount());
            let (end, first) = (e.end(&start, &length), e.near(&start));
            e.num(&format!("insert<{}>({x}, {y}, {first}, {end}, slot, at)", e.signed()))
        }),
        Field::Mask | Field::MaskHigh => Lowering { templates: &[Template::Mask], ..plain(mask) },
    }
}

/// A number goes through the instance's shared memory.
const fn staged(templates: &'static [Template], emit: Emit) -> Lowering {
    Lowering { templates, slot: padded, ..plain(emit) }
}

/// A constant distance, the width at most.
fn distance(e: &Emitter<'_>) -> u32 {
    let Class::FixedShift(FixedShift::Shl(bits) | FixedShift::Shr(bits)) = e.node().op.class() else {
        broken_invariant("a shift has a distance")
    };
    bits.min(e.spec.ty.bits())
}

fn shift_by(e: &mut Emitter<'_>, sign: &str) -> Held {
    let mut operands = Operands::of(e.node());
    let (x, n) = (e.number(operands.value()), e.near(&operands.amount()));
    e.num(&format!("shift_by<{}>({x}, {sign}{n}, slot, at)", e.signed()))
}

fn rotate(e: &mut Emitter<'_>, left: bool) -> Held {
    let mut operands = Operands::of(e.node());
    let (x, n) = (e.number(operands.value()), e.turns(&operands.amount(), left));
    e.num(&format!("rotate({x}, {n}, slot, at)"))
}

fn count_by(e: &mut Emitter<'_>, function: &str) -> Held {
    let x = e.operand(0);
    e.num(&format!("count({function}({x}, exchange, at), at)"))
}

fn mask(e: &mut Emitter<'_>) -> Held {
    let sign = if matches!(e.node().op.class(), Class::Field(Field::MaskHigh)) { "-" } else { "" };
    let n = e.near(&Operands::of(e.node()).amount());
    e.num(&format!("mask({sign}{n}, at)"))
}
