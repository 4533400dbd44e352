//! Residues of integers, powers and inverses.

use limbforge_limb::slice::{cmp, mul::Factors, sub};

use super::integers::magnitude;
use super::mask::Mask;
use super::tile::{Machine, view};
use crate::cpu::Why;
use crate::integer::{Scratch, modulus::constants::Ring};
use crate::program::{ModulusId, Node};

impl Machine<'_> {
    /// The residues of integers of any type.
    pub(super) fn residues_of(&mut self, modulus: ModulusId, node: &Node, active: Mask) {
        let ty = self.plan.ty(node.args[0]);
        self.each(node, active, |i, out, [x], scratch, rings| {
            let ring = rings[modulus.index()].get(i);
            let (out, above) = out.split_at_mut(ring.modulus.len());
            above.fill(0);
            match magnitude(x, ty) {
                None => out.copy_from_slice(&ring.enter(x, scratch)),
                Some(magnitude) => {
                    out.copy_from_slice(&ring.enter(&magnitude, scratch));
                    negate(out, ring);
                }
            }
            Ok(())
        });
    }

    /// Powers to integers of any type; the inverse's for negative ones.
    pub(super) fn powers(&mut self, modulus: ModulusId, node: &Node, active: Mask) {
        let ty = self.plan.ty(node.args[1]);
        self.each(node, active, |i, out, [x, exponent], scratch, rings| {
            let ring = rings[modulus.index()].get(i);
            let (x, (out, above)) = (&x[..ring.modulus.len()], out.split_at_mut(ring.modulus.len()));
            above.fill(0);
            match magnitude(exponent, ty) {
                None => out.copy_from_slice(&ring.power(x, exponent, scratch)),
                Some(exponent) => {
                    let inverse = ring.inverse(out, x, scratch);
                    inverse.map_err(|_| Why::NoInverse)?;
                    let power = ring.power(out, &exponent, scratch);
                    out.copy_from_slice(&power);
                }
            }
            Ok(())
        });
    }

    /// The inverses of all elements of each instance, by one inversion: Montgomery's trick.
    pub(super) fn inverses(&mut self, modulus: ModulusId, node: &Node, active: Mask) {
        let (plan, result) = (self.plan, node.results[0]);
        let (words, elements) = (plan.words(result), plan.program.elements(result));
        let uniform = plan.uniform.contains(result);
        let mut rows = self.take(result);
        let mut failed = Mask::EMPTY;
        for i in if uniform { Mask::first(1) } else { active }.iter() {
            let of = view(plan, &self.tile.slots, node.args[0]).all(i, elements);
            let (ring, scratch) = (self.tile.rings[modulus.index()].get(i), &mut self.room.memory.scratch);
            let out = &mut rows[i * words * elements..][..words * elements];
            out.fill(0);
            if !invert_all(ring, out, of, words, scratch) {
                failed = failed.or(if uniform { active } else { Mask::only(i) });
            }
        }
        self.put(result, rows);
        self.tile.fail(failed, Why::NoInverse, node.span);
    }
}

/// `out[k] = 1 / of[k]` for residues of so many words each; false if one of them has no inverse.
fn invert_all(ring: &Ring, out: &mut [u64], of: &[u64], words: usize, scratch: &mut Scratch) -> bool {
    let n = ring.modulus.len();
    let mut product = ring.one.clone();
    // Each place takes the product of the elements before it.
    for (out, x) in out.chunks_exact_mut(words).zip(of.chunks_exact(words)) {
        out[..n].copy_from_slice(&product);
        ring.mul(&mut product, Factors::Pair(&out[..n], &x[..n]), scratch);
    }
    let mut inverse = vec![0; n];
    if ring.inverse(&mut inverse, &product, scratch).is_err() {
        return false;
    }
    for (out, x) in out.chunks_exact_mut(words).zip(of.chunks_exact(words)).rev() {
        product.copy_from_slice(&out[..n]);
        ring.mul(&mut out[..n], Factors::Pair(&product, &inverse), scratch);
        product.copy_from_slice(&inverse);
        ring.mul(&mut inverse, Factors::Pair(&product, &x[..n]), scratch);
    }
    true
}

/// `x = -x` of a residue.
pub(super) fn negate(x: &mut [u64], ring: &Ring) {
    if !cmp::is_zero(x) {
        sub::sub_from(x, &ring.modulus);
    }
}
