//! Divisions of wide integers by an inverse from below (`div_newton`, docs/div.md): the kernels around its products.
//!
//! A division is a sequence of launches ([`crate::Program`]): the divisor is shifted to the top of its words, its inverse grows by
//! Newton steps whose products are those of tensor cores, and two products give the quotient of each half.

mod render;
mod schedule;
mod spec;

pub(crate) use render::block;
pub use render::render_div_newton;
pub(crate) use schedule::aligned;
pub use schedule::{DivNewton, Steps};
pub use spec::{DivNewtonSpec, Factor, Part, Plane, Slice, Stage, Wanted};
