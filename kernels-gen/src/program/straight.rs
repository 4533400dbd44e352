//! Straight emission: programs of up to 8 words with their values in registers, a thread for each instance.
//!
//! | file | content |
//! | --- | --- |
//! | `straight/text.rs`, `straight/flow.rs` | items as statements, loops and branches of CUDA C++ |
//! | `straight/ahead.rs` | reads of arrays a round ahead |
//! | `straight/numbers.rs`, `straight/scalars.rs` | operations on numbers and on integers of up to 64 bits |
//! | `straight/effects.rs` | failures, states and results |
//! | `straight/cases.rs`, `straight/division.rs` | operations on integers that threads compute |
//! | `straight/lazy.rs` | residues that are not reduced, by a proof of their bounds |
//! | `straight/special.rs`, `straight/tables.rs` | constant moduli 2^k - c; tables in shared memory |
//! | `straight/resources.rs` | registers and the size of the code, as estimated |
//! | `straight/render.rs`, `straight/sources.rs` | the kernel, and its templates |
//!
//! Arrays lie in local memory (`lower/memory.rs`), tables that are one for all in shared memory
//! (`lower/shared_tables.rs`). The items are those of a tape (`lower`), for numbers of exactly so many words. A thread that fails jumps to
//! the end of its stage. A whole run is the stages in turn, whose states lie in local memory, so that the code of
//! each is there once.

mod ahead;
mod cases;
mod division;
mod effects;
mod flow;
mod lazy;
mod numbers;
mod render;
mod resources;
mod scalars;
mod sources;
mod special;
mod tables;
mod text;

pub(super) use render::rendered;
pub use special::has_special_modulus;
