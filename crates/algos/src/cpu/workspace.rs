//! The operations over a tile of instances.

use limbforge_limb::slice::bits;
use limbforge_limb::{Base, IntType};

use crate::op::arithmetic::{Products, sums};
use crate::op::bits::{Shifts, bitwise, counts};
use crate::op::comparison::{choices, comparisons};
use crate::op::division::{Divisions, wide};
use crate::op::gcd::Divisors;
use crate::op::instances::{Instances, Operand};
use crate::op::modular::Residues;
use crate::op::montgomery::Forms;
use crate::op::primality::Tests;
use crate::op::roots::Roots;
use crate::op::{Class, Op, Why};

/// A thread's memory for what an operation needs beside its operands.
#[derive(Clone, Debug, Default)]
pub struct Workspace<B> {
    products: Products<B>,
    shifts: Shifts<B>,
    divisions: Divisions<B>,
    divisors: Divisors<B>,
    residues: Residues<B>,
    forms: Forms,
    roots: Roots<B>,
    tests: Tests<B>,
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
        match op.class() {
            Class::Leaf => {}
            Class::Sum(sum) => sums(sum, instances),
            Class::Product(product) => self.products.apply(product, instances),
            Class::Comparison(comparison) => comparisons(comparison, instances),
            Class::Choice(choice) => choices(choice, instances),
            Class::Bitwise(operation) => bitwise(operation, instances),
            Class::Count(count) => counts(count, instances),
            Class::FixedShift(shift) => self.shifts.fixed(shift, instances),
            Class::Shift(shift) => self.shifts.shifts(shift, op, instances),
            Class::Field(field) => self.shifts.fields(field, op, instances),
            Class::Division(division) => self.divisions.apply(division, instances),
            Class::WideDivision(division) => wide(division, &mut self.forms.division, instances),
            Class::Gcd(divisor) => self.divisors.apply(divisor, instances),
            Class::Modular(operation) => self.residues.apply(operation, instances),
            Class::Montgomery(operation) => self.forms.apply(operation, instances),
            Class::Root(root) => self.roots.apply(root, instances),
            Class::Primality(test) => self.tests.apply(test, instances),
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
