//! The schoolbook product: its launches and their kernels.

use minijinja::context;

use super::builder::{BOTH, Builder};
use super::{Mul, PolySpec, check};
use crate::pipeline::Program;
use crate::spec::{Limits, SpecError};

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

    /// The program: one launch multiplies and leaves `ceil(m / s)` rows of partial sums, then ceil(log2) of
    /// these launches add rows in pairs. The result is the product, n + m - 1 terms.
    ///
    /// # Errors
    /// [`SpecError`] if an instance has 2^31 blocks or more, or a block needs more than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let &Self { p, n, m, s, threads, .. } = self;
        let mut builder = Builder::new(p, [n, m], limits);
        let mut rows = m.div_ceil(s);
        let (mut row, tiles) = self.row(rows, n + s - 1)?;
        let values = context! { spec => self.to_string(), n, m, s, rows, row, tiles };
        let grid = [threads, rows * tiles, 4 * self.residue_words() * (2 * s - 1 + s * threads)];
        let kernel = builder.kernel((MULTIPLY, values), &[], &["a", "b"], grid)?;
        let words = builder.words(u64::from(rows) * u64::from(row));
        builder.program.launch(kernel, BOTH.to_vec(), words);
        let mut step = 0;
        while rows > 1 {
            let (rows_in, row_in, shift) = (rows, row, s << step);
            rows = rows_in.div_ceil(2);
            // A last row without partner has some sums beyond the product, which are 0.
            let (sums, tiles) = self.row(rows, row_in.saturating_add(shift))?;
            row = sums;
            let spec = format!("{self} step={step}");
            let values = context! { spec, rows_in, row_in, shift, s, rows, row, tiles };
            let kernel = builder.kernel((ADD, values), &[], &["rows"], [threads, rows * tiles, 0])?;
            let words = builder.words(u64::from(rows) * u64::from(row));
            builder.program.launch(kernel, vec![builder.program.last()], words);
            step += 1;
        }
        Ok(builder.program.finished())
    }

    /// Sums of each of so many rows, and the blocks of a row. A single row is the product.
    fn row(&self, rows: u32, sums: u32) -> Result<(u32, u32), SpecError> {
        let sums = if rows == 1 { self.terms() } else { sums };
        let tiles = sums.div_ceil(self.s * self.threads);
        let blocks = u32::try_from(u64::from(rows) * u64::from(tiles)).unwrap_or(u32::MAX);
        check("blocks of an instance", blocks, 1..=i32::MAX as u32, "fewer than 2^31: use a larger s")?;
        Ok((sums, tiles))
    }
}
