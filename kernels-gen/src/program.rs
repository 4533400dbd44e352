//! An expression as the kernels that compute it, one after the other.
//!
//! Most expressions are one kernel. Products by transforms take two more steps each: a kernel transforms, multiplies and
//! transforms back ([`MulNttSpec`]), and the next kernel of the expression puts the residues together as it loads them.
//! On tensor cores an expression of sums and low products is one kernel ([`MulTensorSpec`]); in others each product is one, between
//! kernels of other operations.
//! Products modulo a number are a product and a remainder of twice the bits, where that is faster than one kernel.
//! Divisions of wide integers are sequences of products and of kernels around them ([`DivNewtonSpec`]).
//! What passes from one kernel to the next lies in buffers on the device.

mod buffers;
mod build;
mod choice;
mod division;
mod mapping;
mod mulmod;
mod products;
mod tensor;
mod width;

use core::fmt;

use limbforge_algos::expr::Dag;
use limbforge_limb::{IntType, Layout};
use serde::{Deserialize, Serialize};

use crate::error::SpecError;
use crate::kernel::{Block, Kernel};
use crate::newton::{DivNewton, DivNewtonSpec, render_div_newton};
use crate::ntt::{MulNttSpec, ProductPlan, product_tables, render_mul_ntt};
use crate::planner::{Estimate, Planner};
use crate::render::render;
use crate::resources::Limits;
use crate::spec::{InputSpec, KernelSpec, LimbKind, Target};
use crate::tensor::{MulTensorSpec, render_mul_tensor};
pub use mapping::{ParseMappingError, ProductMapping};
pub(crate) use products::is_product;

/// Which product the kernels use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Product {
    /// The fastest one for the width and the device: [`Planner`].
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

/// A way to compute an expression's products.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// How.
    pub product: Product,
    /// The mapping that was measured to be faster than the planned one on the user's GPU, if one was.
    pub mapping: Option<ProductMapping>,
    /// Whether [`Product::Auto`] takes it.
    pub is_chosen: bool,
    /// The kernels, or why there are none.
    pub program: Result<Program, SpecError>,
    /// What it takes for 2^32 bits of each operand by the shipped times; None without products, and where nothing like it was
    /// measured.
    pub shipped: Option<Estimate>,
    /// The same by the user's measurements as far as they go: what is chosen by.
    pub estimate: Option<Estimate>,
}

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
    /// A buffer of one instance ([`Program::singles`]), from a word on.
    Single {
        /// The buffer.
        buffer: usize,
        /// Words of 32 bits before what is read, a multiple of 4.
        first: u64,
        /// Words of 32 bits of it.
        words: u64,
    },
    /// The tables of transforms: [`Program::table_words`].
    Table(usize),
}

/// Where a kernel writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sink {
    /// The result of the program.
    Result,
    /// A buffer.
    Buffer(usize),
    /// A buffer of one instance ([`Program::singles`]): the kernel is launched once for one instance. What it reads is such buffers too,
    /// tables, and operands that are one for all instances.
    Single(usize),
}

impl Sink {
    /// Whether what writes there runs once, for one instance, and not for all of them.
    #[must_use]
    pub const fn is_single(&self) -> bool {
        matches!(self, Self::Single(_))
    }
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

impl Candidate {
    /// What it takes for 2^32 bits of each operand, as far as is known.
    #[must_use]
    pub fn milliseconds(&self) -> Option<f64> {
        self.estimate.map(|estimate| estimate.milliseconds)
    }
}

impl Program {
    /// The kernels for a specification, on a device with these limits, with [`Product::Auto`] as on an H200.
    ///
    /// # Errors
    /// [`SpecError`] if the specification contradicts itself or no kernel fits the device.
    pub fn new(spec: &ProgramSpec, limits: &Limits) -> Result<Self, SpecError> {
        Self::planned(spec, limits, &Planner::default())
    }

    /// The same with [`Product::Auto`] as the planner chooses.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn planned(spec: &ProgramSpec, limits: &Limits, planner: &Planner) -> Result<Self, SpecError> {
        Self::with_divisions(spec, limits, planner, DivNewton::default())
    }

    /// The same with divisions by `div_newton` where this says.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_divisions(
        spec: &ProgramSpec,
        limits: &Limits,
        planner: &Planner,
        newton: DivNewton,
    ) -> Result<Self, SpecError> {
        build::build(spec, limits, planner, newton)
    }

    /// All ways to compute the products of a specification, whose own [`product`](ProgramSpec::product) does not matter, on a
    /// device with these limits; the one way of an expression without products.
    ///
    /// # Errors
    /// [`SpecError`] if the expression has no kernel whatever computes its products.
    pub fn candidates(
        spec: &ProgramSpec,
        limits: &Limits,
        planner: &Planner,
    ) -> Result<Vec<Candidate>, SpecError> {
        choice::candidates(spec, limits, planner)
    }

    /// The kernels for a specification with this mapping in place of what is planned, and of what was measured.
    ///
    /// # Errors
    /// [`SpecError::Unmapped`] for a mapping of another product than the specification's or of kernels that have none, the error
    /// that names the number or the resource if it does not fit, and those of [`new`](Self::new).
    pub fn with_mapping(
        spec: &ProgramSpec,
        limits: &Limits,
        mapping: ProductMapping,
    ) -> Result<Self, SpecError> {
        choice::with_mapping(spec, limits, mapping)
    }

    /// All mappings of a specification's kernels by this product that fit a device with these limits, the planned one first; none of
    /// kernels that have nothing to choose.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn mappings(
        spec: &ProgramSpec,
        limits: &Limits,
        product: Product,
    ) -> Result<Vec<(ProductMapping, Self)>, SpecError> {
        choice::mappings(spec, limits, product)
    }

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

impl Source {
    /// A plane of a buffer that holds several: so many words per instance after the first ones.
    const fn plane(self, first: u64, words: u64) -> Self {
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
            Self::Expression(spec) => crate::render::block(spec, limits),
            Self::MulNtt(spec) => crate::ntt::block(spec, limits),
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
