//! Kernels of sums, differences and products over a prime field, value by value.

use core::fmt;

use limbforge_algos::transform::elementwise::Elementwise;
use limbforge_field::DynField;
use minijinja::context;

use super::builder::{EACH, THREADS, residue_texts};
use super::{check, residue_words};
use crate::kernel::Geometry;
use crate::pipeline::{Program, Source, rendered};
use crate::spec::{Limits, SpecError};
use crate::template::{ENTRY, render_source};

const KERNEL: &str = include_str!("../../templates/elementwise.cu.j2");

/// An operation on the values of two batches over the field of p elements, an instance being one value. Values
/// are residues in `0..p`, words of 32 bits for p below 2^32, else of 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ElementwiseSpec {
    operation: Elementwise,
    p: u64,
    period: Option<u32>,
}

impl ElementwiseSpec {
    /// With as many values of both operands, or with `period` values of the second one, 1 to 2^31, which is
    /// repeated.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] for another period.
    pub fn new(operation: Elementwise, field: &DynField, period: Option<u32>) -> Result<Self, SpecError> {
        check("values that are repeated", period.unwrap_or(1), 1..=1 << 31, "1 to 2^31")?;
        Ok(Self { operation, p: field.modulus(), period })
    }

    /// The program: one kernel. Its instances must not be cut.
    ///
    /// ```
    /// use limbforge_algos::transform::elementwise::Elementwise;
    /// use limbforge_field::DynField;
    /// use limbforge_kernels_gen::{Limits, poly::ElementwiseSpec};
    ///
    /// let spec = ElementwiseSpec::new(Elementwise::Mul, &DynField::new(97)?, None)?;
    /// assert_eq!(spec.to_string(), "elementwise mul p=97");
    /// assert_eq!(spec.program(&Limits::SM_90)?.input_words, [1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SpecError::Threads`] if a block has more threads than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let words = u64::from(residue_words(self.p));
        let values = context! {
            spec => self.to_string(), entry => ENTRY, threads => THREADS, each => EACH,
            period => self.period, operation => self.operation.name(),
            templates => residue_texts(self.p)?,
        };
        let geometry = Geometry { threads: THREADS, instances: THREADS * EACH, planes: 1, shared_bytes: 0 };
        let kernel = rendered(render_source(KERNEL, values)?, &["a", "b"], geometry, limits)?;
        let mut program = Program::empty(vec![words, if self.period.is_some() { 0 } else { words }]);
        let kernel = program.add_kernel(kernel);
        program.launch_to(0, kernel, vec![Source::Input(0), Source::Input(1)], 1, words);
        Ok(Program { chunk: u64::MAX, ..program.finished() })
    }
}

/// The canonical text.
impl fmt::Display for ElementwiseSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "elementwise {} p={}", self.operation.name(), self.p)?;
        self.period.map_or(Ok(()), |period| write!(f, " period={period}"))
    }
}
