//! Products modulo an operand: eight at a time in vectors, by a product and a division. Those with a short
//! modulus, or none, are computed where they are found.

mod direct;
mod short;

use core::mem::take;

use limbforge_limb::slice::bits::{bit_len, significant};
use limbforge_limb::slice::words::{unpack, words_for};
use limbforge_limb::{Base, IntType};

use super::eight::{lanes, lanes_mut};
use super::instances::Instances;
use super::memory::{Memory, negate_residue_if};
use super::modular::product;
use crate::integer::packed::as_words;
use crate::vector::{Path, Residues, WIDTH, path_of_modular_products};

/// Up to eight products of absolute values, in words, with their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModularProducts {
    /// The instances, and whether their product is negative.
    gathered: Vec<(usize, bool)>,
    /// Words of a number.
    words: usize,
    factors: [Vec<u64>; 2],
    moduli: Vec<u64>,
    residues: Vec<u64>,
    arithmetic: Residues,
}

/// Shorter moduli, in bits, are computed one by one.
const LEAST_BITS: u32 = 65;

/// `a * b mod |m|` of every instance.
pub(super) fn products<B: Base>(instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let ty = instances.ty;
    if short::are_short::<B>(ty) {
        return short::products(instances, memory);
    }
    match path_of_modular_products(ty.bits()) {
        Some((path, fewest)) if instances.len() >= fewest => in_vectors(path, fewest, instances, memory),
        _ => instances.try_each(|out, operands| product(memory, ty, out, operands)),
    }
}

fn in_vectors<B: Base>(path: Path, fewest: usize, mut instances: Instances<'_, B>, memory: &mut Memory<B>) {
    let ty = instances.ty;
    let mut group = take(&mut memory.modular_products);
    group.prepare(words_for::<B>(ty.limbs::<B>()));
    let (mut next, count) = (0, instances.len());
    while next < count {
        let i = next;
        if i.is_multiple_of(WIDTH) && direct::eight(path, &mut instances, i, &mut group, memory) {
            next += WIDTH;
            continue;
        }
        next += 1;
        if !group.push(i, ty, instances.operands(i), memory) {
            instances.try_one(i, |out, operands| product(memory, ty, out, operands));
        } else if group.gathered.len() == WIDTH {
            group.finish(path, &mut instances);
        }
    }
    if group.gathered.len() >= fewest {
        group.finish(path, &mut instances);
    }
    for (i, _) in group.gathered.drain(..) {
        instances.try_one(i, |out, operands| product(memory, ty, out, operands));
    }
    memory.modular_products = group;
}

impl ModularProducts {
    /// Makes room for numbers of so many words.
    fn prepare(&mut self, words: usize) {
        self.gathered.clear();
        self.words = words;
        let [a, b] = &mut self.factors;
        for numbers in [a, b, &mut self.moduli, &mut self.residues] {
            numbers.resize(WIDTH * words, 0);
        }
    }

    /// Takes a product; returns false if it is better computed alone.
    fn push<B: Base>(
        &mut self,
        instance: usize,
        ty: IntType,
        operands: [&[B]; 3],
        memory: &mut Memory<B>,
    ) -> bool {
        let [(a, a_negative), (b, b_negative), (m, _)] = memory.magnitudes.of(ty, operands);
        let m = as_words(m);
        if bit_len(&m) < LEAST_BITS {
            return false;
        }
        let at = self.gathered.len() * self.words;
        let [to_a, to_b] = &mut self.factors;
        for (to, from) in [(to_a, as_words(a)), (to_b, as_words(b)), (&mut self.moduli, m)] {
            to[at..at + self.words].copy_from_slice(&from);
        }
        self.gathered.push((instance, a_negative != b_negative));
        true
    }

    /// Computes the products that it took and writes their residues.
    fn finish<B: Base>(&mut self, path: Path, instances: &mut Instances<'_, B>) {
        let Self { gathered, words, factors: [a, b], moduli, residues, arithmetic } = self;
        let (words, count) = (*words, gathered.len());
        let [a, b] = [a, b].map(|numbers| lanes(numbers, words, count, &[]));
        let out = lanes_mut(residues, words, count);
        arithmetic.multiply(path, out, a, b, lanes(moduli, words, count, &[1]));
        for (lane, (instance, is_negative)) in gathered.drain(..).enumerate() {
            let row = lane * words..(lane + 1) * words;
            let (residue, modulus) = (&mut residues[row.clone()], significant(&moduli[row]));
            let len = modulus.len();
            negate_residue_if(is_negative, &mut residue[..len], modulus);
            unpack(instances.result(instance), residue);
        }
    }
}
