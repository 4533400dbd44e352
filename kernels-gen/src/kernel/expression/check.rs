//! What a specification must say so that there is a kernel.

use crate::spec::{KernelSpec, MOST_WORDS_WITHIN_WARP, SpecError, WARP, multiplies};

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
    let (dag, run_words) = (&spec.dag, mapping.run_words);
    let whole = |is_possible, expected| SpecError::require(is_possible, "words per run", run_words, expected);
    whole(!spec.takes_residues() || mapping.has_vectors(), "a multiple of 4 for residues")?;
    if let Some(node) = dag.ids().find(|node| dag.nodes()[node.index()].op.is_within_warp()) {
        if mapping.warps > 1 || mapping.runs > 1 {
            let limit = 32 * WARP * MOST_WORDS_WITHIN_WARP;
            return Err(SpecError::Warp { operation: dag.describe(node), ty: spec.ty, limit });
        }
        let has_steps = run_words.is_multiple_of(mapping.words_within_warp());
        whole(has_steps, "a multiple of 8, or of 4 with one lane")?;
    }
    whole(!multiplies(dag) || mapping.has_vectors(), "a multiple of 4 for products")?;
    for name in dag.inputs() {
        let found = spec.inputs.iter().filter(|input| input.name == name).count();
        if found != 1 {
            return Err(SpecError::Input { name: name.to_owned(), found });
        }
    }
    Ok(())
}
