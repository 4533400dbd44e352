//! The product by transforms: its launches and their kernels.

use core::fmt;

use limbforge_algos::transform::ntt::{Direction, Wrap};
use limbforge_field::DynField;
use minijinja::context;

use super::builder::{BOTH, Builder, EACH, THREADS};
use super::{MOST_TERMS, check};
use crate::ntt::TransformSpec;
use crate::pipeline::{Program, Source};
use crate::spec::{Limits, SpecError};

const PAD: &str = include_str!("../../templates/poly_pad.cu.j2");
const POINTWISE: &str = include_str!("../../templates/poly_pointwise.cu.j2");
const CUT: &str = include_str!("../../templates/poly_cut.cu.j2");

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

    /// The program: both factors are padded, transformed as two instances, multiplied, transformed back, and
    /// cut.
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
