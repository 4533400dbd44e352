//! Euclidean division: its launches and their kernels.

use minijinja::context;

use super::builder::{BOTH, Builder, INVERSE};
use super::{Div, PolySpec};
use crate::pipeline::{Program, Source};
use crate::spec::{Limits, SpecError};

const START: &str = include_str!("../../templates/poly_div_start.cu.j2");
const STEP: &str = include_str!("../../templates/poly_div_step.cu.j2");

/// Quotients and remainders of polynomials of n terms by polynomials of m terms with a nonzero leading
/// coefficient.
pub type PolyDivSpec = PolySpec<Div>;

impl PolyDivSpec {
    /// The program: the start writes a state from a and b, each step the next state from a state and b. The
    /// last state is the result.
    ///
    /// A state has n + 2 words of the field. In the last one they are: 0; a number that is 0 if the divisor's
    /// leading coefficient is 0, so that there is no result; the remainder, m - 1 terms; the quotient, n - m
    /// + 1 terms.
    ///
    /// # Errors
    /// [`SpecError`] if a block needs more than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let &Self { p, n, m, s, threads, .. } = self;
        let mut builder = Builder::new(p, [n, m], limits);
        // In the naive program a thread has one coefficient.
        let block = if s == 1 { threads } else { 2 * s };
        let shared_bytes = 4 * self.residue_words() * (4 * s - 1 + block);
        let mut kernel = |template, part: &str, inputs: [&str; 2], tile, shared_bytes| {
            let values = context! { spec => format!("{self} {part}"), n, m, s, block };
            builder.kernel((template, values), &[INVERSE], &inputs, [threads, n.div_ceil(tile), shared_bytes])
        };
        let start = kernel(START, "start", ["a", "b"], threads, 0)?;
        let step = kernel(STEP, "step", ["state", "b"], block, shared_bytes)?;
        let state = builder.words(u64::from(n) + 2);
        let mut program = builder.program;
        program.launch(start, BOTH.to_vec(), state);
        for _ in 0..self.steps() {
            program.launch(step, vec![program.last(), Source::Input(1)], state);
        }
        Ok(program.finished())
    }

    /// Launches of the steps, each of s terms of the quotient.
    #[must_use]
    pub fn steps(&self) -> u32 {
        (self.n - self.m + 1).div_ceil(self.s)
    }
}
