//! The moduli of a tile with their constants.

use std::sync::Arc;

use limbforge_limb::IntType;
use limbforge_limb::slice::{bits, cmp};

use super::integers::is_negative;
use super::mask::Mask;
use super::tile::Machine;
use crate::cpu::Why;
use crate::integer::{Scratch, modulus::constants::Ring};
use crate::invariant::broken_invariant;
use crate::program::ModulusId;

/// A modulus: one for all instances of a tile, or one of each.
#[derive(Debug)]
pub(super) struct Rings {
    one_for_all: bool,
    rings: Vec<Option<Arc<Ring>>>,
}

impl Rings {
    pub(super) fn new(one_for_all: bool, instances: usize) -> Self {
        Self { one_for_all, rings: vec![None; if one_for_all { 1 } else { instances }] }
    }

    const fn index(&self, instance: usize) -> usize {
        if self.one_for_all { 0 } else { instance }
    }

    /// The modulus of an instance, which has residues.
    #[inline(always)]
    pub(super) fn get(&self, instance: usize) -> &Ring {
        match &self.rings[self.index(instance)] {
            Some(ring) => ring,
            None => broken_invariant("a modulus is prepared before its first residue"),
        }
    }
}

impl Machine<'_> {
    /// Prepares a modulus for the instances that lack it: once where it is one for all, then for all tiles.
    /// An instance fails where it is no modulus of residues.
    pub(super) fn prepare(&mut self, id: ModulusId, active: Mask) {
        let (plan, modulus) = (self.plan, *self.plan.program.modulus(id));
        let one_for_all = plan.uniform.contains(modulus.value);
        let rings = &self.tile.rings[id.index()];
        let missing = active.filter(|i| rings.rings[rings.index(i)].is_none());
        for i in missing.iter().take(if one_for_all { 1 } else { Mask::MOST }) {
            let number = super::tile::view(plan, &self.tile.slots, modulus.value).get(i, 0);
            let scratch = &mut self.room.memory.scratch;
            let ring = if one_for_all {
                plan.rings[id.index()].get_or_init(|| ring(number, modulus.ty, scratch)).clone()
            } else {
                ring(number, modulus.ty, scratch)
            };
            match ring {
                Ok(ring) => {
                    let rings = &mut self.tile.rings[id.index()];
                    let index = rings.index(i);
                    rings.rings[index] = Some(ring);
                }
                Err(why) => {
                    let instances = if one_for_all { active } else { Mask::only(i) };
                    self.tile.fail(instances, why, modulus.span);
                }
            }
        }
    }
}

/// The constants of a modulus of this type.
fn ring(modulus: &[u64], ty: IntType, scratch: &mut Scratch) -> Result<Arc<Ring>, Why> {
    if cmp::is_zero(modulus) || is_negative(modulus, ty) {
        return Err(Why::ZeroModulus);
    }
    if !bits::bit(modulus, 0) {
        return Err(Why::EvenModulus);
    }
    let Some(ring) = Ring::montgomery(modulus, scratch) else { broken_invariant("the modulus is odd") };
    Ok(Arc::new(ring))
}
