//! Arithmetic in Montgomery form, of one instance.
//!
//! R = 2^N for N bits, whether or not limbs end there: [`reduce`] divides by a power of the limb's base that
//! is 2^s R, so that its operand is shifted by s first.

use limbforge_limb::slice::{bits, shift};
use limbforge_limb::{Base, IntType};

use super::Why;
use super::class::Montgomery;
use super::division::join;
use super::instances::Instances;
use super::rooms::{divide, packed, unpack};
use crate::integer::montgomery::{negated_inverse, reduce};
use crate::integer::{div, modulus};

/// A thread's memory for these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forms {
    pub(crate) division: div::Scratch,
    products: modulus::Scratch,
}

impl Forms {
    pub(crate) fn apply<B: Base>(&mut self, op: Montgomery, instances: Instances<'_, B>) {
        let ty = instances.ty;
        match op {
            Montgomery::ToMont => with_modulus(instances, |[a, m]| {
                let zero = vec![0; m.len()];
                self.residue(&join(&a, &zero, ty), &m)
            }),
            Montgomery::FromMont => with_modulus(instances, |[a, m]| {
                let mut residue = self.residue(&a, &m);
                residue.resize(2 * m.len(), 0);
                reduced(&residue, &m, ty)
            }),
            Montgomery::MontMul => with_modulus(instances, |[a, b, m]| {
                let (a, b) = (self.residue(&a, &m), self.residue(&b, &m));
                reduced(&self.products.product(&a, &b), &m, ty)
            }),
            Montgomery::MontReduce => with_modulus(instances, |[high, low, m]| {
                reduced(&join(&self.residue(&high, &m), &low, ty), &m, ty)
            }),
        }
    }

    fn residue(&mut self, x: &[u64], m: &[u64]) -> Vec<u64> {
        divide(x, m, &mut self.division).1
    }
}

/// Runs a kernel on operands in words, the last of which is an odd modulus.
fn with_modulus<B: Base, const K: usize>(
    instances: Instances<'_, B>,
    mut kernel: impl FnMut([Vec<u64>; K]) -> Vec<u64>,
) {
    let ty = instances.ty;
    instances.try_each(|out, operands| {
        let operands: [Vec<u64>; K] = operands.map(|operand| packed(operand, ty));
        if !bits::bit(&operands[K - 1], 0) {
            return Err(Why::EvenModulus);
        }
        unpack(out, kernel(operands));
        Ok(())
    });
}

/// `x / 2^N mod m` for odd m and `x < m 2^N`, of twice the words of m.
fn reduced(x: &[u64], m: &[u64], ty: IntType) -> Vec<u64> {
    let (mut shifted, mut out) = (vec![0; x.len()], vec![0; m.len()]);
    shift::shl(&mut shifted, x, u64::BITS * m.len() as u32 - ty.bits());
    reduce(&mut out, &mut shifted, m, negated_inverse(m[0]));
    out
}
