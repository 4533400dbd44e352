//! The kernel of an expression as CUDA C++.

use minijinja::context;
use minijinja::value::Serde;

use super::blocks;
use super::check::check;
use super::resources::Resources;
use super::shared::SharedWords;
use crate::kernel::{Block, Geometry, Kernel};
use crate::lower::{Statements, statements};
use crate::spec::{KernelSpec, Limits, SpecError, operand_names};
use crate::template::{ENTRY, Instructions, Template, Templates, render_source};

const KERNEL: &str = include_str!("../../../templates/kernel.cu.j2");

/// Renders the specification, for a device with these limits.
///
/// # Errors
/// [`SpecError`] if the specification contradicts itself, or its kernel needs more than the limits give.
pub fn render(spec: &KernelSpec, limits: &Limits) -> Result<Kernel, SpecError> {
    let parts = Parts::of(spec, limits)?;
    let (source, geometry) = (parts.source(spec)?, parts.geometry(spec));
    let inputs = operand_names(spec.inputs.iter().map(|input| input.name.clone()), spec.unless);
    Ok(Kernel::new(source, inputs, geometry, spec.dag.may_fail(spec.ty)))
}

/// What a block of the kernel takes, without its source.
///
/// # Errors
/// Those of [`render`].
pub(crate) fn block(spec: &KernelSpec, limits: &Limits) -> Result<Block, SpecError> {
    let parts = Parts::of(spec, limits)?;
    let products = spec.dag.nodes().iter().filter(|node| node.op.is_product()).count() as u32;
    let held = spec.mapping.runs * spec.mapping.run_words;
    // A product's columns are sums of six words for four (mul_classical.cuh).
    let columns = if products > 0 { held / 4 * 6 } else { 0 };
    // A product has four barriers, and each resolution of carries one.
    let barriers = if spec.mapping.warps > 1 { 5 * products + 1 } else { 0 };
    Ok(Block {
        geometry: parts.geometry(spec),
        wanted: parts.resources.blocks_wanted,
        registers: parts.resources.registers() + columns,
        barriers,
    })
}

/// What a kernel is made of.
struct Parts {
    statements: Statements,
    shared: SharedWords,
    resources: Resources,
}

impl Parts {
    fn of(spec: &KernelSpec, limits: &Limits) -> Result<Self, SpecError> {
        check(spec)?;
        let mut statements = statements(spec);
        let shared = place_divisions(spec, &mut statements.templates, limits);
        let resources = Resources::of(spec, statements.templates, &shared, limits);
        resources.check(limits)?;
        Ok(Self { statements, shared, resources })
    }

    const fn geometry(&self, spec: &KernelSpec) -> Geometry {
        Geometry {
            threads: self.resources.threads,
            instances: spec.mapping.instances,
            planes: 1,
            shared_bytes: self.resources.shared_bytes as u32,
        }
    }

    fn instructions(&self, spec: &KernelSpec) -> Result<String, SpecError> {
        let mut wanted = vec![Instructions::Carries(spec.mapping.run_words)];
        let templates = self.statements.templates;
        wanted.extend(templates.has(Template::DivBlocks).then_some(Instructions::Matrices));
        wanted.extend(templates.has(Template::Div).then_some(Instructions::Multiples));
        Instructions::text(&wanted, spec.target)
    }

    fn source(&self, spec: &KernelSpec) -> Result<String, SpecError> {
        let Self { statements, shared, resources } = self;
        let mapping = &spec.mapping;
        let mut templates = statements.templates;
        // Every kernel has these.
        templates.include(Template::Add);
        templates.include(Template::Bits);
        render_source(
            KERNEL,
            context! {
                spec => spec.to_string(),
                entry => ENTRY,
                words => spec.words(),
                result_words => spec.result_words(),
                bits => spec.ty.bits(),
                limb_words => spec.limb.words(),
                threads => resources.threads,
                blocks => resources.blocks_wanted,
                instructions => self.instructions(spec)?,
                marks => spec.dag.may_fail(spec.ty),
                factor_words => shared.factor,
                slot_words => shared.slot,
                piece_words => mapping.piece_words(),
                region_words => shared.region,
                exchange_words => shared.exchange,
                shared_bytes => resources.shared_bytes,
                inputs => spec.inputs.len(),
                unless => spec.unless.map(|unless| unless.mask),
                unless_template => Template::SkipMask.text(),
                templates => templates.texts(),
                types => &statements.types,
                statements => &statements.lines,
                ..Serde(mapping)
            },
        )
    }
}

/// Divisions by blocks, if they are faster and find room, or in steps.
fn place_divisions(spec: &KernelSpec, templates: &mut Templates, limits: &Limits) -> SharedWords {
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
