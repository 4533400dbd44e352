//! Residues in Montgomery's form: each in the words of its modulus, with zeros above.

use limbforge_limb::slice::mul::Factors;

use super::mask::Mask;
use super::powers::negate;
use super::tile::Machine;
use crate::cpu::Why;
use crate::integer::modulus::constants::Ring;
use crate::integer::packed::{add_mod, sub_mod};
use crate::integer::{Scratch, jacobi::jacobi};
use crate::invariant::broken_invariant;
use crate::program::{Element, ModulusId, Node, ResidueOp};

impl Machine<'_> {
    /// An operation of residues. The modulus is prepared where an instance meets it first.
    pub(super) fn residue(&mut self, op: ResidueOp, node: &Node, active: Mask) {
        let modulus = self.modulus_of(node);
        match op {
            ResidueOp::Of => {
                self.prepare(modulus, active);
                let active = active.and(self.tile.live);
                if !active.is_empty() {
                    self.residues_of(modulus, node, active);
                }
            }
            ResidueOp::Inverse => self.inverses(modulus, node, active),
            ResidueOp::Power => self.powers(modulus, node, active),
            ResidueOp::Add => self.ring(modulus, node, active, |ring, out, [a, b], _| {
                add_mod(out, a, b, &ring.modulus);
            }),
            ResidueOp::Sub => self.ring(modulus, node, active, |ring, out, [a, b], _| {
                sub_mod(out, a, b, &ring.modulus);
            }),
            ResidueOp::Neg => self.ring(modulus, node, active, |ring, out, [a], _| {
                out.copy_from_slice(a);
                negate(out, ring);
            }),
            ResidueOp::Mul => self.ring(modulus, node, active, |ring, out, [a, b], scratch| {
                ring.mul(out, Factors::Pair(a, b), scratch);
            }),
            ResidueOp::Sqr => self.ring(modulus, node, active, |ring, out, [a], scratch| {
                ring.mul(out, Factors::Square(a), scratch);
            }),
            ResidueOp::DivPower2(k) => self.ring(modulus, node, active, |ring, out, [a], scratch| {
                out.copy_from_slice(a);
                ring.div_power2(out, k, scratch);
            }),
            ResidueOp::Int => self.ring(modulus, node, active, |ring, out, [a], scratch| {
                out.copy_from_slice(&ring.leave(a, scratch));
            }),
            ResidueOp::Key => {
                let bits = 32 * self.plan.program.modulus(modulus).ty.bits().div_ceil(32);
                self.ring(modulus, node, active, |ring, out, [a], scratch| {
                    out.copy_from_slice(a);
                    ring.keep_power2(out, bits, scratch);
                });
            }
            ResidueOp::Eq => self.each(node, active, |_, out, [a, b], _, _| {
                out[0] = u64::from(a == b);
                Ok(())
            }),
            ResidueOp::Jacobi => self.each(node, active, |i, out, [x], scratch, rings| {
                let ring = rings[modulus.index()].get(i);
                let number = ring.leave(&x[..ring.modulus.len()], scratch);
                let Ok(symbol) = jacobi(&number, &ring.modulus, scratch) else {
                    broken_invariant("moduli are odd")
                };
                out[0] = i64::from(symbol) as u64;
                Ok(())
            }),
        }
    }

    /// The modulus of the residues that a node takes or gives.
    fn modulus_of(&self, node: &Node) -> ModulusId {
        let residue = |&value| match self.plan.program.ty(value).element {
            Element::Residue(modulus) => Some(modulus),
            _ => None,
        };
        let found = node.args.iter().chain(&node.results).find_map(residue);
        found.unwrap_or_else(|| broken_invariant("an operation of residues has a modulus"))
    }

    /// Runs an operation on the words of residues.
    #[inline(always)]
    fn ring<const K: usize>(
        &mut self,
        modulus: ModulusId,
        node: &Node,
        active: Mask,
        operation: impl Fn(&Ring, &mut [u64], [&[u64]; K], &mut Scratch),
    ) {
        self.each(node, active, |i, out, operands: [&[u64]; K], scratch, rings| {
            let ring = rings[modulus.index()].get(i);
            let (out, above) = out.split_at_mut(ring.modulus.len());
            operation(ring, out, operands.map(|x| &x[..ring.modulus.len()]), scratch);
            above.fill(0);
            Ok::<(), Why>(())
        });
    }
}
