//! The arithmetic on limb slices, to which `Uint`, `Int`, `Batch` and the CPU backend delegate.
//!
//! Operands are least significant limb first. `out` and its operands have the same length M unless a function
//! says otherwise; other lengths are a bug of the caller and panic. Results are exact modulo `B^M`, and
//! functions return the carry or the limb above the top.

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
