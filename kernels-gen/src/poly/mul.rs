//! The plain product: its launches as data, and their kernels.

use minijinja::context;

use super::check;
use super::render::{common_templates, render_source};
use super::shape::{Mul, PolySpec};
use crate::kernel::Kernel;
use crate::pipeline::{Program, Source, rendered};
use crate::spec::{Limits, SpecError};
use crate::template::ENTRY;

const MULTIPLY: &str = include_str!("../../templates/poly_mul.cu.j2");
const ADD: &str = include_str!("../../templates/poly_add.cu.j2");

/// Products of polynomials of n and m terms: n + m - 1 terms each.
pub type PolyMulSpec = PolySpec<Mul>;

/// Rows of partial sums that a launch writes for each instance.
#[derive(Clone, Copy)]
struct Rows {
    count: u32,
    /// Sums of each of them.
    sums: u32,
    /// Blocks of a row.
    tiles: u32,
}

impl PolyMulSpec {
    /// Terms of the product.
    #[must_use]
    pub const fn terms(&self) -> u32 {
        self.n + self.m - 1
    }

    /// The program: one launch multiplies, and log2 of its rows, rounded up, add. The result is the product,
    /// n + m - 1 terms.
    ///
    /// # Errors
    /// [`SpecError`] if an instance has 2^31 blocks or more, or a block needs more than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let mut written = vec![self.rows(self.m.div_ceil(self.s), self.n + self.s - 1)?];
        while let Some(&before) = written.last().filter(|rows| rows.count > 1) {
            // Of a last row without partner some sums are beyond the product, and 0.
            let sums = before.sums.saturating_add(self.s << (written.len() - 1));
            written.push(self.rows(before.count.div_ceil(2), sums)?);
        }
        let mut program = Program::empty(self.input_words());
        for (i, &rows) in written.iter().enumerate() {
            let (kernel, inputs) = match i.checked_sub(1) {
                None => (self.multiply(rows, limits)?, vec![Source::Input(0), Source::Input(1)]),
                Some(step) => (self.add(step, written[step], rows, limits)?, vec![program.last()]),
            };
            let kernel = program.add_kernel(kernel);
            program.launch(kernel, inputs, self.words(u64::from(rows.count) * u64::from(rows.sums)));
        }
        Ok(program.finished())
    }

    fn rows(&self, count: u32, sums: u32) -> Result<Rows, SpecError> {
        // The last row is the product.
        let sums = if count == 1 { self.terms() } else { sums };
        let tiles = sums.div_ceil(self.s * self.threads);
        let blocks = u32::try_from(u64::from(count) * u64::from(tiles)).unwrap_or(u32::MAX);
        check("blocks of an instance", blocks, 1..=i32::MAX as u32, "fewer than 2^31: use a larger s")?;
        Ok(Rows { count, sums, tiles })
    }

    fn multiply(&self, rows: Rows, limits: &Limits) -> Result<Kernel, SpecError> {
        let &Self { p, n, m, s, threads, .. } = self;
        let Rows { count: rows, sums: row, tiles } = rows;
        let shared_bytes = 4 * self.residue_words() * (2 * s - 1 + s * threads);
        let source = render_source(
            MULTIPLY,
            context! {
                spec => self.to_string(), entry => ENTRY, n, m, s, threads, rows, row, tiles, templates => common_templates(p)?,
            },
        )?;
        rendered::kernel(source, ["a", "b"], rendered::blocks(threads, rows * tiles, shared_bytes), limits)
    }

    fn add(&self, step: usize, read: Rows, written: Rows, limits: &Limits) -> Result<Kernel, SpecError> {
        let &Self { p, s, threads, .. } = self;
        let Rows { count: rows, sums: row, tiles } = written;
        let source = render_source(
            ADD,
            context! {
                spec => format!("{self} step={step}"),
                entry => ENTRY,
                rows_in => read.count,
                row_in => read.sums,
                shift => s << step,
                s, threads, rows, row, tiles, templates => common_templates(p)?,
            },
        )?;
        rendered::kernel(source, ["rows"], rendered::blocks(threads, rows * tiles, 0), limits)
    }
}
