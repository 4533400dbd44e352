//! The schoolbook product and the product by transforms: their launches and kernels.

use core::fmt;

use limbforge_algos::transform::ntt::{Direction, Wrap};
use limbforge_field::DynField;
use minijinja::context;

use super::builder::{BOTH, Builder, EACH, THREADS};
use super::{MOST_TERMS, Mul, PolySpec, check};
use crate::ntt::TransformSpec;
use crate::pipeline::{Program, Source};
use crate::spec::{Limits, SpecError};

const MULTIPLY: &str = include_str!("../../templates/poly_mul.cu.j2");
const ADD: &str = include_str!("../../templates/poly_add.cu.j2");
const PAD: &str = include_str!("../../templates/poly_pad.cu.j2");
const POINTWISE: &str = include_str!("../../templates/poly_pointwise.cu.j2");
const CUT: &str = include_str!("../../templates/poly_cut.cu.j2");

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

/// Products of polynomials of n and m terms, by cyclic convolutions over the field itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolyNttSpec {
    field: DynField,
    n: u32,
    m: u32,
    points: u32,
}

/// The length of the shortest transform over the field of at least so many points: 2^k or 3 2^k.
pub(super) fn points_for(field: &DynField, terms: u32) -> Result<u32, SpecError> {
    let two = terms.next_power_of_two().max(16);
    let three = 3 * terms.div_ceil(3).next_power_of_two().max(16);
    let transform = |points| TransformSpec::new(field, points, Wrap::Cyclic, Direction::Forward);
    let (short, long) = (two.min(three), two.max(three));
    if transform(short).is_ok() { Ok(short) } else { transform(long).map(|_| long) }
}

impl PolyNttSpec {
    /// Products of `n` by `m` terms, 1 to 2^26.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] for other numbers, [`SpecError::Points`] if the field lacks the roots of unity.
    pub fn new(field: &DynField, n: u32, m: u32) -> Result<Self, SpecError> {
        for (what, found) in [("terms of a", n), ("terms of b", m)] {
            check(what, found, 1..=MOST_TERMS, "1 to 2^26")?;
        }
        Ok(Self { field: *field, n, m, points: points_for(field, n + m - 1)? })
    }

    /// p.
    #[must_use]
    pub fn modulus(&self) -> u64 {
        self.field.modulus()
    }

    /// Points of the transforms: the least number, 2^k or 3 2^k, that the product's terms fit.
    #[must_use]
    pub const fn points(&self) -> u32 {
        self.points
    }

    /// Terms of the product.
    #[must_use]
    pub const fn terms(&self) -> u32 {
        self.n + self.m - 1
    }

    /// The program: factors are padded, transformed as two instances, multiplied, transformed back, and cut.
    ///
    /// # Errors
    /// [`SpecError`] if a transform needs more than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let (Self { field, n, m, points }, terms) = (*self, self.terms());
        let mut builder = Builder::new(self.modulus(), [n, m], limits);
        let launch = |builder: &mut Builder<'_>, (template, part), inputs: &[&str], read, written: u32| {
            let spec = format!("{self} {part}");
            let values = context! { spec, n, m, points, terms, each => EACH };
            let grid = [THREADS, written.div_ceil(THREADS * EACH), 0];
            let kernel = builder.kernel((template, values), &[], inputs, grid)?;
            builder.program.launch(kernel, read, builder.words(written.into()));
            Ok::<Source, SpecError>(builder.program.last())
        };
        let padded = launch(&mut builder, (PAD, "pad"), &["a", "b"], BOTH.to_vec(), 2 * points)?;
        let both = builder.transform(&field, (points, Direction::Forward), padded, [0, 1], 2)?;
        let read = vec![Source::Buffer(both)];
        let product = launch(&mut builder, (POINTWISE, "pointwise"), &["values"], read, points)?;
        let product = builder.transform(&field, (points, Direction::Inverse), product, [0, 1], 1)?;
        launch(&mut builder, (CUT, "cut"), &["values"], vec![Source::Buffer(product)], terms)?;
        Ok(builder.program.finished())
    }
}

impl fmt::Display for PolyNttSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n, m, points, .. } = self;
        write!(f, "poly mul ntt p={} n={n} m={m} points={points}", self.modulus())
    }
}
