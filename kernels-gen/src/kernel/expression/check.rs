//! What a specification must say so that there is a kernel.

use crate::spec::{KernelSpec, MOST_WORDS_WITHIN_WARP, SpecError, WARP, multiplies, within_warp};

/// # Errors
/// [`SpecError`] if the specification contradicts itself.
pub(super) fn check(spec: &KernelSpec) -> Result<(), SpecError> {
    let mapping = &spec.mapping;
    mapping.check()?;
    spec.dag.result_type(spec.ty)?;
    if mapping.padded_words() < spec.words() {
        let (held, needed) = (mapping.padded_words().into(), spec.words().into());
        return Err(SpecError::Width { held, needed, ty: spec.ty });
    }
    if spec.takes_residues() && !mapping.has_vectors() {
        return SpecError::mapping("words per run", mapping.run_words, "a multiple of 4 for residues");
    }
    let mut nodes = spec.dag.ids();
    let operation = nodes.find(|node| spec.dag.nodes()[node.index()].op.is_within_warp());
    if let Some(operation) = operation
        && (mapping.warps > 1 || mapping.runs > 1)
    {
        let operation = spec.dag.describe(operation);
        return Err(SpecError::Warp { operation, ty: spec.ty, limit: 32 * WARP * MOST_WORDS_WITHIN_WARP });
    }
    if within_warp(&spec.dag) && !mapping.run_words.is_multiple_of(mapping.words_within_warp()) {
        return SpecError::mapping(
            "words per run",
            mapping.run_words,
            "a multiple of 8, or of 4 with one lane",
        );
    }
    if multiplies(&spec.dag) && !mapping.has_vectors() {
        return SpecError::mapping("words per run", mapping.run_words, "a multiple of 4 for products");
    }
    for name in spec.dag.inputs() {
        let found = spec.inputs.iter().filter(|input| input.name == name).count();
        if found != 1 {
            return Err(SpecError::Input { name: name.to_owned(), found });
        }
    }
    Ok(())
}
