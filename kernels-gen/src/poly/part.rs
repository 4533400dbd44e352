//! The kernel that keeps a part of each row of values.

use core::fmt;
use core::ops::Range;

use limbforge_field::DynField;
use minijinja::context;

use super::builder::{EACH, THREADS};
use super::{check, residue_words};
use crate::kernel::Geometry;
use crate::pipeline::{Program, Source, rendered};
use crate::spec::{Limits, SpecError};
use crate::template::{ENTRY, render_source};

const KERNEL: &str = include_str!("../../templates/poly_part.cu.j2");

/// Neighbouring values of each row, a row being an instance: coefficients of polynomials, or the remainder or
/// the quotient of a division's result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartSpec {
    words: u32,
    row: u32,
    part: Range<u32>,
}

impl PartSpec {
    /// The values `part`, one or more, of rows of `row` values over a field, up to 2^27.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] for other numbers.
    pub fn new(field: &DynField, row: u32, part: Range<u32>) -> Result<Self, SpecError> {
        check("values of a row", row, 1..=1 << 27, "1 to 2^27")?;
        check("end of the part", part.end, 1..=row, "1 to the values of a row")?;
        check("start of the part", part.start, 0..=part.end - 1, "less than its end")?;
        Ok(Self { words: residue_words(field.modulus()), row, part })
    }

    /// The program: one kernel.
    ///
    /// # Errors
    /// [`SpecError::Threads`] if a block has more threads than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let (words, length, block) = (self.words, self.part.end - self.part.start, THREADS * EACH);
        let instances = (block / length).max(1);
        let planes = (instances * length).div_ceil(block);
        let values = context! {
            spec => self.to_string(), entry => ENTRY, threads => THREADS, each => EACH,
            words, row => self.row, first => self.part.start, length, instances, planes,
        };
        let geometry = Geometry { threads: THREADS, instances, planes, shared_bytes: 0 };
        let kernel = rendered(render_source(KERNEL, values)?, &["rows"], geometry, limits)?;
        let size = |values: u32| u64::from(words) * u64::from(values);
        let mut program = Program::empty(vec![size(self.row)]);
        let kernel = program.add_kernel(kernel);
        program.launch_to(0, kernel, vec![Source::Input(0)], 1, size(length));
        Ok(program.finished())
    }
}

/// The canonical text.
impl fmt::Display for PartSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { words, row, part } = self;
        write!(f, "poly part words={words} row={row} {}..{}", part.start, part.end)
    }
}
