//! The launch graph: kernels in the order in which they run, and the buffers that they pass on.
//!
//! A [`Program`] serves expressions, transforms, polynomials and sorts. It is data: a device runs it launch
//! by launch, chunk by chunk. Its makers are
//!
//! | from | file |
//! | --- | --- |
//! | an expression ([`ProgramSpec`]) | `pipeline/build.rs` |
//! | a transform ([`TransformPlan`](crate::ntt::TransformPlan)) | `ntt/render.rs` |
//! | polynomials ([`PolyShape`](crate::poly::PolyShape) and the plans beside it) | `poly/` |
//! | a sort ([`SortSpec`](crate::sort::SortSpec)) | `sort.rs` |
//!
//! Most expressions are one kernel, and so are several that share work. Products by transforms take two more steps each: a kernel transforms,
//! multiplies and transforms back ([`MulNttSpec`](crate::ntt::MulNttSpec)), and the next kernel of the
//! expression puts the residues together as it loads them. On tensor cores an expression of sums and low
//! products is one kernel ([`MulTensorSpec`](crate::tensor::MulTensorSpec)); in others each product is one,
//! between kernels of other operations. Products modulo a number are a product and a remainder of twice the
//! bits, where that is faster than one kernel. Divisions of wide integers are sequences of products and of
//! kernels around them ([`DivNewtonSpec`](crate::newton::DivNewtonSpec)).

mod build;
mod division;
mod fold;
mod graph;
mod kernel;
mod make;
mod mapping;
mod memory;
mod products;
mod results;
mod rns;
mod sequences;
mod tensor;

use limbforge_algos::expr::Dag;
use limbforge_limb::{IntType, Layout};

use crate::spec::{InputSpec, LimbKind, Target};
pub(crate) use crate::spec::{Product, ProductMapping};
pub(crate) use build::{build_with, internal};
pub use graph::{Launch, Program, Sink, Source, Table};
pub use kernel::ProgramKernel;
pub(crate) use kernel::rendered;
pub(crate) use products::is_product;
pub use sequences::{ROUND_WORDS, SequenceSpec};

/// Everything that identifies a program of an expression but the device's limits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramSpec {
    /// The expression, or several.
    pub dag: Dag,
    /// The type of all operands.
    pub ty: IntType,
    /// The limb of all batches.
    pub limb: LimbKind,
    /// The operands.
    pub inputs: Vec<InputSpec>,
    /// The layout of the results.
    pub output: Layout,
    /// How products are computed.
    pub product: Product,
    /// The compiler of the source.
    pub target: Target,
}
