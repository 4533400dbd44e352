//! Euclidean division: its launches and their kernels.

use minijinja::context;

use super::render::{INVERSE, common_templates, render_source};
use super::shape::{Div, PolySpec};
use crate::pipeline::{Program, Source, rendered};
use crate::spec::{Limits, SpecError};
use crate::template::ENTRY;

const START: &str = include_str!("../../templates/poly_div_start.cu.j2");
const STEP: &str = include_str!("../../templates/poly_div_step.cu.j2");

/// Quotients and remainders of polynomials of n terms by polynomials of m terms whose highest coefficient is
/// not 0.
pub type PolyDivSpec = PolySpec<Div>;

impl PolyDivSpec {
    /// The program. The start reads a and b and writes a state, each of the steps reads a state and b and
    /// writes the next one. The result is the last state.
    ///
    /// A state has n + 2 words of the field. After the last step they are: 0; a number that is 0 if the
    /// divisor's highest coefficient is 0, so that there is no result; the remainder, m - 1 terms; the
    /// quotient, n - m + 1 terms.
    ///
    /// # Errors
    /// [`SpecError`] if a block needs more than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let &Self { p, n, m, s, threads, .. } = self;
        // A coefficient each thread in the naive program.
        let block = if s == 1 { threads } else { 2 * s };
        let shared_bytes = 4 * self.residue_words() * (4 * s - 1 + block);
        let mut templates = common_templates(p)?;
        templates.push(INVERSE.to_owned());
        let kernel = |template, part: &str, inputs: [&str; 2], tile: u32, shared_bytes| {
            let tiles = n.div_ceil(tile);
            let source = render_source(
                template,
                context! {
                    spec => format!("{self} {part}"), entry => ENTRY, n, m, s, threads, block, tiles, templates => &templates,
                },
            )?;
            rendered::kernel(source, inputs, rendered::blocks(threads, tiles, shared_bytes), limits)
        };
        let mut program = Program::empty(self.input_words());
        let state = self.words(u64::from(n) + 2);
        let start = program.add_kernel(kernel(START, "start", ["a", "b"], threads, 0)?);
        let step = program.add_kernel(kernel(STEP, "step", ["state", "b"], block, shared_bytes)?);
        program.launch(start, vec![Source::Input(0), Source::Input(1)], state);
        for _ in 0..self.steps() {
            program.launch(step, vec![program.last(), Source::Input(1)], state);
        }
        Ok(program.finished())
    }

    /// Launches of the steps: each has s terms of the quotient.
    #[must_use]
    pub fn steps(&self) -> u32 {
        (self.n - self.m + 1).div_ceil(self.s)
    }
}
