//! The kernels of a program: specifications, or rendered ones.

use core::fmt;

use super::make;
use crate::kernel::{Block, Kernel, expression, ntt};
use crate::newton::{self, DivNewtonSpec};
use crate::ntt::MulNttSpec;
use crate::spec::{KernelSpec, Limits, SpecError};
use crate::tensor::{self, MulTensorSpec};

macro_rules! kernels {
    ($($(#[$doc:meta])* $kernel:ident($spec:ty): $block:path, $render:path;)*) => {
        /// A kernel of a program.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum ProgramKernel {
            $($(#[$doc])* $kernel(Box<$spec>),)*
        }

        $(impl From<$spec> for ProgramKernel {
            fn from(spec: $spec) -> Self {
                Self::$kernel(Box::new(spec))
            }
        })*

        impl ProgramKernel {
            /// The resources of a block, without the kernel's source.
            pub(crate) fn block(&self, limits: &Limits) -> Result<Block, SpecError> {
                match self { $(Self::$kernel(spec) => $block(spec, limits),)* }
            }

            /// The kernel as CUDA C++, for a device with these limits.
            ///
            /// # Errors
            /// [`SpecError`] if it does not fit the device.
            pub fn render(&self, limits: &Limits) -> Result<Kernel, SpecError> {
                match self { $(Self::$kernel(spec) => $render(spec, limits),)* }
            }
        }

        /// The canonical text of the specification, which identifies the kernel.
        impl fmt::Display for ProgramKernel {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Self::$kernel(spec) => spec.fmt(f),)* }
            }
        }
    };
}

kernels! {
    /// Evaluates an expression.
    Expression(KernelSpec): expression::block, expression::render;
    /// Multiplies by transforms.
    MulNtt(MulNttSpec): ntt::block, ntt::render_mul_ntt;
    /// Multiplies on tensor cores.
    MulTensor(MulTensorSpec): tensor::block, tensor::render_mul_tensor;
    /// A step of a division by an inverse.
    DivNewton(DivNewtonSpec): newton::block, newton::render_div_newton;
    /// The kernel itself, of a transform over a prime field, of polynomials or of a sort.
    Rendered(Kernel): make::block_of_rendered, make::check_rendered;
}
