//! Kernels of transforms: the product `mul_ntt`, and transforms of polynomials.
//!
//! A product by transforms takes two kernels: one transforms, multiplies and transforms back modulo each
//! prime ([`MulNttSpec`]); the next one, of the expression around it, puts the residues together as it loads
//! them.

mod transform;

pub use crate::kernel::ntt::{
    Addend, Destination, Factor, MulNttSpec, NttInput, NttStep, Pointwise, ProductPlan, Reductions,
    product_tables, render_mul_ntt,
};
pub use crate::spec::{DIGIT_BITS, PrimeSet, ProductForm, Residues};
pub use transform::{
    ResidueClass, TransformKernel, TransformLaunch, TransformPass, TransformPlan, TransformReductions,
    TransformSpec, render_transform,
};
