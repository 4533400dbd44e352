//! The specification as CUDA C++.

use minijinja::context;

use super::blocks;
use super::resources::Resources;
use super::shared::SharedWords;
use crate::emit::{Statements, Templates, statements};
use crate::kernel::{Block, Geometry, Kernel};
use crate::spec::{
    KernelSpec, Limits, MOST_WORDS_WITHIN_WARP, SpecError, Target, Unless, WARP, multiplies, within_warp,
};
use crate::template::{ENTRY, environment};

const KERNEL: &str = include_str!("../../../templates/kernel.cu.j2");

/// Renders the specification, for a device with these limits.
///
/// # Errors
/// [`SpecError`] if the specification contradicts itself, or its kernel needs more than the limits give.
pub fn render(spec: &KernelSpec, limits: &Limits) -> Result<Kernel, SpecError> {
    let parts = Parts::of(spec, limits)?;
    let geometry = parts.geometry(spec);
    let Parts { statements, shared, resources } = parts;
    let source = source(spec, &statements, &resources, &shared)
        .map_err(|error| SpecError::Template(format!("{error:#}")))?;
    let flags = spec.unless.map(|_| Unless::NAME.to_owned());
    let inputs = spec.inputs.iter().map(|input| input.name.clone()).chain(flags).collect();
    let marks = spec.dag.may_fail(spec.ty);
    Ok(Kernel { source, entry: ENTRY.to_owned(), inputs, geometry, marks })
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
        let templates = &mut statements.templates;
        templates.div_blocks = limits.matrices && blocks::are_faster(*templates, &spec.mapping);
        let mut shared = SharedWords::of(spec, *templates);
        if templates.div_blocks && shared.bytes() > limits.shared_bytes {
            templates.div_blocks = false;
            shared = SharedWords::of(spec, *templates);
        }
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
}

fn check(spec: &KernelSpec) -> Result<(), SpecError> {
    let mapping = &spec.mapping;
    mapping.check()?;
    spec.dag.result_type(spec.ty)?;
    if mapping.padded_words() < spec.words() {
        let (held, needed) = (mapping.padded_words().into(), spec.words().into());
        return Err(SpecError::Width { held, needed, ty: spec.ty });
    }
    if spec.takes_residues() && !mapping.has_vectors() {
        let (what, found) = ("words per run", mapping.run_words);
        return Err(SpecError::Mapping { what, found, expected: "a multiple of 4 for residues" });
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
        let (what, found) = ("words per run", mapping.run_words);
        return Err(SpecError::Mapping { what, found, expected: "a multiple of 8, or of 4 with one lane" });
    }
    if multiplies(&spec.dag) && !mapping.has_vectors() {
        let (what, found) = ("words per run", mapping.run_words);
        return Err(SpecError::Mapping { what, found, expected: "a multiple of 4 for products" });
    }
    for name in spec.dag.inputs() {
        let found = spec.inputs.iter().filter(|input| input.name == name).count();
        if found != 1 {
            return Err(SpecError::Input { name: name.to_owned(), found });
        }
    }
    Ok(())
}

