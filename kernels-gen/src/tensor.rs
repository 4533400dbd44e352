//! Kernels of the product by matrices of bytes on tensor cores: `mul_tensor`.

mod plan;
mod render;
mod spec;

pub use plan::TensorPlan;
pub use render::render_mul_tensor;
pub use spec::MulTensorSpec;
