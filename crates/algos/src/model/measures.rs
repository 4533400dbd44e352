//! The measures of a program, and the bounds of its time.

/// The cost of a program. Overheads are in words that a thread moves and so do not depend on U: the paper's O
/// is `transfers * U`, its C is `block_operations + block_transfers * U`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// W: local operations of all threads.
    pub work: f64,
    /// S: local operations of the slowest threads of the kernels on the longest path.
    pub span: f64,
    /// O / U: words that a thread of each block reads and writes, over all blocks.
    pub transfers: f64,
    /// N: thread blocks.
    pub blocks: f64,
    /// L: kernels of the longest path. The paper defines the number of edges, but its formulas count kernels,
    /// as Theorem 1 requires: for a program of one block, N/P + L must be 1 or more for every P.
    pub path: f64,
    /// K: most thread blocks that may run at once.
    pub widest: f64,
    /// The local operations in C: most of a block's thread.
    pub block_operations: f64,
    /// The words in C: most that a thread of a block reads and writes.
    pub block_transfers: f64,
}

impl Measures {
    /// O, in local operations.
    #[must_use]
    pub fn overhead(&self, transfer: f64) -> f64 {
        self.transfers * transfer
    }

    /// C, in local operations.
    #[must_use]
    pub fn slowest_block(&self, transfer: f64) -> f64 {
        self.block_operations + self.block_transfers * transfer
    }

    /// N/P + L: rounds in which blocks run on P multiprocessors.
    #[must_use]
    pub fn steps(&self, multiprocessors: f64) -> f64 {
        self.blocks / multiprocessors + self.path
    }

    /// Theorem 1 (3): `T_P <= (N/P + L) C` local operations on P multiprocessors.
    #[must_use]
    pub fn bound(&self, multiprocessors: f64, transfer: f64) -> f64 {
        self.steps(multiprocessors) * self.slowest_block(transfer)
    }

    /// Corollary 1 (4): `T <= (N/K + L) C`, with as many multiprocessors as can be used.
    #[must_use]
    pub fn bound_unlimited(&self, transfer: f64) -> f64 {
        self.bound(self.widest, transfer)
    }
}
