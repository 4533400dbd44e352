//! The operations over a tile of instances.

use limbforge_limb::slice::bits;
use limbforge_limb::{Base, IntType};

use crate::op::arithmetic::{products, sums};
use crate::op::bits::{bitwise, counts, fields, fixed_shifts, shifts};
use crate::op::comparison::{choices, comparisons};
use crate::op::division::{divisions, wide_divisions};
use crate::op::instances::{Instances, Operand};
use crate::op::memory::Memory;
use crate::op::{Class, Op, Why, gcd::divisors, modular::residues, montgomery::forms};
use crate::op::{primality::tests, roots::roots};

/// A thread's memory for operations.
#[derive(Clone, Debug, Default)]
pub struct Workspace<B> {
    memory: Memory<B>,
    failed: Vec<(usize, Why)>,
}

impl<B: Base> Workspace<B> {
    /// Computes `op` for every instance of the tile: `out` is instance-major, M limbs per instance, and holds
    /// residues modulo `2^bits` afterwards, as the operands did; of a wide product the limbs and the residues
    /// of `2 * bits`.
    pub fn apply(&mut self, op: &Op, ty: IntType, out: &mut [B], operands: &[Operand<'_, B>]) {
        let bits = if op.is_wide() { 2 * ty.bits() } else { ty.bits() };
        let out_m = bits::limbs_for::<B>(bits);
        let instances = Instances { ty, out: &mut *out, out_m, operands, failed: &mut self.failed };
        let memory = &mut self.memory;
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
        if !bits.is_multiple_of(B::BITS) {
            out.chunks_exact_mut(out_m).for_each(|out| bits::truncate(out, bits));
        }
    }

    /// The instances of the tile that have failed since this was asked last; their results are 0.
    pub fn take_failures(&mut self) -> impl Iterator<Item = (usize, Why)> {
        self.failed.drain(..)
    }
}
