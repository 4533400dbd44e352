//! Programs on polynomials as they are made: kernels of templates, and transforms between them.

use limbforge_algos::transform::ntt::{Direction, Wrap};
use limbforge_field::DynField;
use limbforge_field::modular::pow_mod;
use minijinja::context;
use minijinja::value::{Serde, Value};

use super::residue_words;
use crate::ntt::{ResidueClass, TransformPlan, TransformSpec};
use crate::pipeline::{Program, Source};
use crate::spec::{Limits, SpecError};
use crate::template::{Template, render_source};

const POLY: &str = include_str!("../../templates/poly.cuh");
/// The template of inverses.
pub(super) const INVERSE: &str = Template::PolyInverse.text();
/// Threads of a block of the kernels around transforms.
pub(super) const THREADS: u32 = 256;
/// Coefficients of each of these threads.
pub(super) const EACH: u32 = 4;
/// The operands of every program on polynomials.
pub(super) const BOTH: [Source; 2] = [Source::Input(0), Source::Input(1)];

/// A program over the field of p elements that is being made.
pub(super) struct Builder<'l> {
    pub(super) program: Program,
    pub(super) limits: &'l Limits,
    p: u64,
}

impl<'l> Builder<'l> {
    /// No launches yet, operands of so many terms.
    pub(super) fn new(p: u64, terms: [u32; 2], limits: &'l Limits) -> Self {
        let words = terms.map(|terms| u64::from(residue_words(p)) * u64::from(terms));
        Self { program: Program::empty(words.to_vec()), limits, p }
    }

    /// Words of 32 bits of so many terms.
    pub(super) fn words(&self, terms: u64) -> u64 {
        u64::from(residue_words(self.p)) * terms
    }

    /// Adds a kernel of a template, which includes residues in [0, p) and sums of products of them, then
    /// `included`.
    pub(super) fn kernel(
        &mut self,
        (template, values): (&str, Value),
        included: &[&str],
        inputs: &[&str],
        grid: [u32; 3],
    ) -> Result<usize, SpecError> {
        let texts = residue_texts(self.p)?;
        let texts = texts.iter().map(String::as_str).chain(included.iter().copied());
        let templates = Value::from(Serde(texts.collect::<Vec<&str>>()));
        self.program.add_rendered(self.limits, (template, context! { templates, ..values }), inputs, grid)
    }

    /// Adds `repeats` transforms of a buffer for each instance; returns the buffer of the results.
    pub(super) fn transform(
        &mut self,
        field: &DynField,
        (points, direction): (u32, Direction),
        from: Source,
        buffers: [usize; 2],
        repeats: u32,
    ) -> Result<usize, SpecError> {
        let spec = TransformSpec::new(field, points, Wrap::Cyclic, direction)?;
        let plan = TransformPlan::for_limits(spec, self.limits)?;
        self.program.transform(&plan, self.limits, from, buffers, repeats)
    }
}

/// Residues in [0, p) and sums of products of them. Such residues exist for every odd prime.
pub(super) fn residue_texts(p: u64) -> Result<[String; 2], SpecError> {
    let class = if p >> 32 == 0 { ResidueClass::Full32 } else { ResidueClass::Full64 };
    // A factor is held times R.
    let r = pow_mod(2, class.word_bits().into(), p);
    let prime = context! { prime => class.prime_text(p), r_squared => class.factor_text(r, p) };
    Ok([class.template().text().to_owned(), render_source(POLY, prime)?])
}
