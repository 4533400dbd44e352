//! CUDA source from a kernel's specification: pure, without a GPU, without files.
//!
//! | item | what it is |
//! | --- | --- |
//! | [`KernelSpec`] | everything that identifies a kernel: expression, type, limb, mapping, operands |
//! | [`BlockKernel`] | a block algorithm of `limbforge_algos::block` as specification and source |
//! | [`Mapping`] | which thread holds which words; [`Mapping::plan`] chooses one |
//! | [`render`] | the specification as CUDA C++ source with its launch geometry |
//! | [`Program`] | an expression as the kernels that compute it |
//! | [`Planner`] | which product is the fastest for a width and a device: measured times, as data |
//! | [`ProductMapping`] | the open numbers of a product; [`Planner::mappings`] ranks those that fit |
//! | [`fill`] | batches of constants, counters and random integers |
//! | [`poly`] | products and divisors of polynomials over prime fields |
//! | [`sort`] | radix sort |
//! | [`Multiprocessor::occupancy`] | how many blocks of a compiled kernel a multiprocessor holds |
//!
//! The templates are in `templates/`, one file per operation; [`render`] puts together those that an
//! expression needs and writes the kernel that calls them. Equal specifications render byte-equal source.

mod block;
pub mod fill;
mod invariant;
mod kernel;
mod lower;
pub mod ntt;
mod occupancy;
mod pipeline;
mod plan;
pub mod poly;
pub mod program;
pub mod sort;
mod spec;
mod template;

pub use block::BlockKernel;
pub use kernel::expression::render;
pub use kernel::{Geometry, Kernel, newton, tensor};
pub use occupancy::{BlockUsage, Multiprocessor, Occupancy, Scarce};
pub use pipeline::{
    Launch, Program, ProgramKernel, ProgramSpec, ROUND_WORDS, SequenceSpec, Sink, Source, Table,
};
pub use plan::{
    Basis, Candidate, DeviceFigures, Estimate, Explanation, LaunchMeasures, ManyCore, MatrixPowers,
    Measurement, MeasurementError, Planner, RankedMapping,
};
pub use spec::{
    InputForm, InputSpec, KernelSpec, LimbKind, Limits, Mapping, NotStraight, ParseMappingError, Part,
    Product, ProductMapping, ProgramFits, SpecError, Target,
};
