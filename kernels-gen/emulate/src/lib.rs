//! Runs a rendered CUDA kernel on the CPU, exactly, so that tests exercise the real kernel text without a
//! GPU.
//!
//! The kernel is compiled by a C++ compiler against headers that give CUDA's words their meaning, and runs in
//! a process of its own: blocks one after the other, one fiber per thread. Fibers switch only at barriers and
//! warp collectives, in an order that the caller chooses ([`Schedule`]): a result that depends on the order
//! has a race, such as a missing barrier.
//!
//! What is an error besides a wrong result ([`Fault`]): threads that wait for each other at different places,
//! accesses beyond a buffer, a shuffle from a lane outside the mask, a kernel that does not end. Shared
//! memory and the result start as bytes `0xa5`, so that what is read before it is written shows.
//!
//! Not modelled: timing, bank conflicts, weak memory order, threads that wait for each other by polling
//! memory.
//!
//! ```no_run
//! use limbforge_emulate::{Compiler, Emulated, Schedule};
//! use limbforge_kernels_gen::{Geometry, Kernel};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let kernel = Kernel {
//!     source: "
//! extern \"C\" __global__ void twice(const unsigned* a, unsigned* out, unsigned long long instances) {
//!   const unsigned long long i = blockIdx.x * 32ull + threadIdx.x;
//!   if (i < instances) out[i] = 2 * a[i];
//! }"
//!     .into(),
//!     entry: "twice".into(),
//!     inputs: vec!["a".into()],
//!     geometry: Geometry { threads: 32, instances: 32, planes: 1, shared_bytes: 0 },
//!     marks: false,
//!     outputs: 1,
//!     zeroed: 0,
//! };
//! let compiler = Compiler::find()?;
//! let emulated = Emulated::build(&compiler, &kernel)?;
//! let doubled = emulated.run_limbs::<u32>(&[&[1, 2, 3]], 3, 3, Schedule::Ascending)?;
//! assert_eq!(doubled, [2, 4, 6]);
//! # Ok(())
//! # }
//! ```

mod build;
mod cache;
mod compiler;
mod error;
mod job;
mod probe;
mod schedule;
mod toolkit;

pub use build::Emulated;
pub use compiler::Compiler;
pub use error::{EmulateError, Fault};
pub use schedule::Schedule;
pub use toolkit::Check;
