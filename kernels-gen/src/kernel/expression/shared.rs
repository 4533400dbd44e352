//! What lies where in a block's shared memory: the one table of sizes, which the templates get as constants.
//!
//! A block's memory is a region and, behind it, what its warps exchange. The region holds one slot for each
//! instance while an operation works in it, and the staged result at the end.

use super::blocks;
use crate::lower::{factor_words, lowerings};
use crate::spec::KernelSpec;
use crate::template::{Template, Templates};

/// Sizes in words of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SharedWords {
    /// The first factor of a product in a slot; 0 without products.
    pub(super) factor: u32,
    /// An instance's slot, with what keeps it in other banks than its neighbours.
    pub(super) slot: u32,
    /// Slots or staged result, the larger.
    pub(super) region: u32,
    /// One word of each warp of the block; there are two such arrays.
    pub(super) exchange: u32,
    /// What coefficients pass on from each warp of the block to the next, three words (crt.cuh).
    pub(super) spill: u32,
}

impl SharedWords {
    pub(super) fn of(spec: &KernelSpec, templates: Templates) -> Self {
        let mapping = &spec.mapping;
        let factor = if templates.has(Template::MulClassical) { factor_words(spec) } else { 0 };
        let slot = slot(spec, templates);
        let slots = mapping.threads() / (mapping.lanes * mapping.warps);
        // A block's stretch in whole vectors, of which the first may begin in the block before.
        let staged = if spec.is_staged() {
            mapping.instances.saturating_mul(spec.result_words()).saturating_add(3)
        } else {
            0
        };
        let region = staged.max(slots.saturating_mul(slot)).div_ceil(4).saturating_mul(4);
        let exchange = if mapping.warps > 1 { mapping.instances * mapping.warps } else { 0 };
        let spill = if templates.has(Template::Crt) { 3 * exchange } else { 0 };
        Self { factor, slot, region, exchange, spill }
    }

    /// All of it.
    pub(super) const fn bytes(&self) -> u64 {
        4 * (self.region as u64 + 2 * self.exchange as u64 + self.spill as u64)
    }
}

/// An instance's slot: what its operations take one after the other, or what its lanes exchange.
fn slot(spec: &KernelSpec, templates: Templates) -> u32 {
    let (mapping, padded) = (&spec.mapping, spec.mapping.padded_words());
    let used = lowerings(&spec.dag).map(|row| (row.slot)(spec)).max().unwrap_or(0);
    // Padding of a piece for each lane (lanes_transfer.cuh); lanes of neighbouring instances then lie in different banks too.
    let padding = mapping.lanes.saturating_mul(mapping.piece_words());
    let lanes = if templates.has(Template::Div) { padded.saturating_add(padding) } else { 0 };
    // A dividend or a result of twice the words (div_wide.cuh, lanes_wide.cuh).
    let is_twice = templates.has(Template::DivWide) || templates.has(Template::LanesWide);
    let twice = if is_twice { lanes } else { 0 };
    // What blocks take lies behind (div_blocks.cuh).
    let behind = if templates.has(Template::DivBlocks) { blocks::area_words(spec) } else { 0 };
    let lanes = lanes.saturating_add(twice).saturating_add(behind);
    match used {
        0 => lanes,
        // Slots at a distance of 16 bytes modulo 32 lie in different banks.
        _ => used.max(lanes).div_ceil(8).saturating_mul(8).saturating_add(4),
    }
}
