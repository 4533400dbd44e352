//! What a row says of an operation.

use limbforge_algos::expr::DagNode;

use super::emitter::{Emitter, Held};
use crate::spec::KernelSpec;
use crate::template::Template;

/// Writes the statements of a node, whose number is given.
pub(super) type Emit = fn(&mut Emitter<'_>, usize, &DagNode) -> Held;

/// What kernels do for an operation.
#[derive(Clone, Copy)]
pub(crate) struct Lowering {
    pub(super) emit: Emit,
    /// The templates that they call, whatever the operands.
    pub(crate) templates: &'static [Template],
    /// Words that it takes of an instance's slot of shared memory, beside those in which lanes exchange operands.
    pub(crate) slot: fn(&KernelSpec) -> u32,
    /// Registers of a thread, as compiled, rounded up, of an operation that takes so long that registers for the blocks that hide latency
    /// matter.
    pub(crate) registers: Option<fn(&KernelSpec) -> u32>,
    /// Whether lanes exchange little and hold four or five numbers in registers, so that they take 16 words at most.
    pub(crate) short_lanes: bool,
    /// What the many-core model counts for operands of so many words.
    pub(crate) work: fn(f64) -> Work,
}

/// Operations of the many-core model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Work {
    /// Multiplications of 32-bit words.
    pub(crate) products: f64,
    /// Words of other operations.
    pub(crate) words: f64,
}

impl Work {
    pub(crate) const fn products(products: f64) -> Self {
        Self { products, words: 0.0 }
    }

    pub(crate) const fn words(words: f64) -> Self {
        Self { products: 0.0, words }
    }
}

/// A row that fills in what most operations have in common: no template, no shared memory, the time of an addition.
pub(super) const fn plain(emit: Emit) -> Lowering {
    Lowering { emit, templates: &[], slot: |_| 0, registers: None, short_lanes: false, work: Work::words }
}

/// The words of an instance as the threads hold them.
pub(super) fn padded(spec: &KernelSpec) -> u32 {
    spec.mapping.padded_words()
}

/// A product of numbers of the kernel's width, of which `words` words are computed. Columns take their words for L, and half as many and
/// two for H (`templates/mul_classical.cuh`).
fn product(spec: &KernelSpec, words: u32) -> u32 {
    let columns = words.saturating_add(words / 2 + 2);
    columns.max(factor_words(spec).saturating_add(padded(spec)))
}

/// The slot of a low product.
pub(super) fn low_product(spec: &KernelSpec) -> u32 {
    product(spec, padded(spec))
}

/// The slot of a product of all words.
pub(super) fn wide_product(spec: &KernelSpec) -> u32 {
    product(spec, padded(spec).saturating_mul(2))
}

/// The first factor of a product in a slot, with the four zeros behind it that the second one's window runs into.
pub(crate) fn factor_words(spec: &KernelSpec) -> u32 {
    padded(spec).saturating_add(4)
}

/// This many numbers in a slot.
pub(super) fn numbers<const COUNT: u32>(spec: &KernelSpec) -> u32 {
    padded(spec).saturating_mul(COUNT)
}

/// Limbs of 30 bits of an instance (`templates/limbs30.cuh`).
pub(super) const fn limbs30(spec: &KernelSpec) -> u32 {
    let lanes = spec.mapping.lanes;
    (spec.ty.bits() + 14).div_ceil(30 * lanes) * lanes
}

/// Limbs of 30 bits of a lane.
pub(super) const fn lane_limbs30(spec: &KernelSpec) -> u32 {
    limbs30(spec) / spec.mapping.lanes
}
