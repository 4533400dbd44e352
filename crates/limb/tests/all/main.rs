//! Tests of limbs, integers, batches and slices: one program, so that it is linked once.
//! `cargo test -p limbforge-limb --test all batch::` runs those of batches.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod base;
mod batch;
mod convert;
mod int;
mod io;
mod lines;
mod memory;
mod parts;
mod primitives;
mod records;
mod slice;
mod text;
mod uint;
