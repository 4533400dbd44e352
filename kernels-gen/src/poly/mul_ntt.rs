//! The product by transforms: its kernels.

use core::fmt;

use limbforge_algos::transform::ntt::{Direction, Wrap};
use limbforge_field::DynField;
use minijinja::context;

use super::render::{common_templates, render_source};
use super::{MOST_TERMS, check, residue_words};
use crate::kernel::Kernel;
use crate::ntt::{TransformPlan, TransformSpec};
use crate::pipeline::{Program, Source, rendered};
use crate::spec::{Limits, SpecError};
use crate::template::ENTRY;

const PAD: &str = include_str!("../../templates/poly_pad.cu.j2");
const POINTWISE: &str = include_str!("../../templates/poly_pointwise.cu.j2");
const CUT: &str = include_str!("../../templates/poly_cut.cu.j2");

/// Threads of the kernels around the transforms.
const THREADS: u32 = 256;

/// Coefficients of each of these threads.
const EACH: u32 = 4;

/// Products of polynomials of n and m terms, by cyclic convolutions over the field itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolyNttSpec {
    field: DynField,
    n: u32,
    m: u32,
    points: u32,
}

/// The points of the shortest transform over the field of so many terms: 2^k or 3 2^k.
pub(super) fn points_for(field: &DynField, terms: u32) -> Result<u32, SpecError> {
    let two = terms.next_power_of_two().max(16);
    let three = 3 * terms.div_ceil(3).next_power_of_two().max(16);
    let transform = |points| TransformSpec::new(field, points, Wrap::Cyclic, Direction::Forward);
    let (short, long) = (two.min(three), two.max(three));
    if transform(short).is_ok() { Ok(short) } else { transform(long).map(|_| long) }
}

impl PolyNttSpec {
    /// Of `n` by `m` terms, 1 to 2^26.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] for other numbers, [`SpecError::Points`] if there is no transform of n + m - 1
    /// points or a bit more over the field.
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
        let words = u64::from(residue_words(self.modulus()));
        let points = words * u64::from(self.points);
        let mut program = Program::empty([self.n, self.m].map(|terms| words * u64::from(terms)).to_vec());
        let pad = program.add_kernel(self.render(PAD, "pad", &["a", "b"], 2 * self.points, limits)?);
        program.launch(pad, vec![Source::Input(0), Source::Input(1)], 2 * points);
        self.transform(&mut program, Direction::Forward, 2, limits)?;
        let pointwise = self.render(POINTWISE, "pointwise", &["values"], self.points, limits)?;
        let pointwise = program.add_kernel(pointwise);
        program.launch(pointwise, vec![program.last()], points);
        self.transform(&mut program, Direction::Inverse, 1, limits)?;
        let cut = program.add_kernel(self.render(CUT, "cut", &["values"], self.terms(), limits)?);
        program.launch(cut, vec![program.last()], words * u64::from(self.terms()));
        Ok(program.finished())
    }

    fn transform(
        &self,
        program: &mut Program,
        direction: Direction,
        repeats: u32,
        limits: &Limits,
    ) -> Result<(), SpecError> {
        let spec = TransformSpec::new(&self.field, self.points, Wrap::Cyclic, direction)?;
        let plan = TransformPlan::for_limits(spec, limits)?;
        program.transform(&plan, limits, program.last(), [0, 1], repeats).map(|_| ())
    }

    fn render(
        &self,
        template: &str,
        part: &str,
        inputs: &[&str],
        written: u32,
        limits: &Limits,
    ) -> Result<Kernel, SpecError> {
        let tiles = written.div_ceil(THREADS * EACH);
        let Self { n, m, points, .. } = *self;
        let source = render_source(
            template,
            context! {
                spec => format!("{self} {part}"),
                entry => ENTRY,
                n, m, points, tiles,
                threads => THREADS,
                each => EACH,
                terms => self.terms(),
                templates => common_templates(self.modulus())?,
            },
        )?;
        rendered::kernel(source, inputs, rendered::blocks(THREADS, tiles, 0), limits)
    }
}

impl fmt::Display for PolyNttSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n, m, points, .. } = self;
        write!(f, "poly mul ntt p={} n={n} m={m} points={points}", self.modulus())
    }
}
