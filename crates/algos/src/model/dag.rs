//! Programs as graphs of kernels.

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

/// A program: kernels, and which has to wait for which. All blocks of a kernel wait for all blocks of
/// another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelDag {
    kernels: Vec<Kernel>,
    /// The kernels that each waits for, all earlier ones.
    waits: Vec<Vec<usize>>,
}

impl KernelDag {
    /// A program without kernels.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

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
    /// [`ModelError::Order`] if it is to wait for one that there is not yet.
    pub fn push(&mut self, kernel: Kernel, after: &[usize]) -> Result<usize, ModelError> {
        let number = self.kernels.len();
        if let Some(&before) = after.iter().find(|&&before| before >= number) {
            return Err(ModelError::Order { kernel: number, before });
        }
        self.kernels.push(kernel);
        self.waits.push(after.to_vec());
        Ok(number)
    }

    /// The kernels.
    #[must_use]
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// W, S, O, N, L, K and the parts of C: of the block for which both are largest, if there is one, else a
    /// bound of it.
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

    /// The most blocks of which none waits for another. By Dilworth's theorem these are all blocks less the
    /// most that can be matched, each as the one that waits and as the one that is waited for once (Fulkerson
    /// 1956); kernels are matched with as many blocks as they have, by augmenting paths. Cubic in the number
    /// of kernels.
    fn widest(&self) -> u64 {
        let count = self.kernels.len();
        let waits = self.all_waits();
        let sizes: Vec<u64> = self.kernels.iter().map(|kernel| kernel.blocks.into()).collect();
        let (mut early, mut late) = (sizes.clone(), sizes.clone());
        // Blocks of kernel j matched as waiting for kernel i.
        let mut matched = vec![vec![0_u64; count]; count];
        while let Some(path) = augmenting(&waits, &matched, &early, &late) {
            let (first, last) = (path[0].0, path[path.len() - 1].1);
            let back = path.windows(2).map(|edge| matched[edge[1].0][edge[0].1]);
            let amount = back.fold(early[first].min(late[last]), u64::min);
            early[first] -= amount;
            late[last] -= amount;
            for (i, &(from, to)) in path.iter().enumerate() {
                matched[from][to] += amount;
                if let Some(&(next, _)) = path.get(i + 1) {
                    matched[next][to] -= amount;
                }
            }
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

/// Edges (i, j) of a path from a kernel i with blocks left to a kernel j with blocks left; between two edges
/// (i, j) and (i', j') it goes back over blocks matched as (i', j).
fn augmenting(
    waits: &[Vec<bool>],
    matched: &[Vec<u64>],
    early: &[u64],
    late: &[u64],
) -> Option<Vec<(usize, usize)>> {
    let count = waits.len();
    let (mut from, mut back) = (vec![None; count], vec![None; count]);
    let mut queue: Vec<usize> = (0..count).filter(|&i| early[i] > 0).collect();
    let mut seen: Vec<bool> = early.iter().map(|&left| left > 0).collect();
    let mut next = 0;
    while let Some(&i) = queue.get(next) {
        next += 1;
        for j in (0..count).filter(|&j| waits[i][j]) {
            if from[j].is_some() {
                continue;
            }
            from[j] = Some(i);
            if late[j] > 0 {
                return Some(trace(j, &from, &back));
            }
            for other in (0..count).filter(|&other| matched[other][j] > 0) {
                if !seen[other] {
                    seen[other] = true;
                    back[other] = Some(j);
                    queue.push(other);
                }
            }
        }
    }
    None
}

fn trace(end: usize, from: &[Option<usize>], back: &[Option<usize>]) -> Vec<(usize, usize)> {
    let mut path = Vec::new();
    let mut at = Some(end);
    while let Some((i, j)) = at.and_then(|j| from[j].map(|i| (i, j))) {
        path.push((i, j));
        at = back[i];
    }
    path.reverse();
    path
}
