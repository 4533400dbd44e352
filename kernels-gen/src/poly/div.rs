//! Euclidean division: its launches and their kernels.

use minijinja::context;

use super::program::{PolyProgram, PolySource, out_words};
use super::render::{INVERSE, common_templates, render_source};
use super::shape::{Div, PolySpec};
use super::{PolyKernel, check_device};
use crate::error::SpecError;
use crate::kernel::{Geometry, Kernel};
use crate::render::ENTRY;
use crate::resources::Limits;

const START: &str = include_str!("../../templates/poly_div_start.cu.j2");
const STEP: &str = include_str!("../../templates/poly_div_step.cu.j2");

/// Quotients and remainders of polynomials of n terms by polynomials of m terms whose highest coefficient is not 0.
pub type PolyDivSpec = PolySpec<Div>;

/// The kernels of a division. The start reads a and b and writes a state, each of the steps reads a state and b and writes the next one.
///
/// A state has n + 2 words of the field. After the last step they are: 0; a number that is 0 if the divisor's highest
/// coefficient is 0, so that there is no result; the remainder, m - 1 terms; the quotient, n - m + 1 terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolyDivPlan {
    /// What is computed.
    pub spec: PolyDivSpec,
    /// The first launch.
    pub start: PolyKernel,
    /// What is launched [`steps`](Self::steps) times.
    pub step: PolyKernel,
}

impl PolyDivPlan {
    /// The kernels, for a device with these limits.
    ///
    /// # Errors
    /// [`SpecError`] if a block needs more than the limits give.
    pub fn render(spec: PolyDivSpec, limits: &Limits) -> Result<Self, SpecError> {
        let PolyDivSpec { p, n, m, s, threads, .. } = spec;
        // A coefficient each thread in the naive program.
        let block = if s == 1 { threads } else { 2 * s };
        let shared_bytes = 4 * spec.residue_words() * (4 * s - 1 + block);
        check_device(threads, shared_bytes.into(), limits)?;
        let mut templates = common_templates(p)?;
        templates.push(INVERSE.to_owned());
        let kernel = |template, part: &str, inputs: [&str; 2], tile: u32, shared_bytes| {
            let tiles = n.div_ceil(tile);
            let source = render_source(
                template,
                context! {
                    spec => format!("{spec} {part}"), entry => ENTRY, n, m, s, threads, block, tiles, templates => &templates,
                },
            )?;
            let inputs = inputs.map(str::to_owned).to_vec();
            let geometry = Geometry { threads, instances: 1, planes: tiles, shared_bytes };
            let kernel = Kernel { source, entry: ENTRY.to_owned(), inputs, geometry, marks: false };
            Ok::<_, SpecError>(PolyKernel { kernel, out_terms: u64::from(n) + 2 })
        };
        Ok(Self {
            spec,
            start: kernel(START, "start", ["a", "b"], threads, 0)?,
            step: kernel(STEP, "step", ["state", "b"], block, shared_bytes)?,
        })
    }

    /// What a device runs: the result is the last state.
    #[must_use]
    pub fn program(&self) -> PolyProgram {
        let words = self.spec.residue_words();
        let mut program = PolyProgram::new(self.spec.input_words());
        let [start, step] = [&self.start, &self.step].map(|part| program.kernel(part.kernel.clone()));
        program.launch(
            start,
            vec![PolySource::Input(0), PolySource::Input(1)],
            1,
            out_words(&self.start, words),
        );
        for _ in 0..self.steps() {
            program.launch(step, vec![program.last(), PolySource::Input(1)], 1, out_words(&self.step, words));
        }
        program.finished()
    }

    /// Launches of the steps: each has s terms of the quotient.
    #[must_use]
    pub fn steps(&self) -> u32 {
        (self.spec.n - self.spec.m + 1).div_ceil(self.spec.s)
    }
}
