//! Batches of inputs and results as the kernel's `Shape`.

use limbforge_limb::{IntType, Layout};

use super::spec::{TapeInput, TapeSpec};

/// The inputs and the results as the kernel's `Shape`.
pub(super) fn shapes(spec: &TapeSpec<'_>) -> (Vec<String>, Vec<String>) {
    let types = spec.program.inputs().iter().map(|input| (input.ty, input.elements));
    let inputs = types.zip(&spec.inputs).map(|((ty, elements), input)| shape(ty, elements, input)).collect();
    let result = TapeInput { limb: spec.limb, layout: spec.output, one_for_all: false };
    let results =
        spec.program.results().iter().map(|output| shape(output.ty, output.elements, &result)).collect();
    (inputs, results)
}

/// A batch as the kernel's `Shape`.
fn shape(ty: IntType, elements: u32, input: &TapeInput) -> String {
    // Words of a limb are a power of two.
    let (words, limb) = (input.limb.instance_words(ty), input.limb.words().ilog2());
    let interleaved = input.layout == Layout::Interleaved;
    let (bits, signed, one) = (ty.bits(), ty.is_signed(), input.one_for_all);
    format!("{{{words}, {limb}, {bits}, {elements}, {signed}, {one}, {interleaved}}}")
}
