//! The plain product: its launches as data, and their kernels.

use minijinja::context;

use super::program::{PolyProgram, PolySource, out_words};
use super::render::{common_templates, render_source};
use super::shape::{Mul, PolySpec};
use super::{PolyKernel, check, check_device};
use crate::error::SpecError;
use crate::kernel::{Geometry, Kernel};
use crate::render::ENTRY;
use crate::resources::Limits;

const MULTIPLY: &str = include_str!("../../templates/poly_mul.cu.j2");
const ADD: &str = include_str!("../../templates/poly_add.cu.j2");

/// Products of polynomials of n and m terms: n + m - 1 terms each.
pub type PolyMulSpec = PolySpec<Mul>;

impl PolyMulSpec {
    /// Terms of the product.
    #[must_use]
    pub const fn terms(&self) -> u32 {
        self.n + self.m - 1
    }
}

/// A launch; it reads what the one before it wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PolyMulLaunch {
    /// Step of the addition phase, from 0, or `None` for the multiplication phase.
    pub step: Option<u32>,
    /// Rows of partial sums of an instance that it writes.
    pub rows: u32,
    /// Sums of each of them.
    pub row: u32,
    /// Blocks of a row.
    pub tiles: u32,
}

/// The launches of a product: one that multiplies, and log2 of its rows, rounded up, that add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolyMulPlan {
    /// What is computed.
    pub spec: PolyMulSpec,
    /// In their order.
    pub launches: Vec<PolyMulLaunch>,
}

impl PolyMulPlan {
    /// The plan of a product.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] if an instance has 2^31 blocks or more.
    pub fn new(spec: PolyMulSpec) -> Result<Self, SpecError> {
        let PolyMulSpec { n, m, s, threads, .. } = spec;
        let launch = |step, rows, row: u32| -> Result<PolyMulLaunch, SpecError> {
            // The last row is the product.
            let row = if rows == 1 { spec.terms() } else { row };
            let tiles = row.div_ceil(s * threads);
            let blocks = u32::try_from(u64::from(rows) * u64::from(tiles)).unwrap_or(u32::MAX);
            check("blocks of an instance", blocks, 1..=i32::MAX as u32, "fewer than 2^31: use a larger s")?;
            Ok(PolyMulLaunch { step, rows, row, tiles })
        };
        let mut launches = vec![launch(None, m.div_ceil(s), n + s - 1)?];
        for step in 0.. {
            let before = launches[launches.len() - 1];
            if before.rows == 1 {
                break;
            }
            // Of a last row without partner some sums are beyond the product, and 0.
            let row = before.row.saturating_add(s << step);
            launches.push(launch(Some(step), before.rows.div_ceil(2), row)?);
        }
        Ok(Self { spec, launches })
    }

    /// The kernels of the launches. The first one reads a and b, each of the others what the one before it wrote.
    ///
    /// # Errors
    /// [`SpecError`] if a block needs more than the limits give.
    pub fn render(&self, limits: &Limits) -> Result<Vec<PolyKernel>, SpecError> {
        (0..self.launches.len()).map(|i| self.render_launch(i, limits)).collect()
    }

    /// What a device runs: the result is the product, n + m - 1 terms.
    ///
    /// # Errors
    /// As [`render`](Self::render).
    pub fn program(&self, limits: &Limits) -> Result<PolyProgram, SpecError> {
        let words = self.spec.residue_words();
        let mut program = PolyProgram::new(self.spec.input_words());
        for rendered in self.render(limits)? {
            let out_words = out_words(&rendered, words);
            let inputs = match program.last() {
                PolySource::Input(_) => vec![PolySource::Input(0), PolySource::Input(1)],
                last => vec![last],
            };
            let kernel = program.kernel(rendered.kernel);
            program.launch(kernel, inputs, 1, out_words);
        }
        Ok(program.finished())
    }

    fn render_launch(&self, i: usize, limits: &Limits) -> Result<PolyKernel, SpecError> {
        let PolyMulSpec { p, n, m, s, threads, .. } = self.spec;
        let launch = self.launches[i];
        let shared_words = if launch.step.is_none() { 2 * s - 1 + s * threads } else { 0 };
        let shared_bytes = 4 * self.spec.residue_words() * shared_words;
        check_device(threads, shared_bytes.into(), limits)?;
        let PolyMulLaunch { rows, row, tiles, .. } = launch;
        let templates = common_templates(p)?;
        let source = match launch.step {
            None => render_source(
                MULTIPLY,
                context! { spec => self.spec.to_string(), entry => ENTRY, n, m, s, threads, rows, row, tiles, templates },
            ),
            Some(step) => {
                let PolyMulLaunch { rows: rows_in, row: row_in, .. } = self.launches[i - 1];
                let (spec, shift) = (format!("{} step={step}", self.spec), s << step);
                render_source(
                    ADD,
                    context! { spec, entry => ENTRY, s, threads, rows_in, row_in, rows, row, shift, tiles, templates },
                )
            }
        }?;
        let inputs = if launch.step.is_none() { vec!["a", "b"] } else { vec!["rows"] };
        let geometry = Geometry { threads, instances: 1, planes: rows * tiles, shared_bytes };
        let inputs = inputs.into_iter().map(str::to_owned).collect();
        let kernel = Kernel { source, entry: ENTRY.to_owned(), inputs, geometry, marks: false };
        Ok(PolyKernel { kernel, out_terms: u64::from(rows) * u64::from(row) })
    }
}
