//! CUDA source from a kernel's specification: pure, without a GPU, without files.
//!
//! | item | what it is |
//! | --- | --- |
//! | [`KernelSpec`] | everything that identifies a kernel: expression, type, limb, mapping, operands |
//! | [`Mapping`] | which thread holds which words; [`Mapping::plan`] chooses one |
//! | [`render`] | the specification as CUDA C++ source with its launch geometry |
//! | [`Program`] | an expression as the kernels that compute it |
//! | [`Planner`] | which product is the fastest for a width and a device: measured times, as data |
//! | [`ProductMapping`] | the numbers that a product leaves open; [`Planner::mappings`] ranks those that fit |
//! | [`poly`] | products and divisors of polynomials over prime fields |
//! | [`sort`] | radix sort |
//! | [`Multiprocessor::occupancy`] | how many blocks of a compiled kernel a multiprocessor holds |
//!
//! The templates are in `templates/`, one file per operation; [`render`] puts together those that an expression needs
//! and writes the kernel that calls them. Equal specifications render byte-equal source.

mod blocks;
mod emit;
mod error;
mod invariant;
mod kernel;
mod mapping;
pub mod newton;
pub mod ntt;
mod occupancy;
mod pipeline;
mod plan;
pub mod poly;
mod render;
mod resources;
mod shared;
pub mod sort;
mod spec;
pub mod tensor;

pub use error::SpecError;
pub use kernel::{Geometry, Kernel};
pub use mapping::Mapping;
pub use occupancy::{BlockUsage, Multiprocessor, Occupancy, Scarce};
pub use pipeline::{
    Launch, LaunchKernel, ParseMappingError, Product, ProductMapping, Program, ProgramSpec, Sink, Source,
    Table,
};
pub use plan::{
    Basis, Candidate, Device, Estimate, LaunchMeasures, ManyCore, Measurement, MeasurementError, Planner,
    RankedMapping,
};
pub use render::render;
pub use resources::{Limits, Resources};
pub use spec::{InputForm, InputSpec, KernelSpec, LimbKind, Target};
