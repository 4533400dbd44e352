//! The launches of a program: what runs, what it reads and where it writes.

use core::fmt;

use crate::error::SpecError;
use crate::kernel::expression::{block, render};
use crate::kernel::{Block, Kernel};
use crate::newton::{DivNewtonSpec, render_div_newton};
use crate::ntt::{MulNttSpec, render_mul_ntt};
use crate::resources::Limits;
use crate::spec::KernelSpec;
use crate::tensor::{MulTensorSpec, render_mul_tensor};

/// One kernel of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The kernel.
    pub kernel: LaunchKernel,
    /// Where its parameters come from.
    pub inputs: Vec<Source>,
    /// Where its result goes.
    pub output: Sink,
}

/// The specification of a program's kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchKernel {
    /// Of an expression.
    Expression(Box<KernelSpec>),
    /// Of transforms.
    MulNtt(Box<MulNttSpec>),
    /// Of a product on tensor cores.
    MulTensor(Box<MulTensorSpec>),
    /// Of a division by an inverse.
    DivNewton(Box<DivNewtonSpec>),
}

/// What a kernel reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// An operand of the program.
    Input(usize),
    /// A buffer that an earlier kernel has filled.
    Buffer(usize),
    /// A plane of a buffer that holds several, each with all instances.
    Plane {
        /// The buffer.
        buffer: usize,
        /// Words of 32 bits per instance of the planes before it, a multiple of 4: it begins at `first * N` words for N
        /// instances.
        first: u64,
        /// Words of 32 bits per instance of this one.
        words: u64,
    },
    /// A buffer of one instance ([`Program::singles`](super::Program::singles)), from a word on.
    Single {
        /// The buffer.
        buffer: usize,
        /// Words of 32 bits before what is read, a multiple of 4.
        first: u64,
        /// Words of 32 bits of it.
        words: u64,
    },
    /// The tables of transforms: [`Program::table_words`](super::Program::table_words).
    Table(usize),
}

/// Where a kernel writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sink {
    /// The result of the program.
    Result,
    /// A buffer.
    Buffer(usize),
    /// A buffer of one instance ([`Program::singles`](super::Program::singles)): the kernel is launched once for one instance.
    /// What it reads is such buffers too, tables, and operands that are one for all instances.
    Single(usize),
}

impl Sink {
    /// Whether what writes there runs once, for one instance, and not for all of them.
    #[must_use]
    pub const fn is_single(&self) -> bool {
        matches!(self, Self::Single(_))
    }
}

impl Source {
    /// A plane of a buffer that holds several: so many words per instance after the first ones.
    pub(super) const fn plane(self, first: u64, words: u64) -> Self {
        match self {
            Self::Buffer(buffer) => Self::Plane { buffer, first, words },
            Self::Single { buffer, .. } => Self::Single { buffer, first, words },
            other => other,
        }
    }
}

impl Launch {
    /// Whether it runs once, for one instance, and not for all of them.
    #[must_use]
    pub const fn is_single(&self) -> bool {
        self.output.is_single()
    }
}

impl LaunchKernel {
    /// What a block takes, without the kernel's source.
    ///
    /// # Errors
    /// Those of [`render`](Self::render).
    pub(crate) fn block(&self, limits: &Limits) -> Result<Block, SpecError> {
        match self {
            Self::Expression(spec) => block(spec, limits),
            Self::MulNtt(spec) => crate::kernel::ntt::block(spec, limits),
            Self::MulTensor(spec) => crate::tensor::block(spec, limits),
            Self::DivNewton(spec) => crate::newton::block(spec, limits),
        }
    }

    /// The kernel as CUDA C++, for a device with these limits.
    ///
    /// # Errors
    /// Those of [`render`], [`render_mul_ntt`], [`render_mul_tensor`] and [`render_div_newton`].
    pub fn render(&self, limits: &Limits) -> Result<Kernel, SpecError> {
        match self {
            Self::Expression(spec) => render(spec, limits),
            Self::MulNtt(spec) => render_mul_ntt(spec, limits),
            Self::MulTensor(spec) => render_mul_tensor(spec, limits),
            Self::DivNewton(spec) => render_div_newton(spec, limits),
        }
    }
}

/// The canonical text of the specification: what identifies the kernel.
impl fmt::Display for LaunchKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expression(spec) => spec.fmt(f),
            Self::MulNtt(spec) => spec.fmt(f),
            Self::MulTensor(spec) => spec.fmt(f),
            Self::DivNewton(spec) => spec.fmt(f),
        }
    }
}
