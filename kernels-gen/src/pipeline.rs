//! The launch graph: kernels in the order in which they run, and the buffers that they pass on.
//!
//! A [`Program`] serves expressions, transforms, polynomials and sorts. It is data: a device runs it launch by launch, chunk by
//! chunk. Its makers are
//!
//! | from | file |
//! | --- | --- |
//! | an expression ([`ProgramSpec`]) | `pipeline/build.rs` |
//! | a transform ([`TransformPlan`](crate::ntt::TransformPlan)) | `pipeline/transform.rs` |
//! | polynomials ([`PolyShape`](crate::poly::PolyShape) and the plans beside it) | `poly/` |
//! | a sort ([`SortSpec`](crate::sort::SortSpec)) | `sort.rs` |
//!
//! Most expressions are one kernel. Products by transforms take two more steps each: a kernel transforms, multiplies and
//! transforms back ([`MulNttSpec`](crate::ntt::MulNttSpec)), and the next kernel of the expression puts the residues together
//! as it loads them. On tensor cores an expression of sums and low products is one kernel
//! ([`MulTensorSpec`](crate::tensor::MulTensorSpec)); in others each product is one, between kernels of other operations.
//! Products modulo a number are a product and a remainder of twice the bits, where that is faster than one kernel.
//! Divisions of wide integers are sequences of products and of kernels around them
//! ([`DivNewtonSpec`](crate::newton::DivNewtonSpec)).

mod buffers;
mod build;
mod chunk;
mod division;
mod graph;
mod kernel;
mod mapping;
mod mulmod;
mod products;
pub(crate) mod rendered;
mod tensor;
mod transform;

use core::fmt;

use limbforge_algos::expr::Dag;
use limbforge_limb::{IntType, Layout};
use serde::{Deserialize, Serialize};

use crate::spec::{InputSpec, LimbKind, Target};
pub(crate) use build::build_with;
pub use graph::{Launch, Program, Sink, Source, Table};
pub use kernel::LaunchKernel;
pub use mapping::{ParseMappingError, ProductMapping};
pub(crate) use products::is_product;

/// Which product the kernels use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Product {
    /// The fastest one for the width and the device: [`Planner`](crate::Planner).
    #[default]
    Auto,
    /// `mul_classical`.
    Classical,
    /// `mul_ntt`.
    Ntt,
    /// `mul_tensor`.
    Tensor,
}

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

/// `classical`, `ntt`, `tensor`, or `auto`.
impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Classical => "classical",
            Self::Ntt => "ntt",
            Self::Tensor => "tensor",
        })
    }
}
