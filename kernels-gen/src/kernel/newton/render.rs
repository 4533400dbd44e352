//! The kernels of a division by an inverse as CUDA C++.

use minijinja::context;
use minijinja::value::Serde;

use super::block::{RUN_WORDS, SHORT_WORDS, block, mapping, short_threads};
use super::context::{bits, factor, inputs, is_shared, marks, planes, stage};
use super::spec::DivNewtonSpec;
use super::stage::Stage;
use super::words::{aligned, part_words};
use crate::kernel::{Block, Kernel};
use crate::spec::{Limits, SpecError};
use crate::template::{ENTRY, Instructions, Template, Templates, render_source};

const KERNEL: &str = include_str!("../../../templates/div_newton.cu.j2");

/// Renders the specification, for a device with these limits.
///
/// # Errors
/// [`SpecError::SharedMemory`] if a block has too little of it for an instance.
pub fn render_div_newton(spec: &DivNewtonSpec, limits: &Limits) -> Result<Kernel, SpecError> {
    let mapping = mapping(spec);
    let Block { geometry, wanted, .. } = block(spec, limits)?;
    let (inputs, marks) = (inputs(&spec.stage), marks(&spec.stage));
    let stage = stage(spec);
    let source = render_source(
        KERNEL,
        context! {
            spec => spec.to_string(),
            entry => ENTRY,
            stage => stage,
            shared => is_shared(&spec.stage),
            words => spec.words(),
            bits => bits(spec),
            type_bits => spec.ty.bits(),
            is_signed => spec.ty.is_signed(),
            limb_words => spec.limb.words(),
            half => spec.half,
            operand => aligned(spec.half + 1),
            low => aligned(2 * spec.half + 1),
            part_words => part_words(spec.half),
            factor => factor(&spec.stage),
            threads => geometry.threads,
            blocks => wanted,
            instructions => instructions(spec)?,
            short_words => SHORT_WORDS,
            short_threads => short_threads(spec),
            inputs => &inputs,
            marks => marks,
            planes => planes(spec),
            templates => templates(spec),
            short_template => Template::DivNewtonShort.text(),
            ..Serde(mapping)
        },
    )?;
    Ok(Kernel::new(source, inputs, geometry, marks))
}

/// Texts that the kernel includes.
fn templates(spec: &DivNewtonSpec) -> Vec<&'static str> {
    let mut templates = Templates::of(&[Template::DivNewton]);
    if spec.stage.unless().is_some() {
        templates.include(Template::SkipMask);
    }
    match &spec.stage {
        Stage::Normalise { .. } => templates.include(Template::DivNewtonNormalise),
        Stage::CorrectLow { .. } => templates.include(Template::DivNewtonDigit),
        Stage::Sum { .. }
        | Stage::Difference { .. }
        | Stage::PartialRemainder { .. }
        | Stage::CorrectHigh { .. } => {}
    }
    templates.texts()
}

fn instructions(spec: &DivNewtonSpec) -> Result<String, SpecError> {
    let divides = matches!(spec.stage, Stage::Normalise { .. } | Stage::CorrectLow { .. });
    let wanted = [Instructions::Carries(RUN_WORDS), Instructions::Multiples];
    Instructions::text(&wanted[..1 + usize::from(divides)], spec.target)
}
