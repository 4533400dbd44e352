//! The four times that the refined time is linear in, and the least squares that find them.

use super::ModelError;
use super::error::at_least;

/// The figures of a device that the refined time needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refinement {
    /// Threads of a multiprocessor that begin an operation together.
    pub lanes: u64,
    /// Seconds of a launch in a row of launches, with what a kernel of no work takes.
    pub launch: f64,
    /// Seconds that an operation waits for the one before it, if it needs its result.
    pub wait: f64,
    /// Seconds of an operation on each lane.
    pub operation: f64,
    /// Seconds of a word on its way between global memory and any multiprocessor.
    pub word: f64,
}

/// How often each of these times is spent: the refined time is linear in them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    /// L.
    pub launches: f64,
    /// Operations that wait for the one before them.
    pub waits: f64,
    /// Operations of a lane: of the slowest chain, and a lane's share of all.
    pub operations: f64,
    /// Words that all threads move.
    pub words: f64,
}

impl Counts {
    /// In the order of [`Refinement::times`].
    const fn all(&self) -> [f64; TIMES] {
        [self.launches, self.waits, self.operations, self.words]
    }
}

const TIMES: usize = 4;

impl Refinement {
    /// The times, all 0 or more and finite, with one above 0, and one lane or more.
    ///
    /// # Errors
    /// [`ModelError::Parameter`].
    pub(super) fn check(&self) -> Result<(), ModelError> {
        at_least("lanes", self.lanes as f64, 1.0, "one or more")?;
        for (name, time) in ["launch", "wait", "operation", "word"].into_iter().zip(self.times()) {
            at_least(name, time, 0.0, "0 seconds or more")?;
        }
        at_least("sum of times", self.times().iter().sum(), f64::MIN_POSITIVE, "a positive number")
            .map(|_| ())
    }

    const fn times(&self) -> [f64; TIMES] {
        [self.launch, self.wait, self.operation, self.word]
    }

    /// The refined time.
    #[must_use]
    pub fn seconds(&self, counts: &Counts) -> f64 {
        counts.all().iter().zip(self.times()).map(|(count, time)| count * time).sum()
    }

    /// The same lanes with the times, none of them negative, that explain measured seconds best: least
    /// relative squares over every set of times that are not 0. Counts have to be for as many lanes.
    ///
    /// # Errors
    /// [`ModelError::Measurements`] for fewer than two, or if no times explain them;
    /// [`ModelError::Parameter`] for seconds that are not positive.
    pub fn fitted(self, measured: &[(Counts, f64)]) -> Result<Self, ModelError> {
        let mut rows = Vec::with_capacity(measured.len());
        for (counts, seconds) in measured {
            at_least("measured seconds", *seconds, f64::MIN_POSITIVE, "a positive number")?;
            rows.push(counts.all().map(|count| count / seconds));
        }
        let solutions = (1..1_u32 << TIMES).filter_map(|set| solution(&rows, set));
        let error = |times: &[f64; TIMES]| -> f64 {
            let value =
                |row: &[f64; TIMES]| row.iter().zip(times).map(|(count, time)| count * time).sum::<f64>();
            rows.iter().map(|row| (value(row) - 1.0).powi(2)).sum()
        };
        let best = solutions.min_by(|a, b| error(a).total_cmp(&error(b)));
        match best {
            Some([launch, wait, operation, word]) if rows.len() >= 2 => {
                Ok(Self { launch, wait, operation, word, ..self })
            }
            _ => Err(ModelError::Measurements { found: measured.len() }),
        }
    }
}

/// The least squares of `rows x = 1` with only the times of the set, unless one would be negative or they are
/// not independent. Gauss-Jordan elimination on the normal equations; columns are brought to length 1, so
/// that a pivot says how independent it is.
fn solution(rows: &[[f64; TIMES]], set: u32) -> Option<[f64; TIMES]> {
    let length = |i: usize| rows.iter().map(|row| row[i] * row[i]).sum::<f64>().sqrt();
    let lengths: Vec<(usize, f64)> =
        (0..TIMES).filter(|i| set >> i & 1 == 1).map(|i| (i, length(i))).collect();
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
        // Pivots of a Gram matrix are squared distances of a column from those before it: no row has to be
        // sought.
        if matrix[pivot][pivot] < 1e-9 {
            return None;
        }
        let pivot_line = matrix[pivot].clone();
        for (_, line) in matrix.iter_mut().enumerate().filter(|&(i, _)| i != pivot) {
            let factor = line[pivot] / pivot_line[pivot];
            line.iter_mut().zip(&pivot_line).for_each(|(value, other)| *value -= factor * other);
        }
    }
    let mut times = [0.0; TIMES];
    for (k, &(i, length)) in lengths.iter().enumerate() {
        times[i] = matrix[k][lengths.len()] / matrix[k][k] / length;
    }
    times.iter().all(|time| *time >= 0.0).then_some(times)
}
