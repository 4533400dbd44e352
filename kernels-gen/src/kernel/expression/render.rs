//! The kernel of an expression as CUDA C++.

use minijinja::{context, value::Serde};

use super::blocks;
use super::resources::{self, SharedWords};
use crate::kernel::{Block, Kernel, out_parameters};
use crate::lower::{Statements, statements};
use crate::spec::{KernelSpec, Limits, MOST_WORDS_WITHIN_WARP, SpecError, WARP, multiplies, operand_names};
use crate::template::{Instructions, Template, Templates, render_source};

const KERNEL: &str = include_str!("../../../templates/kernel.cu.j2");

/// Renders the specification, for a device with these limits.
///
/// # Errors
/// [`SpecError`] if the specification contradicts itself, or its kernel needs more than the limits give.
pub fn render(spec: &KernelSpec, limits: &Limits) -> Result<Kernel, SpecError> {
    let (statements, shared, block) = parts(spec, limits)?;
    let source = source(spec, &statements, &shared, &block)?;
    let inputs = operand_names(spec.inputs.iter().map(|input| input.name.clone()), spec.unless);
    let kernel = Kernel::new(source, inputs, block.geometry, spec.dag.may_fail(spec.ty));
    Ok(kernel.with_outputs(spec.dag.roots().len()))
}

/// The resources of a block of the kernel, without its source.
pub(crate) fn block(spec: &KernelSpec, limits: &Limits) -> Result<Block, SpecError> {
    parts(spec, limits).map(|(_, _, block)| block)
}

fn parts(spec: &KernelSpec, limits: &Limits) -> Result<(Statements, SharedWords, Block), SpecError> {
    check(spec)?;
    let mut statements = statements(spec);
    let shared = place_divisions(spec, &mut statements.templates, limits);
    let block = resources::block(spec, statements.templates, &shared, limits)?;
    Ok((statements, shared, block))
}

fn source(
    spec: &KernelSpec,
    statements: &Statements,
    shared: &SharedWords,
    block: &Block,
) -> Result<String, SpecError> {
    let mut templates = statements.templates;
    let mut instructions = vec![Instructions::Carries(spec.mapping.run_words)];
    instructions.extend(templates.has(Template::DivBlocks).then_some(Instructions::Matrices));
    instructions.extend(templates.has(Template::Chains).then_some(Instructions::Multiples));
    // Every kernel has these.
    templates.include(Template::Add);
    templates.include(Template::Bits);
    render_source(
        KERNEL,
        context! {
            spec => spec.to_string(),
            words => spec.words(),
            result_words => spec.result_words(),
            bits => spec.ty.bits(),
            limb_words => spec.limb.words(),
            threads => block.geometry.threads,
            blocks => block.wanted,
            instructions => Instructions::text(&instructions, spec.target)?,
            outs => out_parameters(&spec.out_names()),
            marks => spec.dag.may_fail(spec.ty),
            factor_words => shared.factor,
            slot_words => shared.slot,
            piece_words => spec.mapping.piece_words(),
            region_words => shared.region,
            exchange_words => shared.exchange,
            shared_bytes => block.geometry.shared_bytes,
            inputs => spec.inputs.len(),
            unless => spec.unless.map(|unless| unless.mask),
            unless_template => Template::SkipMask.text(),
            templates => templates.texts(),
            types => &statements.types,
            statements => &statements.lines,
            ..Serde(spec.mapping)
        },
    )
}

/// Errors if the specification contradicts itself.
fn check(spec: &KernelSpec) -> Result<(), SpecError> {
    let mapping = &spec.mapping;
    mapping.check()?;
    let results = spec.dag.result_types(spec.ty)?;
    if let [first, others @ ..] = &*results
        && let Some(other) = others.iter().find(|other| *other != first)
    {
        return Err(SpecError::Results { first: *first, other: *other });
    }
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

/// Chooses divisions by blocks, if they are faster and fit in shared memory, or in steps.
fn place_divisions(spec: &KernelSpec, templates: &mut Templates, limits: &Limits) -> SharedWords {
    if templates.has(Template::Div) {
        templates.include(Template::DivLengths);
    }
    if limits.matrices && blocks::are_faster(spec) {
        let mut by_blocks = *templates;
        by_blocks.include(Template::DivBlocks);
        let shared = SharedWords::of(spec, by_blocks);
        if shared.bytes() <= limits.shared_bytes {
            *templates = by_blocks;
            return shared;
        }
    }
    if templates.has(Template::Div) {
        templates.include(Template::DivSteps);
    }
    SharedWords::of(spec, *templates)
}
