//! Kernels of products by matrices of bytes on tensor cores: `mul_tensor`.

mod areas;
mod check;
mod choice;
mod memory;
mod phases;
mod plan;
mod render;
mod rows;
mod spec;
mod split;

pub use phases::{MAX_COEFFICIENT, Phase, Phases, Value};
pub use plan::{Schedule, Slots, Squaring, TensorPlan, Tiling};
pub(crate) use render::block;
pub use render::render_mul_tensor;
pub use spec::MulTensorSpec;
