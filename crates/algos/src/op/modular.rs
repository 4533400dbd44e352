//! Modular arithmetic of one instance: sums, differences, products and inverses.

use limbforge_limb::slice::mul::Factors;
use limbforge_limb::{Base, IntType};

use super::euclid::{Wanted, pairs};
use super::memory::{Memory, Repeated, negate_residue_if, packed};
use super::{Why, class::Modular, instances::Instances, mulmod::products, powers::powers};
use crate::integer::modinv::{ModInvError, modinv};
use crate::integer::packed::{add_mod, sub_mod, trim, unpack};
use crate::integer::{Scratch, modinv2k::modinv2k};

pub(super) fn residues<B: Base>(op: Modular, instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let ty = instances.ty;
    match op {
        Modular::AddMod | Modular::SubMod => instances.try_each(|out, operands| {
            let run = if op == Modular::AddMod { add_mod } else { sub_mod };
            with_modulus(memory, ty, out, operands, |_, _, out, a, b, m| run(out, a, b, m))
        }),
        Modular::MulMod => products(instances, memory),
        Modular::PowMod => powers(instances, memory),
        Modular::ModInv => pairs(Wanted::Inverse, instances, memory),
        Modular::ModInv2k => {
            instances.try_each(|out, [a]| modinv2k(out, a, &mut memory.scratch).map_err(|_| Why::EvenNumber));
        }
    }
}

/// `1 / a mod |m|` of one instance.
pub(super) fn inverse<B: Base>(
    ty: IntType,
    out: &mut [B],
    operands: [&[B]; 2],
    memory: &mut Memory<B>,
) -> Result<(), Why> {
    let [(a, negative), (m, _)] = memory.magnitudes.of(ty, operands);
    modinv(out, a, m, &mut memory.scratch).map_err(|error| match error {
        ModInvError::Zero(_) => Why::DivisionByZero,
        ModInvError::NotCoprime => Why::NoInverse,
    })?;
    negate_residue_if(negative, out, m);
    Ok(())
}

/// `a * b mod |m|` of one instance.
pub(super) fn product<B: Base>(
    memory: &mut Memory<B>,
    ty: IntType,
    out: &mut [B],
    operands: [&[B]; 3],
) -> Result<(), Why> {
    with_modulus(memory, ty, out, operands, |modulus, scratch, out, a, b, _| {
        let mut product = vec![];
        scratch.product.words(&mut product, Factors::Pair(a, b));
        out.copy_from_slice(&modulus.residue(&product, scratch));
    })
}

/// `out = of(a mod |m|, b mod |m|, |m|)`, which is a residue.
fn with_modulus<B: Base>(
    memory: &mut Memory<B>,
    ty: IntType,
    out: &mut [B],
    operands: [&[B]; 3],
    of: impl FnOnce(&Repeated, &mut Scratch, &mut [u64], &[u64], &[u64], &[u64]),
) -> Result<(), Why> {
    let Memory { scratch, magnitudes, modulus, .. } = memory;
    let [a, b, (m, _)] = magnitudes.of(ty, operands);
    let mut m = packed(m, ty);
    trim(&mut m);
    if m.is_empty() {
        return Err(Why::ZeroModulus);
    }
    modulus.prepare(&m, scratch);
    let [a, b] = [a, b].map(|(x, negative)| {
        let mut residue = modulus.residue(&packed(x, ty), scratch);
        negate_residue_if(negative, &mut residue, &m);
        residue
    });
    let mut result = vec![0; m.len()];
    of(modulus, scratch, &mut result, &a, &b, &m);
    unpack(out, result);
    Ok(())
}
