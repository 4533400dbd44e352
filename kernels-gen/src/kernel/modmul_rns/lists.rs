//! Kernels of the dense lists of instances that a test of primality goes on with.

use minijinja::{Value, context};

use super::render::stride;
use crate::kernel::{Geometry, Kernel};
use crate::pipeline::rendered;
use crate::spec::{Limits, SpecError, Target};
use crate::template::{Template, Templates, render_source};

const TALLY: &str = include_str!("../../../templates/modmul_rns_tally.cu.j2");
const GATHER: &str = include_str!("../../../templates/modmul_rns_gather.cu.j2");
const VERDICT: &str = include_str!("../../../templates/modmul_rns_verdict.cu.j2");

/// Threads of a block, and its instances.
const THREADS: u32 = 256;

/// The instances that a list is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    /// Words of 32 bits of a verdict.
    pub(crate) verdict_words: u32,
    /// Whether they are those of the batch, not of another list.
    pub(crate) is_batch: bool,
}

/// Counts the open instances of each block, from verdicts, the list before and whether its instances were served.
pub(crate) fn tally(before: Before, (target, limits): (Target, &Limits)) -> Result<Kernel, SpecError> {
    let Before { verdict_words, is_batch: first } = before;
    let spec = format!("modmul_rns tally verdicts={verdict_words} batch={first} target={target}");
    kernel(TALLY, context! { spec, verdict_words, first }, &["verdicts", "list", "served"], limits)
}

/// The numbers of `words` words of a list, its places, and the place of each instance. It is empty below `least`
/// instances.
pub(crate) fn gather(
    before: Before,
    (words, broadcast): (u32, bool),
    least: u32,
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    let Before { verdict_words, is_batch: first } = before;
    let spec = format!(
        "modmul_rns gather verdicts={verdict_words} batch={first} words={words} broadcast={broadcast} least={least} \
         target={target}"
    );
    let stride = stride(words, broadcast);
    let values = context! { spec, verdict_words, first, words, stride, least };
    let kernel = kernel(GATHER, values, &["verdicts", "list", "served", "tallies", "n"], limits)?;
    Ok(kernel.with_outputs(3))
}

/// The verdict of each instance of the batch from those of all parts of a test.
pub(crate) fn verdict(verdict_words: u32, (target, limits): (Target, &Limits)) -> Result<Kernel, SpecError> {
    let spec = format!("modmul_rns verdict verdicts={verdict_words} target={target}");
    let operands = ["small", "place", "served", "strong", "place2", "served2", "lucas"];
    kernel(VERDICT, context! { spec, verdict_words }, &operands, limits)
}

fn kernel(template: &str, values: Value, inputs: &[&str], limits: &Limits) -> Result<Kernel, SpecError> {
    let common =
        context! { threads => THREADS, templates => Templates::of([Template::ModmulRnsOpen]).texts() };
    let source = render_source(template, context! { ..values, ..common })?;
    let geometry = Geometry { threads: THREADS, instances: THREADS, planes: 1, shared_bytes: 0 };
    rendered(source, inputs, geometry, limits)
}
