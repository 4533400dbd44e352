//! The greatest common divisor: its launches and their kernels.

use minijinja::context;

use super::program::{PolyProgram, PolySource, out_words};
use super::render::{INVERSE, common_templates, render_source};
use super::shape::{Gcd, PolySpec};
use super::{PolyKernel, check_device};
use crate::error::SpecError;
use crate::kernel::{Geometry, Kernel};
use crate::render::ENTRY;
use crate::resources::Limits;

const STATE: &str = include_str!("../../templates/poly_gcd.cuh");
const START: &str = include_str!("../../templates/poly_gcd_start.cu.j2");
const STEP: &str = include_str!("../../templates/poly_gcd_step.cu.j2");
const FINISH: &str = include_str!("../../templates/poly_gcd_finish.cu.j2");

/// Monic greatest common divisors of polynomials of n and m terms, which may end with zeros: max(n, m) terms each, zeros above
/// the leading one, all zeros for two polynomials 0.
pub type PolyGcdSpec = PolySpec<Gcd>;

impl PolyGcdSpec {
    /// Terms of the result.
    #[must_use]
    pub fn terms(&self) -> u32 {
        self.n.max(self.m)
    }
}

/// The kernels of a greatest common divisor. The start reads a and b and writes a state; each of the steps reads a state and writes
/// the next one; the finish makes the result of the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolyGcdPlan {
    /// What is computed.
    pub spec: PolyGcdSpec,
    /// The first launch.
    pub start: PolyKernel,
    /// What is launched [`steps`](Self::steps) times.
    pub step: PolyKernel,
    /// The last launch.
    pub finish: PolyKernel,
}

impl PolyGcdPlan {
    /// The kernels, for a device with these limits.
    ///
    /// # Errors
    /// [`SpecError`] if a block needs more than the limits give.
    pub fn render(spec: PolyGcdSpec, limits: &Limits) -> Result<Self, SpecError> {
        let PolyGcdSpec { p, n, m, s, threads, .. } = spec;
        // A coefficient each thread in the naive program, as many as steps in the optimised one.
        let block = if s == 1 { threads } else { s };
        let shared_bytes = 4 * spec.residue_words() * (4 * s + 2 * block);
        check_device(threads, shared_bytes.into(), limits)?;
        let mut templates = common_templates(p)?;
        templates.push(INVERSE.to_owned());
        templates.push(render_source(STATE, context! { n, m })?);
        let (terms, state) = (spec.terms(), u64::from(n) + u64::from(m) + 2);
        let kernel = |template, part: &str, tile: u32, shared_bytes, out_terms| {
            let tiles = terms.div_ceil(tile);
            let source = render_source(
                template,
                context! {
                    spec => format!("{spec} {part}"),
                    entry => ENTRY,
                    s, threads, block, terms, tiles, templates => &templates,
                },
            )?;
            let inputs: &[&str] = if part == "start" { &["a", "b"] } else { &["state"] };
            let inputs = inputs.iter().map(ToString::to_string).collect();
            let geometry = Geometry { threads, instances: 1, planes: tiles, shared_bytes };
            let kernel = Kernel { source, entry: ENTRY.to_owned(), inputs, geometry, marks: false };
            Ok::<_, SpecError>(PolyKernel { kernel, out_terms })
        };
        Ok(Self {
            spec,
            start: kernel(START, "start", threads, 0, state)?,
            step: kernel(STEP, "step", block, shared_bytes, state)?,
            finish: kernel(FINISH, "finish", threads, 0, terms.into())?,
        })
    }

    /// What a device runs: the result has max(n, m) terms.
    #[must_use]
    pub fn program(&self) -> PolyProgram {
        let words = self.spec.residue_words();
        let mut program = PolyProgram::new(self.spec.input_words());
        let [start, step, finish] =
            [&self.start, &self.step, &self.finish].map(|part| program.kernel(part.kernel.clone()));
        program.launch(
            start,
            vec![PolySource::Input(0), PolySource::Input(1)],
            1,
            out_words(&self.start, words),
        );
        for _ in 0..self.steps() {
            program.launch(step, vec![program.last()], 1, out_words(&self.step, words));
        }
        program.launch(finish, vec![program.last()], 1, out_words(&self.finish, words));
        program.finished()
    }

    /// Launches of the steps: each lowers the degrees by s in all, until one polynomial is 0.
    #[must_use]
    pub fn steps(&self) -> u32 {
        (self.spec.n + self.spec.m).div_ceil(self.spec.s)
    }
}
