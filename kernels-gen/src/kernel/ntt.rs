//! The product by transforms, `mul_ntt`: the kernel that transforms, multiplies and transforms back modulo
//! each prime. The next kernel puts the residues together as it loads them.

pub(crate) mod bounds;
mod interpolation;
mod plan;
mod render;
mod spec;
pub(crate) mod table;

pub use bounds::Reductions;
pub use plan::ProductPlan;
pub(crate) use render::block;
pub use render::{product_tables, render_mul_ntt};
pub use spec::{Addend, Destination, Factor, MulNttSpec, NttInput, NttStep, Pointwise};
