//! A refinement of the paper's bound, computed from its measures.
//!
//! Theorem 1 charges a kernel of more threads than a multiprocessor has lanes like one of a single thread,
//! charges no launch, and charges the latency of a word to every round of blocks, though a device runs other
//! blocks meanwhile. It therefore prefers the largest s for divisions and gcds, with which an H200 is a fifth
//! slower than with the best. The refined time is
//!
//! `L launch + S' wait + (S ceil(l / lanes) + W / (P lanes)) operation + (O / U) l word`:
//!
//! L launches; a wait in each of the dependent operations S'; the operations of the slowest chain, where the
//! l threads of a block take turns on the lanes, and those of all threads on all lanes (Brent's bound); and
//! the words that all threads move. It is linear in four times, which [`Refinement::fitted`] finds. S' is S
//! for the division and the gcd, whose steps each end at a barrier; 0 for the sort, whose threads have
//! independent operations; and S / 2 for the product, where a multiplication and its addition wait once.
//!
//! A product may have fewer blocks than there are multiprocessors, or a few more, so that some have one block
//! more than others. In place of `S ceil(l / lanes) + W / (P lanes)` it takes, launch by launch, `ceil(N / P)
//! ceil(l / lanes)` times the operations of a thread, with N blocks launched.

use super::error::at_least;
use super::{Measures, ModelError};

/// The figures of a device that the refined time needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refinement {
    /// Threads of a multiprocessor that begin an operation together.
    pub lanes: u64,
    /// Seconds of a launch in a row of launches, with an empty kernel.
    pub launch: f64,
    /// Seconds that a dependent operation waits for the one before it.
    pub wait: f64,
    /// Seconds of an operation on each lane.
    pub operation: f64,
    /// Seconds to move a word between global memory and any multiprocessor.
    pub word: f64,
}

/// The multiplicity of each time of a [`Refinement`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    /// Launches, L.
    pub launches: f64,
    /// Operations that wait for the one before them.
    pub waits: f64,
    /// Operations of a lane: of the slowest chain, and a lane's share of all.
    pub operations: f64,
    /// Words that all threads move.
    pub words: f64,
}

impl Counts {
    /// From the measures, with so many waits and operations for each of the paper's.
    pub(super) fn of_chain(
        measures: &Measures,
        threads: u64,
        refinement: &Refinement,
        multiprocessors: u32,
        [waits, operations]: [f64; 2],
    ) -> Self {
        let turns = threads.div_ceil(refinement.lanes) as f64;
        let all_lanes = f64::from(multiprocessors) * refinement.lanes as f64;
        Self {
            launches: measures.path,
            waits: waits * measures.span,
            operations: operations * (measures.span * turns + measures.work / all_lanes),
            words: measures.transfers * threads as f64,
        }
    }

    /// From the launches of a product.
    pub(super) fn of_launches(
        launches: impl Iterator<Item = Launch>,
        threads: u64,
        refinement: &Refinement,
        multiprocessors: u32,
    ) -> Self {
        let turns = threads.div_ceil(refinement.lanes) as f64;
        let mut all = Self { launches: 0.0, waits: 0.0, operations: 0.0, words: 0.0 };
        for Launch { blocks, operations, words } in launches {
            let rounds = blocks.div_ceil(multiprocessors.into()) as f64;
            all.launches += 1.0;
            all.waits += 0.5 * operations as f64;
            all.operations += rounds * turns * operations as f64;
            all.words += blocks as f64 * (words * threads) as f64;
        }
        all
    }

    /// In the order of [`Refinement::times`].
    const fn all(&self) -> [f64; TIMES] {
        [self.launches, self.waits, self.operations, self.words]
    }
}

/// A launched kernel of equal blocks.
pub(super) struct Launch {
    pub(super) blocks: u64,
    /// Local operations of a thread.
    pub(super) operations: u64,
    /// Words that a thread moves.
    pub(super) words: u64,
}

const TIMES: usize = 4;

