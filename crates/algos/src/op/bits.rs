//! Bits of one instance: logic, counts, shifts, rotations and fields.

use limbforge_limb::slice::{bits, field, shift};
use limbforge_limb::{Base, IntType};

use super::class::{Bitwise, Count, Field, FixedShift, Shift};
use super::memory::{Memory, sized};
use super::{Op, instances::Instances};

/// Logic on each bit.
pub(super) fn bitwise<B: Base>(op: Bitwise, instances: Instances<'_, B>) {
    match op {
        Bitwise::And => instances.each(|out, [a, b]| bits::and(out, a, b)),
        Bitwise::Or => instances.each(|out, [a, b]| bits::or(out, a, b)),
        Bitwise::Xor => instances.each(|out, [a, b]| bits::xor(out, a, b)),
        Bitwise::Not => instances.each(|out, [a]| bits::not(out, a)),
    }
}

/// Counts of bits.
pub(super) fn counts<B: Base>(op: Count, instances: Instances<'_, B>) {
    let width = instances.ty.bits();
    match op {
        Count::Popcount => instances.each(|out, [a]| write_count(out, bits::count_ones(a))),
        Count::Clz => instances.each(|out, [a]| write_count(out, width - bits::bit_len(a))),
        Count::Ctz => instances.each(|out, [a]| write_count(out, bits::trailing_zeros(a).min(width))),
    }
}

/// Shifts by a constant.
pub(super) fn fixed_shifts<B: Base>(op: FixedShift, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let (ty, [room, ..]) = (instances.ty, &mut memory.rooms);
    match op {
        FixedShift::Shl(n) => instances.each(|out, [a]| shift_by(room, ty, out, a, n.into())),
        FixedShift::Shr(n) => instances.each(|out, [a]| shift_by(room, ty, out, a, -i64::from(n))),
    }
}

/// Shifts by an operand, and rotations. The amounts are those of `op`.
pub(super) fn shifts<B: Base>(shift: Shift, op: &Op, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let (ty, [room, ..]) = (instances.ty, &mut memory.rooms);
    let width = ty.bits();
    match shift {
        Shift::ShlBy => instances.each_amount(op, |out, [a], [n]| shift_by(room, ty, out, a, n.near(ty))),
        Shift::ShrBy => instances.each_amount(op, |out, [a], [n]| shift_by(room, ty, out, a, -n.near(ty))),
        Shift::Rotl => {
            instances.each_amount(op, |out, [a], [n]| shift::rotate_left(out, a, n.turns(ty), width));
        }
        Shift::Rotr => {
            instances.each_amount(op, |out, [a], [n]| shift::rotate_right(out, a, n.turns(ty), width));
        }
    }
}

/// Fields of bits, and masks. The amounts are those of `op`.
pub(super) fn fields<B: Base>(field: Field, op: &Op, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let (ty, [room, moved, _]) = (instances.ty, &mut memory.rooms);
    let width = ty.bits();
    match field {
        Field::Extract => instances.each_amount(op, |out, [a], [start, length]| {
            shift_by(room, ty, out, a, -start.near(ty));
            field::keep_low(out, within(length.near(ty), width));
        }),
        Field::Insert => instances.each_amount(op, |out, [a, b], [start, length]| {
            let (first, end) = (start.near(ty), start.end(length, ty));
            let replacing = sized(moved, out.len());
            shift_by(room, ty, replacing, b, first);
            out.copy_from_slice(a);
            field::copy(out, replacing, within(first, width), within(end, width));
        }),
        Field::Mask => instances.each_amount(op, |out, [], [n]| mask(out, n.near(ty), width)),
        Field::MaskHigh => instances.each_amount(op, |out, [], [n]| mask(out, -n.near(ty), width)),
    }
}

/// `floor(a * 2^n)`.
pub(crate) fn shift_by<B: Base>(room: &mut Vec<B>, ty: IntType, out: &mut [B], a: &[B], n: i64) {
    let distance = u32::try_from(n.unsigned_abs()).unwrap_or(u32::MAX);
    if n >= 0 {
        shift::shl(out, a, distance);
    } else if ty.is_signed() {
        let extended = sized(room, a.len());
        extended.copy_from_slice(a);
        bits::sign_extend(extended, ty.bits());
        shift::shr_signed(out, extended, distance);
    } else {
        shift::shr(out, a, distance);
    }
}

/// A number of bits, cut to `0..=width`.
fn within(bits: i64, width: u32) -> u32 {
    bits.clamp(0, width.into()) as u32
}

/// Ones in the lowest n bits, or in the highest -n.
fn mask<B: Base>(out: &mut [B], n: i64, width: u32) {
    if n >= 0 {
        field::fill(out, 0, within(n, width));
    } else {
        field::fill(out, within(i64::from(width) + n, width), width);
    }
}

fn write_count<B: Base>(out: &mut [B], count: u32) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = B::from_word(u64::from(count).checked_shr(i as u32 * B::BITS).unwrap_or(0));
    }
}
