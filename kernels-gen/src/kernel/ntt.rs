//! The product by transforms, `mul_ntt`. The kernel that loads its residues combines them.

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