impl Refinement {
    /// Checks that all times are finite and 0 or more, one is above 0, and there is a lane.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        at_least("lanes", self.lanes as f64, 1.0, "one or more")?;
        for (name, time) in ["launch", "wait", "operation", "word"].into_iter().zip(self.times()) {
            at_least(name, time, 0.0, "0 seconds or more")?;
        }
        at_least("sum of times", self.times().iter().sum(), f64::MIN_POSITIVE, "a positive number")
    }

    const fn times(&self) -> [f64; TIMES] {
        [self.launch, self.wait, self.operation, self.word]
    }

    /// The refined time.
    #[must_use]
    pub fn seconds(&self, counts: &Counts) -> f64 {
        product(&counts.all(), &self.times())
    }

    /// The same lanes with the times of 0 or more that fit measured seconds best: least relative squares over
    /// every set of nonzero times. The counts must be for as many lanes.
    ///
    /// # Errors
    /// [`ModelError::Measurements`] for fewer than two, or if no times fit;
    /// [`ModelError::Parameter`] for seconds that are not positive.
    pub fn fitted(self, measured: &[(Counts, f64)]) -> Result<Self, ModelError> {
        let mut rows = Vec::with_capacity(measured.len());
        for (counts, seconds) in measured {
            at_least("measured seconds", *seconds, f64::MIN_POSITIVE, "a positive number")?;
            rows.push(counts.all().map(|count| count / seconds));
        }
        let solutions = (1..1_u32 << TIMES).filter_map(|set| least_squares(&rows, set));
        let solutions = solutions.filter(|times| times.iter().all(|&time| time >= 0.0));
        let error =
            |times: &[f64; TIMES]| rows.iter().map(|row| (product(row, times) - 1.0).powi(2)).sum::<f64>();
        let best = solutions.min_by(|a, b| error(a).total_cmp(&error(b)));
        match best {
            Some([launch, wait, operation, word]) if rows.len() >= 2 => {
                Ok(Self { launch, wait, operation, word, ..self })
            }
            _ => Err(ModelError::Measurements { found: measured.len() }),
        }
    }
}

/// The scalar product.
fn product(counts: &[f64; TIMES], times: &[f64; TIMES]) -> f64 {
    counts.iter().zip(times).map(|(count, time)| count * time).sum()
}

/// The least squares of `rows x = 1` with only the columns of the set nonzero, unless they are dependent.
/// Gauss-Jordan elimination on the normal equations of columns scaled to length 1, pivots measure
/// independence.
pub(super) fn least_squares<const N: usize>(rows: &[[f64; N]], set: u32) -> Option<[f64; N]> {
    let length = |i: usize| rows.iter().map(|row| row[i] * row[i]).sum::<f64>().sqrt();
    let lengths: Vec<(usize, f64)> = (0..N).filter(|i| set >> i & 1 == 1).map(|i| (i, length(i))).collect();
    if lengths.len() > rows.len() || lengths.iter().any(|&(_, length)| length == 0.0) {
        return None;
    }
    let line = |&(i, i_length): &(usize, f64)| -> Vec<f64> {
        let product = |&(j, j_length): &(usize, f64)| {
            rows.iter().map(|row| row[i] / i_length * (row[j] / j_length)).sum()
        };
        let right = rows.iter().map(|row| row[i] / i_length).sum();
        lengths.iter().map(product).chain([right]).collect()
    };
    let mut matrix: Vec<Vec<f64>> = lengths.iter().map(line).collect();
    for pivot in 0..matrix.len() {
        // Pivots of a Gram matrix are squared distances of a column from those before it: no rows are
        // exchanged.
        if matrix[pivot][pivot] < 1e-9 {
            return None;
        }
        let pivot_line = matrix[pivot].clone();
        for (_, line) in matrix.iter_mut().enumerate().filter(|&(i, _)| i != pivot) {
            let factor = line[pivot] / pivot_line[pivot];
            line.iter_mut().zip(&pivot_line).for_each(|(value, other)| *value -= factor * other);
        }
    }
    let mut solution = [0.0; N];
    for (k, &(i, length)) in lengths.iter().enumerate() {
        solution[i] = matrix[k][lengths.len()] / matrix[k][k] / length;
    }
    Some(solution)
}
