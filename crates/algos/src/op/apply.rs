//! An operation over the instances of a tile.

use limbforge_limb::{Base, IntType, slice::bits};

use super::arithmetic::{choices, comparisons, sums};
use super::bits::{bitwise, counts, fields, fixed_shifts, shifts};
use super::division::{both, divisions, wide_divisions};
use super::instances::{Instances, Operand};
use super::montgomery::forms;
use super::products::products;
use super::{
    Class, Op, Why, gcd::divisors, memory::Memory, modular::residues, primality::tests, roots::roots,
};
use crate::invariant::broken_invariant;

/// Computes `op` for every instance of the tile: `out` is instance-major, M limbs per instance, and holds
/// residues modulo `2^bits` afterwards, as the operands did; for a wide product, limbs and residues of `2 *
/// bits`. An instance without a result is 0 and goes to `fail` with the reason.
pub(crate) fn apply<B: Base>(
    op: &Op,
    ty: IntType,
    out: &mut [B],
    operands: &[Operand<'_, B>],
    memory: &mut Memory<B>,
    fail: &mut dyn FnMut(usize, Why),
) {
    let bits = if op.is_wide() { 2 * ty.bits() } else { ty.bits() };
    let out_m = bits::limbs_for::<B>(bits);
    let instances = Instances { ty, out: &mut *out, out_m, operands, first: 0, fail };
    match op.class() {
        Class::Leaf => {}
        Class::Sum(sum) => sums(sum, instances),
        Class::Product(product) => products(product, instances, memory),
        Class::Comparison(comparison) => comparisons(comparison, instances),
        Class::Choice(choice) => choices(choice, instances),
        Class::Bitwise(operation) => bitwise(operation, instances),
        Class::Count(count) => counts(count, instances),
        Class::FixedShift(shift) => fixed_shifts(shift, instances, memory),
        Class::Shift(shift) => shifts(shift, op, instances, memory),
        Class::Field(field) => fields(field, op, instances, memory),
        Class::Division(division) => divisions(division, instances, memory),
        Class::WideDivision(division) => wide_divisions(division, instances, memory),
        Class::Gcd(divisor) => divisors(divisor, instances, memory),
        Class::Modular(operation) => residues(operation, instances, memory),
        Class::Montgomery(operation) => forms(operation, instances, memory),
        Class::Root(root) => roots(root, instances, memory),
        Class::Primality(test) => tests(test, instances, memory),
    }
    truncate(out, bits);
}

/// Computes both results of the divisions of which `op` is the quotient: as [`apply`] would, one after the
/// other.
pub(crate) fn apply_division<B: Base>(
    op: &Op,
    ty: IntType,
    [quotient, remainder]: [&mut [B]; 2],
    operands: &[Operand<'_, B>],
    memory: &mut Memory<B>,
    fail: &mut dyn FnMut(usize, Why),
) {
    let out_m = ty.limbs::<B>();
    let instances = Instances { ty, out: &mut *quotient, out_m, operands, first: 0, fail };
    let Class::Division(division) = op.class() else { broken_invariant("a quotient is of a division") };
    both(division, instances, remainder, memory);
    truncate(quotient, ty.bits());
    truncate(remainder, ty.bits());
}

/// Clears the bits from `bits` on of integers of so many.
fn truncate<B: Base>(out: &mut [B], bits: u32) {
    if !bits.is_multiple_of(B::BITS) {
        out.chunks_exact_mut(bits::limbs_for::<B>(bits)).for_each(|out| bits::truncate(out, bits));
    }
}
