//! Division with remainder and the greatest common divisor, by s steps a launch: their launches and kernels.

use minijinja::context;

use super::builder::{BOTH, Builder, INVERSE};
use super::{Div, Gcd, PolySpec};
use crate::pipeline::{Program, Source};
use crate::{spec::Limits, spec::SpecError, template::render_source};

const DIV_START: &str = include_str!("../../templates/poly_div_start.cu.j2");
const DIV_STEP: &str = include_str!("../../templates/poly_div_step.cu.j2");
const GCD_STATE: &str = include_str!("../../templates/poly_gcd.cuh");
const GCD_START: &str = include_str!("../../templates/poly_gcd_start.cu.j2");
const GCD_STEP: &str = include_str!("../../templates/poly_gcd_step.cu.j2");
const GCD_FINISH: &str = include_str!("../../templates/poly_gcd_finish.cu.j2");

/// Quotients and remainders of n by m terms, for divisors with a nonzero leading coefficient.
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
        let start = kernel(DIV_START, "start", ["a", "b"], threads, 0)?;
        let step = kernel(DIV_STEP, "step", ["state", "b"], block, shared_bytes)?;
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
        let (terms, state) = (self.terms(), render_source(GCD_STATE, context! { n, m })?);
        let mut kernel = |template, part: &str, inputs: &[&str], tile, shared_bytes| {
            let values = context! { spec => format!("{self} {part}"), s, block, terms };
            let grid = [threads, terms.div_ceil(tile), shared_bytes];
            builder.kernel((template, values), &[INVERSE, &state], inputs, grid)
        };
        let start = kernel(GCD_START, "start", &["a", "b"], threads, 0)?;
        let step = kernel(GCD_STEP, "step", &["state"], block, shared_bytes)?;
        let finish = kernel(GCD_FINISH, "finish", &["state"], threads, 0)?;
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
