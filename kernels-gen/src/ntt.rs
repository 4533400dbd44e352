//! Kernels of transforms: the product `mul_ntt`.
//!
//! A product by transforms takes two kernels: one transforms, multiplies and transforms back modulo each prime
//! ([`MulNttSpec`]); the next one, of the expression around it, puts the residues together as it loads them.

mod bounds;
mod crt;
mod interpolation;
mod plan;
mod primes;
mod render;
mod spec;
mod table;
mod transform;

pub use bounds::Reductions;
pub use crt::Residues;
pub use plan::{Form, ProductPlan};
pub use primes::{DIGIT_BITS, PrimeSet};
pub(crate) use render::block;
pub use render::{product_tables, render_mul_ntt};
pub use spec::{Addend, Destination, Factor, MulNttSpec, NttInput, NttStep, Pointwise};
pub use transform::{
    ResidueClass, TransformBuffer, TransformKernel, TransformLaunch, TransformPass, TransformPlan,
    TransformReductions, TransformSpec, render_transform,
};
