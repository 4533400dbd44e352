//! The greatest common divisor: its launches and their kernels.

use minijinja::context;

use super::builder::{BOTH, Builder, INVERSE};
use super::{Gcd, PolySpec};
use crate::pipeline::Program;
use crate::spec::{Limits, SpecError};
use crate::template::render_source;

const STATE: &str = include_str!("../../templates/poly_gcd.cuh");
const START: &str = include_str!("../../templates/poly_gcd_start.cu.j2");
const STEP: &str = include_str!("../../templates/poly_gcd_step.cu.j2");
const FINISH: &str = include_str!("../../templates/poly_gcd_finish.cu.j2");

/// Monic greatest common divisors of polynomials of n and m terms, which may end with zeros: max(n, m) terms
/// each, zeros above the leading one; gcd(0, 0) = 0.
pub type PolyGcdSpec = PolySpec<Gcd>;

impl PolyGcdSpec {
    /// Terms of the result.
    #[must_use]
    pub fn terms(&self) -> u32 {
        self.n.max(self.m)
    }

    /// The program: the start writes a state from a and b, each step the next state, and the finish the
    /// result from the last one, max(n, m) terms.
    ///
    /// # Errors
    /// [`SpecError`] if a block needs more than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let &Self { p, n, m, s, threads, .. } = self;
        let mut builder = Builder::new(p, [n, m], limits);
        // In the naive program a thread has one coefficient, in the optimised one a block as many as steps.
        let block = if s == 1 { threads } else { s };
        let shared_bytes = 4 * self.residue_words() * (4 * s + 2 * block);
        let (terms, state) = (self.terms(), render_source(STATE, context! { n, m })?);
        let mut kernel = |template, part: &str, inputs: &[&str], tile, shared_bytes| {
            let values = context! { spec => format!("{self} {part}"), s, block, terms };
            let grid = [threads, terms.div_ceil(tile), shared_bytes];
            builder.kernel((template, values), &[INVERSE, &state], inputs, grid)
        };
        let start = kernel(START, "start", &["a", "b"], threads, 0)?;
        let step = kernel(STEP, "step", &["state"], block, shared_bytes)?;
        let finish = kernel(FINISH, "finish", &["state"], threads, 0)?;
        let (state, result) = (builder.words(u64::from(n) + u64::from(m) + 2), builder.words(terms.into()));
        let mut program = builder.program;
        program.launch(start, BOTH.to_vec(), state);
        for _ in 0..self.steps() {
            program.launch(step, vec![program.last()], state);
        }
        program.launch(finish, vec![program.last()], result);
        Ok(program.finished())
    }

    /// Launches of the steps, each of which lowers the sum of the degrees by s until one polynomial is 0.
    #[must_use]
    pub fn steps(&self) -> u32 {
        (self.n + self.m).div_ceil(self.s)
    }
}
