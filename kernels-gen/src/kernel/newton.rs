//! Kernels of divisions of wide integers by an approximate inverse (`div_newton`, `docs/div_newton.md`).
//!
//! A division is a sequence of launches ([`crate::Program`]): the divisor is shifted to the top of its words,
//! its inverse grows by Newton steps whose products run on tensor cores, and two products give each half of
//! the quotient.

mod operands;
mod outputs;
mod render;
mod schedule;
mod spec;
mod stage;
#[cfg(test)]
mod tests;

pub use operands::{Factor, Part, Plane, Slice};
pub(crate) use operands::{aligned, part_factor, part_planes};
pub(crate) use render::block;
pub use render::render_div_newton;
pub use schedule::DivNewton;
pub(crate) use schedule::{Multiple, Steps};
pub use spec::DivNewtonSpec;
pub use stage::{DivOutput, QuotientShape, Stage};
