//! From an expression to kernels on a GPU, and operands for them.

pub mod batch;
pub mod kernels;
pub mod operands;
pub mod programs;
pub mod tile;
