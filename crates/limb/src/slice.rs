//! The arithmetic on limb slices, to which `Uint`, `Int`, `Batch` and the CPU backend delegate.
//!
//! Operands are least significant limb first. `out` and its operands have the same length M unless a function
//! says otherwise; other lengths panic. Results are exact modulo `B^M`, and functions return the carry or the
//! limb above the top.

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
pub mod gcd;
pub mod mul;
pub mod shift;
pub mod sub;
pub mod words;

/// Reused working memory of products and divisions, which grows to the largest need. Use one for each thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    words: Vec<u64>,
}

impl Scratch {
    /// An empty scratch; the first use allocates.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// `len` words of unspecified value.
    pub(super) fn take(&mut self, len: usize) -> &mut [u64] {
        if self.words.len() < len {
            self.words.resize(len, 0);
        }
        &mut self.words[..len]
    }
}
