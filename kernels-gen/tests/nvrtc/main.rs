//! Kernels through NVIDIA's compiler, which needs no GPU.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "../common/mod.rs"]
mod common;
mod divisions;
mod fill;
mod measured;
mod modmul_fold;
mod modmul_rns;
mod one_lane;
mod operations;
mod poly;
mod programs;
mod rendered;
mod shipped;
mod statements;
mod straight;
mod templates;
mod tensor;
