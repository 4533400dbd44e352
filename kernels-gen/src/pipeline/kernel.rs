//! The kernels of a program: specifications, or rendered ones.

use core::fmt;

use super::rendered;
use crate::kernel::expression::{block, render};
use crate::kernel::{Block, Kernel};
use crate::newton::{DivNewtonSpec, render_div_newton};
use crate::ntt::{MulNttSpec, render_mul_ntt};
use crate::spec::{KernelSpec, Limits, SpecError};
use crate::tensor::{MulTensorSpec, render_mul_tensor};

/// A kernel of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramKernel {
    /// Of an expression.
    Expression(Box<KernelSpec>),
    /// Of transforms.
    MulNtt(Box<MulNttSpec>),
    /// Of a product on tensor cores.
    MulTensor(Box<MulTensorSpec>),
    /// Of a division by an inverse.
    DivNewton(Box<DivNewtonSpec>),
    /// Of a transform over a prime field, of polynomials or of a sort: the kernel itself, which reads and
    /// writes one instance after the other.
    Rendered(Box<Kernel>),
}

macro_rules! kernels {
    ($($kernel:ident($spec:ty);)*) => {$(
        impl From<$spec> for ProgramKernel {
            fn from(spec: $spec) -> Self {
                Self::$kernel(Box::new(spec))
            }
        }
    )*};
}

kernels! {
    Expression(KernelSpec);
    MulNtt(MulNttSpec);
    MulTensor(MulTensorSpec);
    DivNewton(DivNewtonSpec);
    Rendered(Kernel);
}

impl ProgramKernel {
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
            Self::Rendered(kernel) => {
                rendered::check(&kernel.geometry, limits)?;
                Ok(Block {
                    geometry: kernel.geometry,
                    wanted: 1,
                    registers: limits.thread_registers,
                    barriers: 0,
                })
            }
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
            Self::Rendered(kernel) => {
                rendered::check(&kernel.geometry, limits)?;
                Ok((**kernel).clone())
            }
        }
    }
}

/// The canonical text of the specification: what identifies the kernel.
impl fmt::Display for ProgramKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expression(spec) => spec.fmt(f),
            Self::MulNtt(spec) => spec.fmt(f),
            Self::MulTensor(spec) => spec.fmt(f),
            Self::DivNewton(spec) => spec.fmt(f),
            Self::Rendered(kernel) => {
                let head = kernel.source.lines().next().unwrap_or_default();
                f.write_str(head.strip_prefix("// limbforge kernel: ").unwrap_or(&kernel.entry))
            }
        }
    }
}
