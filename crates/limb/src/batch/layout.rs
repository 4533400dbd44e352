//! The order of the limbs in memory.

use crate::base::Base;

/// The order of a batch's limbs in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Layout {
    /// The limbs of an instance are contiguous: limb j of instance i is at `i * M + j`.
    #[default]
    InstanceMajor,
    /// The j-th limbs of all instances are contiguous: limb j of instance i is at `j * N + i`. Threads with
    /// one instance each then read neighbouring addresses (Carlessi and Kashani, "coalesced").
    Interleaved,
}

impl Layout {
    /// The index of limb `j` of instance `i`, of N instances of M limbs.
    #[must_use]
    pub const fn index(self, instances: usize, limbs_per_instance: usize, i: usize, j: usize) -> usize {
        match self {
            Self::InstanceMajor => i * limbs_per_instance + j,
            Self::Interleaved => j * instances + i,
        }
    }
}

/// Side of a tile of the transposition: two tiles fit the first-level cache.
const TILE: usize = 32;

/// The columns of a `rows` x `columns` matrix as rows.
pub(super) fn transpose<B: Base>(matrix: &[B], rows: usize, columns: usize) -> Vec<B> {
    let mut out = vec![B::ZERO; matrix.len()];
    for row_tile in (0..rows).step_by(TILE) {
        for column_tile in (0..columns).step_by(TILE) {
            for row in row_tile..(row_tile + TILE).min(rows) {
                for column in column_tile..(column_tile + TILE).min(columns) {
                    out[column * rows + row] = matrix[row * columns + column];
                }
            }
        }
    }
    out
}
