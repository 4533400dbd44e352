//! Kernels of programs: one kernel of a whole program, straight or by a tape.
//!
//! | file | content |
//! | --- | --- |
//! | `program/spec.rs` | [`TapeSpec`], everything that identifies the kernel |
//! | `program/threads.rs` | words and lanes of an instance |
//! | `program/lower/` | regions of the program as operations of the tape |
//! | `program/tape/` | operations, their order and their slots, the tape as data |
//! | `program/render.rs` | the tape's kernel as CUDA C++ |
//! | `program/straight/` | the same operations with values in registers, for up to 8 words |
//! | `program/open.rs` | launches over a list of instances |
//! | `program/fits.rs` | what would fit of a program that is refused |
//!
//! A tape's kernel has one loop over a constant table of operations and one inlined product, however large the
//! program (`templates/tape.cuh`). Values of more than 64 bits and residues lie in shared memory, scalars in
//! local memory. The whole program and its slices are entries of one tape, so that one compiled kernel serves
//! all of them: a launch says where it enters ([`Entry`]).

mod assemble;
mod fits;
mod kernel;
mod lower;
mod open;
mod render;
mod resources;
mod shapes;
mod spec;
mod states;
mod straight;
mod tape;
mod threads;

pub use kernel::{RowWords, TapeKernel};
pub use lower::{Entry, Place, Plane};
pub use open::NO_INSTANCE;
pub use render::render;
pub use spec::{Emission, TapeInput, TapeSpec};
pub use straight::has_special_modulus;
