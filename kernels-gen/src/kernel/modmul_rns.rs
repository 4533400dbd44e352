//! Kernels of powers in residue number systems on tensor cores: `modmul_rns`.

mod constants;
mod render;
mod rows;
mod shape;
mod system;

pub(crate) use render::{enter, leave, power};
pub(crate) use shape::Shape;
pub(crate) use system::System;
