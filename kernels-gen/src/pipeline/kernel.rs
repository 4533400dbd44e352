//! The kernels of a program: specifications, or rendered ones.

use core::fmt;

use crate::kernel::{Block, Geometry, Kernel, expression, ntt};
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
    Rendered(Kernel): block_of_rendered, check_rendered;
}

/// A kernel that marks no instances, for a device with these limits.
pub(crate) fn rendered(
    source: String,
    inputs: &[&str],
    geometry: Geometry,
    limits: &Limits,
) -> Result<Kernel, SpecError> {
    check(&geometry, limits)?;
    Ok(Kernel::new(source, inputs.iter().map(|&input| input.to_owned()).collect(), geometry, false))
}

/// The resources of a block, without an estimate of its registers.
fn block_of_rendered(kernel: &Kernel, limits: &Limits) -> Result<Block, SpecError> {
    let geometry = kernel.geometry;
    check(&geometry, limits)?;
    Ok(Block { geometry, wanted: 1, registers: limits.thread_registers, barriers: 0 })
}

fn check_rendered(kernel: &Kernel, limits: &Limits) -> Result<Kernel, SpecError> {
    check(&kernel.geometry, limits).map(|()| kernel.clone())
}

/// Checks that the device has a block's threads and shared memory.
fn check(geometry: &Geometry, limits: &Limits) -> Result<(), SpecError> {
    limits.check_threads(geometry.threads)?;
    limits.check_shared(geometry.shared_bytes.into())
}

/// The canonical text of the specification, from the head of the source.
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = self.source.lines().next().unwrap_or_default();
        f.write_str(head.strip_prefix("// limbforge kernel: ").unwrap_or(&self.entry))
    }
}
