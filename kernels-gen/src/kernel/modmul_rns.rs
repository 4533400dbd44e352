//! Kernels of powers in residue number systems on tensor cores: `modmul_rns`.

mod chain;
mod constants;
mod lists;
mod one_modulus;
mod render;
mod rows;
mod sequence;
mod shape;
mod system;

pub(crate) use chain::{Instances, chain};
pub(crate) use lists::{Before, gather, tally, verdict};
pub(crate) use one_modulus::{enter as enter_one, matrices, one};
pub(crate) use render::{enter, leave, power};
pub(crate) use sequence::{put_step, sequence, step_words, variable_words};
pub(crate) use shape::Shape;
pub(crate) use system::System;
