//! The row of an operation.

use super::emitter::{Emitter, Held};
use super::lane_words::LaneWords;
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
    /// Registers of a long operation, as compiled, rounded up: they decide how many blocks hide latency.
    pub(crate) registers: Option<fn(&KernelSpec) -> u32>,
    /// How many words a lane holds.
    pub(crate) lane_words: LaneWords,
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

/// The defaults of most operations: no template, no shared memory, the time of an addition.
pub(super) const fn plain(emit: Emit) -> Lowering {
    let work = |words| Work { products: 0.0, words };
    Lowering { emit, templates: &[], slot: |_| 0, registers: None, lane_words: LaneWords::Exchanges, work }
}

/// The words of an instance as the threads hold them.
pub(super) fn padded(spec: &KernelSpec) -> u32 {
    spec.mapping.padded_words()
}

/// The slot of a product of `words` words: L takes these, H half as many and two (`mul_classical.cuh`).
fn product(spec: &KernelSpec, words: u32) -> u32 {
    let columns = words.saturating_add(words / 2 + 2);
    columns.max(factor_words(spec).saturating_add(padded(spec)))
}

/// The slot of a low product.
pub(super) fn low_product(spec: &KernelSpec) -> u32 {
    product(spec, padded(spec))
}

/// The slot of a product of all words; rows of one thread need none.
pub(super) fn wide_product(spec: &KernelSpec) -> u32 {
    if spec.has_long_rows() { 0 } else { product(spec, padded(spec).saturating_mul(2)) }
}

/// The first factor in a slot, with the four zeros that the second one's window runs into.
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

/// A function of numbers.
pub(super) fn function(e: &mut Emitter<'_>) -> Held {
    let operands = e.operands();
    e.num(&format!("{}({operands}, slot, exchange, at)", e.function()))
}

/// A function some of whose operands have no result.
pub(super) fn partial_function(e: &mut Emitter<'_>) -> Held {
    e.num_or_mark(&e.function())
}

/// A function that is a truth value.
pub(super) fn test(e: &mut Emitter<'_>) -> Held {
    let operands = e.operands();
    e.truth(&format!("{}({operands}, slot, exchange, at)", e.function()))
}
