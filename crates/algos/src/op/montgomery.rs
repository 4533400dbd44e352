//! Arithmetic in Montgomery form, of one instance.
//!
//! R = 2^N for N bits, whether or not limbs end there: [`reduce`] divides by a power of the limb's base,
//! which is 2^s R, so that its operand is shifted by s first.

use limbforge_limb::slice::{bits, mul::Factors, shift};
use limbforge_limb::{Base, IntType};

use super::memory::{Memory, packed};
use super::{Why, class::Montgomery, division::join, instances::Instances};
use crate::integer::montgomery::{negated_inverse, reduce};
use crate::integer::{div::divide, packed::unpack};

pub(super) fn forms<B: Base>(op: Montgomery, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let (ty, scratch) = (instances.ty, &mut memory.scratch);
    match op {
        Montgomery::ToMont => {
            with_modulus(instances, |[a, m]| divide(&join(&a, &vec![0; m.len()], ty), &m, scratch).1);
        }
        Montgomery::FromMont => with_modulus(instances, |[a, m]| {
            let mut residue = divide(&a, &m, scratch).1;
            residue.resize(2 * m.len(), 0);
            reduced(&residue, &m, ty)
        }),
        Montgomery::MontMul => with_modulus(instances, |[a, b, m]| {
            let [a, b] = [a, b].map(|x| divide(&x, &m, scratch).1);
            let mut product = vec![];
            scratch.product.words(&mut product, Factors::Pair(&a, &b));
            reduced(&product, &m, ty)
        }),
        Montgomery::MontReduce => with_modulus(instances, |[high, low, m]| {
            reduced(&join(&divide(&high, &m, scratch).1, &low, ty), &m, ty)
        }),
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
