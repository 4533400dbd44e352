//! The arithmetic itself, once, on limb slices. `Uint`, `Int`, `Batch` and the CPU backend delegate to it.
//!
//! Conventions of this module: operands are least significant limb first; `out` and its operands have the same
//! length M unless a function says otherwise, and a difference in length is a bug of the caller that panics.
//! Results are exact modulo `B^M`, and what leaves the top limb is returned.

#![allow(
    clippy::missing_panics_doc,
    reason = "the one panic, lengths that differ, is documented for the module"
)]

pub mod add;
pub mod bits;
mod chain;
pub mod cmp;
pub mod div;
pub mod field;
pub mod mul;
pub mod rotate;
mod scratch;
pub mod shift;
pub mod sub;
pub mod words;
