//! The greatest common divisor: its launches and their kernels.

use minijinja::context;

use super::render::{INVERSE, common_templates, render_source};
use super::shape::{Gcd, PolySpec};
use crate::pipeline::{Program, Source, rendered};
use crate::spec::{Limits, SpecError};
use crate::template::ENTRY;

const STATE: &str = include_str!("../../templates/poly_gcd.cuh");
const START: &str = include_str!("../../templates/poly_gcd_start.cu.j2");
const STEP: &str = include_str!("../../templates/poly_gcd_step.cu.j2");
const FINISH: &str = include_str!("../../templates/poly_gcd_finish.cu.j2");

/// Monic greatest common divisors of polynomials of n and m terms, which may end with zeros: max(n, m) terms
/// each, zeros above the leading one, all zeros for two polynomials 0.
pub type PolyGcdSpec = PolySpec<Gcd>;

impl PolyGcdSpec {
    /// Terms of the result.
    #[must_use]
    pub fn terms(&self) -> u32 {
        self.n.max(self.m)
    }

    /// The program. The start reads a and b and writes a state; each of the steps reads a state and writes
    /// the next one; the finish makes the result of the last, max(n, m) terms.
    ///
    /// # Errors
    /// [`SpecError`] if a block needs more than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let &Self { p, n, m, s, threads, .. } = self;
        // A coefficient each thread in the naive program, as many as steps in the optimised one.
        let block = if s == 1 { threads } else { s };
        let shared_bytes = 4 * self.residue_words() * (4 * s + 2 * block);
        let mut templates = common_templates(p)?;
        templates.push(INVERSE.to_owned());
        templates.push(render_source(STATE, context! { n, m })?);
        let terms = self.terms();
        let kernel = |template, part: &str, inputs: &[&str], tile: u32, shared_bytes| {
            let tiles = terms.div_ceil(tile);
            let source = render_source(
                template,
                context! {
                    spec => format!("{self} {part}"),
                    entry => ENTRY,
                    s, threads, block, terms, tiles, templates => &templates,
                },
            )?;
            rendered::kernel(source, inputs, rendered::blocks(threads, tiles, shared_bytes), limits)
        };
        let mut program = Program::empty(self.input_words());
        let state = self.words(u64::from(n) + u64::from(m) + 2);
        let start = program.add_kernel(kernel(START, "start", &["a", "b"], threads, 0)?);
        let step = program.add_kernel(kernel(STEP, "step", &["state"], block, shared_bytes)?);
        let finish = program.add_kernel(kernel(FINISH, "finish", &["state"], threads, 0)?);
        program.launch(start, vec![Source::Input(0), Source::Input(1)], state);
        for _ in 0..self.steps() {
            program.launch(step, vec![program.last()], state);
        }
        program.launch(finish, vec![program.last()], self.words(terms.into()));
        Ok(program.finished())
    }

    /// Launches of the steps: each lowers the degrees by s in all, until one polynomial is 0.
    #[must_use]
    pub fn steps(&self) -> u32 {
        (self.n + self.m).div_ceil(self.s)
    }
}
