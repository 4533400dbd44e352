//! An expression as the kernels that compute it, one after the other.
//!
//! Most expressions are one kernel. Products by transforms take two more steps each: a kernel transforms, multiplies and
//! transforms back ([`MulNttSpec`](crate::ntt::MulNttSpec)), and the next kernel of the expression puts the residues together
//! as it loads them. On tensor cores an expression of sums and low products is one kernel
//! ([`MulTensorSpec`](crate::tensor::MulTensorSpec)); in others each product is one, between kernels of other operations.
//! Products modulo a number are a product and a remainder of twice the bits, where that is faster than one kernel.
//! Divisions of wide integers are sequences of products and of kernels around them
//! ([`DivNewtonSpec`](crate::newton::DivNewtonSpec)).
//! What passes from one kernel to the next lies in buffers on the device.

mod buffers;
mod build;
mod division;
mod kernel;
mod mapping;
mod mulmod;
mod products;
mod tensor;

use limbforge_algos::expr::Dag;
use limbforge_limb::{IntType, Layout};

use crate::error::SpecError;
use crate::kernel::Kernel;
use crate::ntt::{ProductPlan, product_tables};
use crate::resources::Limits;
use crate::spec::{InputSpec, LimbKind, Target};
pub(crate) use crate::spec::{Product, ProductMapping};
pub(crate) use build::build_with;
pub use kernel::{Launch, LaunchKernel, Sink, Source};
pub(crate) use products::is_product;

/// What a program is asked for: everything that identifies it, beside the device's limits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramSpec {
    /// What is computed.
    pub dag: Dag,
    /// The type of all operands.
    pub ty: IntType,
    /// The limb of all batches.
    pub limb: LimbKind,
    /// The operands.
    pub inputs: Vec<InputSpec>,
    /// Where the limbs of the result lie.
    pub output: Layout,
    /// Which product is used.
    pub product: Product,
    /// What compiles the source.
    pub target: Target,
}

/// Kernels in the order in which they run, and the buffers between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The kernels.
    pub launches: Vec<Launch>,
    /// Words of 32 bits per instance of each buffer between kernels.
    pub buffers: Vec<u64>,
    /// Words of 32 bits of each buffer of one instance, which holds what is the same for all: what the launches with
    /// [`Sink::Single`] leave, which run once, before the first chunk.
    pub singles: Vec<u64>,
    /// The transforms whose tables the kernels read.
    pub tables: Vec<ProductPlan>,
    /// Instances that pass through all kernels before the next ones do, so that the buffers stay small beside the
    /// batches. All of them if there are no buffers or a batch is interleaved.
    pub chunk: u64,
    /// Words of 32 bits per instance of each operand; 0 for one that is the same for all instances.
    pub input_words: Vec<u64>,
    /// Words of 32 bits per instance of the result.
    pub result_words: u64,
}

impl Program {
    /// Whether a device with these limits runs the kernels.
    ///
    /// # Errors
    /// [`SpecError`] if one of them does not fit it.
    pub fn check(&self, limits: &Limits) -> Result<(), SpecError> {
        self.launches.iter().try_for_each(|launch| launch.kernel.block(limits).map(|_| ()))
    }

    /// The kernels as CUDA C++, in order, for a device with these limits.
    ///
    /// # Errors
    /// [`SpecError`] if one of them does not fit the device.
    pub fn render(&self, limits: &Limits) -> Result<Vec<Kernel>, SpecError> {
        self.launches.iter().map(|launch| launch.kernel.render(limits)).collect()
    }

    /// The words of a table.
    #[must_use]
    pub fn table_words(&self, table: usize) -> Vec<u32> {
        product_tables(&self.tables[table])
    }

    /// Words of 32 bits per instance that the buffers between kernels take.
    #[must_use]
    pub fn buffer_words(&self) -> u64 {
        self.buffers.iter().sum()
    }
}
