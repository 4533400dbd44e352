//! How much of the files is in memory at once.

/// Bytes in memory, and threads. Results do not depend on them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Bytes of limbs that all inputs and the result of a chunk take together.
    pub(super) chunk: usize,
    /// The same of the first chunk, after which they grow: its results are there at once.
    pub(super) first_chunk: usize,
    /// Bytes of limbs of all chunks that are read ahead of their evaluation.
    pub(super) ahead: usize,
    /// Bytes of text that are split into lines at once.
    pub(super) block: usize,
    /// Threads that evaluate, each a piece of a chunk.
    pub(super) evaluators: usize,
    /// Instances of the first piece.
    pub(super) first_piece: usize,
}

impl Default for Sizes {
    /// Together below 300 MB. While a GPU starts, 64 MiB of numbers are read.
    fn default() -> Self {
        Self {
            chunk: 12 << 20,
            first_chunk: 256 << 10,
            ahead: 64 << 20,
            block: 1 << 20,
            evaluators: 3,
            first_piece: rayon::current_num_threads(),
        }
    }
}
