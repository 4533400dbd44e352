//! Programs as graphs of kernels.

use core::mem::replace;
use std::collections::VecDeque;

use super::{Measures, ModelError};

/// A kernel of equal blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernel {
    /// Thread blocks.
    pub blocks: u32,
    /// W(B): local operations of all threads of a block.
    pub block_work: f64,
    /// S(B): local operations of a thread of a block, at most.
    pub block_span: f64,
    /// alpha + beta: words that a thread of a block reads and writes, at most.
    pub block_transfers: f64,
}

/// A program: kernels and their dependencies. All blocks of a kernel wait for all blocks of another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelDag {
    kernels: Vec<Kernel>,
    /// The kernels that each waits for, all earlier ones.
    waits: Vec<Vec<usize>>,
}

impl KernelDag {
    /// Kernels one after the other.
    #[must_use]
    pub fn chain(kernels: impl IntoIterator<Item = Kernel>) -> Self {
        let kernels: Vec<Kernel> = kernels.into_iter().collect();
        let waits = (0..kernels.len()).map(|i| i.checked_sub(1).into_iter().collect()).collect();
        Self { kernels, waits }
    }

    /// Adds a kernel that waits for earlier ones, and returns its number.
    ///
    /// # Errors
    /// [`ModelError::Order`] if it waits for a later one.
    pub fn push(&mut self, kernel: Kernel, after: &[usize]) -> Result<usize, ModelError> {
        let number = self.kernels.len();
        if let Some(&before) = after.iter().find(|&&before| before >= number) {
            return Err(ModelError::Order { kernel: number, before });
        }
        self.kernels.push(kernel);
        self.waits.push(after.to_vec());
        Ok(number)
    }

    /// W, S, O, N, L, K and the parts of C. C is exact if one block has the largest of both.
    #[must_use]
    pub fn measures(&self) -> Measures {
        let total = |of: fn(&Kernel) -> f64| {
            self.kernels.iter().map(|kernel| f64::from(kernel.blocks) * of(kernel)).sum()
        };
        let most = |of: fn(&Kernel) -> f64| self.kernels.iter().map(of).fold(0.0, f64::max);
        Measures {
            work: total(|kernel| kernel.block_work),
            span: self.longest(|kernel| kernel.block_span),
            transfers: total(|kernel| kernel.block_transfers),
            blocks: total(|_| 1.0),
            path: self.longest(|_| 1.0),
            widest: self.widest() as f64,
            block_operations: most(|kernel| kernel.block_span),
            block_transfers: most(|kernel| kernel.block_transfers),
        }
    }

    /// The weight of the heaviest path.
    fn longest(&self, weight: fn(&Kernel) -> f64) -> f64 {
        let mut ends: Vec<f64> = Vec::with_capacity(self.kernels.len());
        for (kernel, waits) in self.kernels.iter().zip(&self.waits) {
            let before = waits.iter().map(|&before| ends[before]).fold(0.0, f64::max);
            ends.push(before + weight(kernel));
        }
        ends.into_iter().fold(0.0, f64::max)
    }

    /// The most pairwise independent blocks. By Dilworth's theorem these are all blocks less a maximum
    /// matching of blocks with blocks that wait for them (Fulkerson 1956). Kernels are matched with as many
    /// blocks as they have, by augmenting paths.
    fn widest(&self) -> u64 {
        let waits = self.all_waits();
        let mut early: Vec<u64> = self.kernels.iter().map(|kernel| kernel.blocks.into()).collect();
        let mut late = early.clone();
        // Blocks of kernel j matched as waiting for kernel i.
        let mut matched = vec![vec![0_u64; early.len()]; early.len()];
        while let Some(path) = augmenting(&waits, &matched, &early, &late) {
            let (first, last) = (path[0], path[path.len() - 1]);
            let back = path[1..].chunks_exact(2);
            let unmatched = back.clone().map(|edge| matched[edge[1]][edge[0]]);
            let amount = unmatched.fold(early[first].min(late[last]), u64::min);
            early[first] -= amount;
            late[last] -= amount;
            path.chunks(2).for_each(|edge| matched[edge[0]][edge[1]] += amount);
            back.for_each(|edge| matched[edge[1]][edge[0]] -= amount);
        }
        early.iter().sum()
    }

    /// `[i][j]`: whether kernel j waits for kernel i, directly or not.
    fn all_waits(&self) -> Vec<Vec<bool>> {
        let count = self.kernels.len();
        let mut all = vec![vec![false; count]; count];
        for (j, waits) in self.waits.iter().enumerate() {
            for &before in waits {
                all[before][j] = true;
                for row in &mut all[..before] {
                    row[j] |= row[before];
                }
            }
        }
        all
    }
}

/// A shortest path i, j, i', j', ... from a kernel with blocks left in `early` to one with blocks left in
/// `late`: j waits for i, and blocks of j are matched as waiting for i'.
fn augmenting(waits: &[Vec<bool>], matched: &[Vec<u64>], early: &[u64], late: &[u64]) -> Option<Vec<usize>> {
    let all = 0..waits.len();
    let mut paths: VecDeque<Vec<usize>> = all.clone().filter(|&i| early[i] > 0).map(|i| vec![i]).collect();
    let mut is_start: Vec<bool> = early.iter().map(|&left| left > 0).collect();
    let mut is_end = vec![false; waits.len()];
    while let Some(path) = paths.pop_front() {
        let waiting = &waits[path[path.len() - 1]];
        for j in all.clone().filter(|&j| waiting[j]) {
            if replace(&mut is_end[j], true) {
                continue;
            }
            let path = [&*path, &[j]].concat();
            if late[j] > 0 {
                return Some(path);
            }
            for i in all.clone().filter(|&i| matched[i][j] > 0) {
                if !replace(&mut is_start[i], true) {
                    paths.push_back([&*path, &[i]].concat());
                }
            }
        }
    }
    None
}
