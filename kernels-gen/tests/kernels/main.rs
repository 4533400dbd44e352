//! The real text of kernels, run by the emulator against num-bigint and the CPU backend.
//!
//! One program for all, so that they are linked once. `cargo test -p limbforge-kernels-gen --test kernels
//! div::` runs the divisions.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod amounts;
mod block;
mod carries;
#[path = "../common/mod.rs"]
mod common;
mod div;
mod div_newton;
mod div_wide;
mod emulated;
mod fill;
mod harness;
mod modmul_fold;
mod modmul_rns;
mod mul_ntt;
mod mul_tensor;
mod ntt;
mod number_theory;
mod poly;
mod primality_rns;
mod program;
mod property;
mod sequences;
mod straight;
mod tape;