/// The texts of the templates that the kernel needs, in the order of their dependence.
fn templates(needed: Templates) -> Vec<&'static str> {
    let mut texts = vec![
        include_str!("../../../templates/layout.cuh"),
        include_str!("../../../templates/add.cuh"),
        include_str!("../../../templates/bits.cuh"),
    ];
    if needed.cmp {
        texts.push(include_str!("../../../templates/cmp.cuh"));
    }
    if needed.shift || needed.mul_classical || needed.div {
        texts.push(include_str!("../../../templates/stage.cuh"));
    }
    if needed.shift || needed.div {
        texts.push(include_str!("../../../templates/shift.cuh"));
    }
    texts.extend(needed.bits.texts());
    if needed.mul_classical {
        texts.push(include_str!("../../../templates/mul_classical.cuh"));
    }
    if needed.mul_wide {
        texts.push(include_str!("../../../templates/mul_wide.cuh"));
    }
    if needed.crt {
        texts.push(include_str!("../../../templates/crt.cuh"));
    }
    if needed.mul_high {
        texts.push(include_str!("../../../templates/mul_high.cuh"));
    }
    if needed.div {
        texts.push(include_str!("../../../templates/lanes_transfer.cuh"));
        texts.push(include_str!("../../../templates/lanes.cuh"));
        texts.push(include_str!("../../../templates/three_by_two.cuh"));
        texts.push(include_str!("../../../templates/div.cuh"));
        texts.push(include_str!("../../../templates/div_short.cuh"));
        texts.extend(blocks::texts(needed.div_blocks));
        texts.push(include_str!("../../../templates/div_forms.cuh"));
    }
    if needed.gcd || needed.modinv || needed.xgcd || needed.jacobi {
        texts.push(include_str!("../../../templates/limbs30.cuh"));
        texts.push(include_str!("../../../templates/divsteps.cuh"));
    }
    if needed.modinv || needed.xgcd {
        texts.push(include_str!("../../../templates/cofactor.cuh"));
    }
    let montgomery = needed.powmod || needed.lcm || needed.modinv || needed.modinv2k || needed.mont_form;
    if montgomery || needed.roots.tests_primes() {
        texts.push(include_str!("../../../templates/montgomery.cuh"));
    }
    if needed.powmod || needed.modinv || needed.modinv2k {
        texts.push(include_str!("../../../templates/hensel.cuh"));
    }
    for (is_needed, text) in [
        (needed.residues, include_str!("../../../templates/residues.cuh")),
        (needed.div_wide || needed.mulmod, include_str!("../../../templates/div_wide.cuh")),
        (needed.mont_form, include_str!("../../../templates/mont_form.cuh")),
        (needed.mulmod, include_str!("../../../templates/mulmod.cuh")),
        (needed.gcd, include_str!("../../../templates/gcd.cuh")),
        (needed.lcm, include_str!("../../../templates/lcm.cuh")),
        (needed.powmod, include_str!("../../../templates/powmod.cuh")),
        (needed.modinv, include_str!("../../../templates/modinv.cuh")),
        (needed.modinv2k, include_str!("../../../templates/modinv2k.cuh")),
        (needed.xgcd, include_str!("../../../templates/xgcd.cuh")),
        (needed.jacobi, include_str!("../../../templates/jacobi.cuh")),
    ] {
        if is_needed {
            texts.push(text);
        }
    }
    texts.extend(needed.roots.texts());
    if needed.lanes_wide {
        texts.push(include_str!("../../../templates/lanes_wide.cuh"));
    }
    texts
}

/// A run in pieces of up to eight words, as (first word, words): what one asm statement takes.
fn pieces(run_words: u32) -> Vec<(u32, u32)> {
    (0..run_words).step_by(8).map(|first| (first, (run_words - first).min(8))).collect()
}

fn source(
    spec: &KernelSpec,
    statements: &Statements,
    resources: &Resources,
    shared: &SharedWords,
) -> Result<String, minijinja::Error> {
    let environment = environment()?;
    let mapping = &spec.mapping;
    let instructions = match spec.target {
        Target::Cuda => include_str!("../../../templates/ptx.cuh"),
        Target::Emulator => include_str!("../../../templates/ptx_twin.cuh"),
    };
    let with =
        |mma| environment.render_str(instructions, context! { pieces => pieces(mapping.run_words), mma });
    let matrices = if statements.templates.div_blocks { with(true)? } else { String::new() };
    let instructions = with(false)? + &matrices;
    let multiples = match spec.target {
        _ if !statements.templates.div => "",
        Target::Cuda => include_str!("../../../templates/ptx_mad.cuh"),
        Target::Emulator => include_str!("../../../templates/ptx_mad_twin.cuh"),
    };
    let multiples = environment.render_str(multiples, context! {})?;
    environment.render_str(
        KERNEL,
        context! {
            spec => spec.to_string(),
            entry => ENTRY,
            words => spec.words(),
            result_words => spec.result_words(),
            bits => spec.ty.bits(),
            limb_words => spec.limb.words(),
            run_words => mapping.run_words,
            runs => mapping.runs,
            lanes => mapping.lanes,
            warps => mapping.warps,
            instances => mapping.instances,
            threads => resources.threads,
            blocks => resources.blocks_wanted,
            instructions => instructions + &multiples,
            marks => spec.dag.may_fail(spec.ty),
            factor_words => shared.factor,
            slot_words => shared.slot,
            piece_words => mapping.piece_words(),
            region_words => shared.region,
            exchange_words => shared.exchange,
            shared_bytes => resources.shared_bytes,
            inputs => spec.inputs.len(),
            unless => spec.unless.map(|unless| unless.mask),
            unless_template => Unless::TEMPLATE,
            templates => templates(statements.templates),
            types => &statements.types,
            statements => &statements.lines,
        },
    )
}
