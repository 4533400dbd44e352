//! The row of an operation.

use super::emitter::{Emitter, Held};
use crate::spec::KernelSpec;
use crate::template::Template;

/// Writes the statements of the emitter's node.
pub(super) type Emit = fn(&mut Emitter<'_>) -> Held;

/// The statements of an operation, and the resources that they take.
#[derive(Clone, Copy)]
pub(crate) struct Lowering {
    pub(super) emit: Emit,
    /// The templates that they call, whatever the operands.
    pub(crate) templates: &'static [Template],
    /// Words of an instance's slot of shared memory, beside those in which lanes exchange operands.
    pub(crate) slot: fn(&KernelSpec) -> u32,
    /// Registers of a thread, as compiled, rounded up: of long operations, where registers decide how many
    /// blocks hide latency.
    pub(crate) registers: Option<fn(&KernelSpec) -> u32>,
    /// Whether lanes exchange little and hold four or five numbers in registers, so that they take 16 words
    /// at most.
    pub(crate) short_lanes: bool,
    /// The cost of operands of so many words in the many-core model.
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

/// The defaults of most operations: no template, no shared memory, the time of an addition.
pub(super) const fn plain(emit: Emit) -> Lowering {
    Lowering { emit, templates: &[], slot: |_| 0, registers: None, short_lanes: false, work: Work::words }
}

/// The words of an instance as the threads hold them.
pub(super) fn padded(spec: &KernelSpec) -> u32 {
    spec.mapping.padded_words()
}

/// The slot of a product of which `words` words are computed: L takes these, and H half as many and two
/// (`templates/mul_classical.cuh`).
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

/// The first factor of a product in a slot, followed by the four zeros that the second one's window runs
/// into.
pub(crate) fn factor_words(spec: &KernelSpec) -> u32 {
    padded(spec).saturating_add(4)
}

/// This many numbers in a slot.
pub(super) fn numbers<const COUNT: u32>(spec: &KernelSpec) -> u32 {
    padded(spec).saturating_mul(COUNT)
}

/// Limbs of 30 bits of an instance (`templates/limbs30.cuh`).
pub(super) const fn limbs30(spec: &KernelSpec) -> u32 {
    lane_limbs30(spec) * spec.mapping.lanes
}

/// Limbs of 30 bits of a lane.
pub(super) const fn lane_limbs30(spec: &KernelSpec) -> u32 {
    (spec.ty.bits() + 14).div_ceil(30 * spec.mapping.lanes)
}
