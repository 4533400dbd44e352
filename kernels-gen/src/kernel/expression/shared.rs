//! What lies where in a block's shared memory: the one table of sizes, which the templates get as constants.
//!
//! A block's memory is a region and, behind it, what its warps tell each other. The region holds one slot for each
//! instance while an operation works in it, and the staged result at the end.

use super::blocks;
use crate::emit::Templates;
use crate::spec::KernelSpec;

/// Sizes in words of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SharedWords {
    /// The first factor of a product in a slot, with the four zeros behind it that the second one's window runs into; 0 without products.
    pub(crate) factor: u32,
    /// An instance's slot, with what keeps it in other banks than its neighbours.
    pub(crate) slot: u32,
    /// Slots or staged result, the larger.
    pub(crate) region: u32,
    /// One word of each warp of the block; there are two such arrays.
    pub(crate) exchange: u32,
    /// What digit sums pass on from each warp of the block to the next, three words (crt.cuh).
    pub(crate) spill: u32,
}

/// Limbs of 30 bits of an instance (`templates/limbs30.cuh`).
pub(crate) const fn limbs30(spec: &KernelSpec) -> u32 {
    let lanes = spec.mapping.lanes;
    (spec.ty.bits() + 14).div_ceil(30 * lanes) * lanes
}

impl SharedWords {
    pub(crate) fn of(spec: &KernelSpec, templates: Templates) -> Self {
        let mapping = &spec.mapping;
        let padded = mapping.padded_words();
        let factor = if templates.mul_classical { padded.saturating_add(4) } else { 0 };
        // Columns take their words for L, and half as many and two for H (mul_classical.cuh).
        let columns = |words: u32| words.saturating_add(words / 2 + 2);
        let product = |words: u32| columns(words).max(factor.saturating_add(padded));
        let used = match templates {
            Templates { mul_wide: true, .. } => product(padded.saturating_mul(2)),
            Templates { mul_classical: true, .. } => product(padded),
            Templates { shift: true, .. } => padded,
            _ => 0,
        };
        let limbs = templates.gcd || templates.modinv || templates.xgcd;
        let used = if limbs { used.max(limbs30(spec)) } else { used };
        // The number and twice its root (isqrt.cuh).
        let used = if templates.roots.isqrt { used.max(padded.saturating_mul(2)) } else { used };
        // Both factors of a low product (montgomery.cuh).
        let products = templates.lcm || templates.modinv2k;
        let used = if products { used.max(padded.saturating_mul(2)) } else { used };
        // Operands behind all else (powmod.cuh, modinv.cuh, xgcd.cuh, primality.cuh).
        let keeps = templates.powmod || templates.modinv || templates.xgcd || templates.roots.is_prime;
        let used = if keeps { used.max(padded.saturating_mul(4)) } else { used };
        // The number behind products (root.cuh).
        let used = if templates.roots.root { used.max(padded.saturating_mul(5)) } else { used };
        // Padding of a piece for each lane (lanes_transfer.cuh); lanes of neighbouring instances then lie in different banks too.
        let padding = mapping.lanes.saturating_mul(mapping.piece_words());
        let lanes = if templates.div { padded.saturating_add(padding) } else { 0 };
        // A dividend or a result of twice the words (div_wide.cuh, lanes_wide.cuh).
        let is_twice = templates.mulmod || templates.div_wide || templates.lanes_wide;
        let twice = if is_twice { lanes } else { 0 };
        // What blocks take lies behind (div_blocks.cuh).
        let behind = if templates.div_blocks { blocks::area_words(templates, padded) } else { 0 };
        let lanes = lanes.saturating_add(twice).saturating_add(behind);
        let slot = match used {
            0 => lanes,
            // Slots at a distance of 16 bytes modulo 32 lie in different banks.
            _ => (used.max(lanes).div_ceil(8).saturating_mul(8)).saturating_add(4),
        };
        let slots = mapping.threads() / (mapping.lanes * mapping.warps);
        // A block's stretch in whole vectors, of which the first may begin in the block before.
        let staged = if spec.is_staged() {
            mapping.instances.saturating_mul(spec.result_words()).saturating_add(3)
        } else {
            0
        };
        let region = staged.max(slots.saturating_mul(slot)).div_ceil(4).saturating_mul(4);
        let exchange = if mapping.warps > 1 { mapping.instances * mapping.warps } else { 0 };
        let spill = if templates.crt { 3 * exchange } else { 0 };
        Self { factor, slot, region, exchange, spill }
    }

    /// All of it.
    pub(crate) const fn bytes(&self) -> u64 {
        4 * (self.region as u64 + 2 * self.exchange as u64 + self.spill as u64)
    }
}
