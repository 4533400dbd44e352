//! Modular arithmetic of one instance: sums, differences, products, powers and inverses.

use limbforge_limb::slice::bits;
use limbforge_limb::{Base, IntType};

use super::Why;
use super::class::Modular;
use super::instances::Instances;
use super::rooms::{Magnitudes, divide, is_negative, negate_residue_if, packed, unpack};
use crate::integer::div::{self, Words};
use crate::integer::modinv::{self, ModInvError};
use crate::integer::modulus::{self, Barrett, residues};
use crate::integer::packed::trim;
use crate::integer::{modinv2k, powmod};

/// A thread's memory for these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Residues<B> {
    modulus: Repeated,
    inverse: modinv::Scratch,
    power: powmod::Scratch,
    products: Words,
    magnitudes: Magnitudes<B>,
}

impl<B: Base> Residues<B> {
    pub(crate) fn apply(&mut self, op: Modular, instances: Instances<'_, B>) {
        let ty = instances.ty;
        match op {
            Modular::AddMod => instances.try_each(|out, operands| {
                self.with_modulus(ty, out, operands, |_, result, a, b, m| {
                    residues::sum(result, a, b, m);
                })
            }),
            Modular::SubMod => instances.try_each(|out, operands| {
                self.with_modulus(ty, out, operands, |_, result, a, b, m| {
                    residues::difference(result, a, b, m);
                })
            }),
            Modular::MulMod => instances.try_each(|out, operands| {
                self.with_modulus(ty, out, operands, |modulus, result, a, b, _| {
                    let product = modulus.residues.product(a, b);
                    result.copy_from_slice(&modulus.residue(&product));
                })
            }),
            Modular::PowMod => instances.try_each(|out, operands| self.power(ty, out, operands)),
            Modular::ModInv => instances.try_each(|out, operands| self.inverse(ty, out, operands)),
            Modular::ModInv2k => instances.try_each(|out, [a]| {
                modinv2k::modinv2k(out, a, &mut self.products).map_err(|_| Why::EvenNumber)
            }),
        }
    }

    /// `out = of(a mod |m|, b mod |m|)`, which is a residue.
    fn with_modulus(
        &mut self,
        ty: IntType,
        out: &mut [B],
        operands: [&[B]; 3],
        of: impl FnOnce(&mut Repeated, &mut [u64], &[u64], &[u64], &[u64]),
    ) -> Result<(), Why> {
        let [(a, a_negative), (b, b_negative), (m, _)] = self.magnitudes.of(ty, operands);
        let mut m = packed(m, ty);
        trim(&mut m);
        if m.is_empty() {
            return Err(Why::ZeroModulus);
        }
        self.modulus.prepare(&m);
        let [a, b] = [(a, a_negative), (b, b_negative)].map(|(x, negative)| {
            let mut residue = self.modulus.residue(&packed(x, ty));
            negate_residue_if(negative, &mut residue, &m);
            residue
        });
        let mut result = vec![0; m.len()];
        of(&mut self.modulus, &mut result, &a, &b, &m);
        unpack(out, result);
        Ok(())
    }

    /// `a^e mod |m|`.
    fn power(&mut self, ty: IntType, out: &mut [B], [a, e, m]: [&[B]; 3]) -> Result<(), Why> {
        let [(a, negative), (m, _)] = self.magnitudes.of(ty, [a, m]);
        if is_negative(e, ty) {
            return Err(Why::NegativeExponent);
        }
        powmod::powmod(out, a, e, m, &mut self.power).map_err(|_| Why::ZeroModulus)?;
        // An odd power of a negative number is negative.
        negate_residue_if(negative && bits::bit(e, 0), out, m);
        Ok(())
    }

    /// `1/a mod |m|`.
    fn inverse(&mut self, ty: IntType, out: &mut [B], operands: [&[B]; 2]) -> Result<(), Why> {
        let [(a, negative), (m, _)] = self.magnitudes.of(ty, operands);
        modinv::modinv(out, a, m, &mut self.inverse).map_err(|error| match error {
            ModInvError::Zero(_) => Why::DivisionByZero,
            ModInvError::NotCoprime => Why::NoInverse,
        })?;
        negate_residue_if(negative, out, m);
        Ok(())
    }
}

/// A modulus that is prepared when it comes twice in a row: one for a whole batch.
#[derive(Clone, Debug, Default)]
struct Repeated {
    words: Vec<u64>,
    prepared: Option<Barrett<u64>>,
    residues: modulus::Scratch,
    division: div::Scratch,
}

impl Repeated {
    /// Takes a modulus that is not zero.
    fn prepare(&mut self, m: &[u64]) {
        if self.words != m {
            self.words = m.to_vec();
            self.prepared = None;
        } else if self.prepared.is_none() {
            self.prepared = Barrett::new(m).ok();
        }
    }

    /// x mod m, in the words of the modulus.
    fn residue(&mut self, x: &[u64]) -> Vec<u64> {
        if let Some(prepared) = &self.prepared {
            return prepared.residue(x, &mut self.residues);
        }
        let x = bits::significant(x);
        if x.len() < self.words.len() {
            let mut rest = vec![0; self.words.len()];
            rest[..x.len()].copy_from_slice(x);
            return rest;
        }
        divide(x, &self.words, &mut self.division).1
    }
}
