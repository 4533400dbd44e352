//! Divisions of wide integers by an inverse from below (`div_newton`, `docs/div_newton.md`): the kernels around its products.
//!
//! A division is a sequence of launches ([`crate::Program`]): the divisor is shifted to the top of its words, its inverse grows by
//! Newton steps whose products are those of tensor cores, and two products give the quotient of each half.

mod block;
mod context;
#[cfg(test)]
mod parts;
mod render;
mod schedule;
mod spec;
mod stage;
mod words;

pub(crate) use block::block;
pub use render::render_div_newton;
pub use schedule::{DivNewton, Multiple, Steps};
pub use spec::DivNewtonSpec;
pub use stage::{DivOutput, Factor, Part, Plane, QuotientShape, Slice, Stage};
pub(crate) use words::{aligned, part_factor, part_planes};
