//! The ground that the programs `limbforge` and `limbforge-lab` share: arguments, errors, files, and runs of
//! kernels.
//!
//! It is not an interface, and changes with the programs. The interface for other programs is the crate
//! `limbforge`.

#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "shared by two programs, not an interface"
)]

pub mod args;
pub mod chart;
mod compress;
pub mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod input;
mod links;
pub mod output;
pub mod table;
pub mod threads;
pub mod usage;
