//! The outer pass backward: the coefficients of a column's polynomial from its values.
//!
//! Transforms have R T points with a power of two R. A column of the outer pass is a polynomial of degree
//! below R in `y = x^T`, and rows are its values at the roots of unity of order R in bit-reversed order. A
//! product of 2n digits needs 2n points: with 2n <= r T its coefficients from r on are 0, and the first r
//! values determine it, so that the passes within rows compute r rows (the truncated Fourier transform: van
//! der Hoeven, "The truncated Fourier transform and applications", 2004).
//!
//! Backward a row's points come multiplied by powers of a root of its own. One factor of each point removes
//! them, with all that scales the result; all columns then share the factors of the equations for the
//! coefficients, and many are 1. Their solution is a program of sums and products of residues, whose ranges
//! are proved as it grows: [`Tape`].

mod operation;
mod tape;

pub(super) use operation::{NodeFactor, Operation, Scale};
use tape::{Tape, Value};

use crate::spec::SpecError;

/// The program that computes the lowest coefficients of a column from the points of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interpolation {
    /// Single assignments, in order; all are used.
    pub(crate) operations: Vec<Operation>,
    /// The factors of its products.
    pub(crate) factors: Vec<NodeFactor>,
    /// The values that are the coefficients, from the lowest; a factor `canonical` takes them to [0, p).
    pub(crate) coefficients: Vec<usize>,
    /// log2 N for each row: its factor has 1/N, for the block of N rows that is transformed back as a whole.
    pub(crate) blocks: Vec<u32>,
}

impl Interpolation {
    /// The `wanted` lowest coefficients from the first `rows` of `outer` rows, a power of two, with residues
    /// up to `bound`. Errors with [`SpecError::ResidueRange`] if a residue could leave 32 bits.
    pub(crate) fn new(largest: u32, [outer, rows, wanted]: [u32; 3], bound: u64) -> Result<Self, SpecError> {
        let mut tape = Tape::new(largest);
        let points = (0..rows).map(|row| tape.point(row, bound)).collect::<Result<Vec<_>, _>>()?;
        let solved = tape.solve(1, &points, vec![None; (outer - rows) as usize])?;
        let blocks = core::mem::take(&mut tape.blocks);
        let wanted = solved.into_iter().take(wanted as usize).flatten();
        let wanted = wanted.map(|value| tape.final_value(value)).collect::<Result<Vec<_>, _>>()?;
        let (operations, factors, coefficients) = tape.finish(&wanted);
        Ok(Self { operations, factors, coefficients, blocks })
    }
}

/// All coefficients of a node: `None` is 0.
type Coefficients = Vec<Option<Value>>;
type Solved = Result<Coefficients, SpecError>;

/// Descends the tree of the nodes that have values.
impl Tape {
    /// The coefficients of a heap node, mod `y^N - d^2`, from its first values and its last coefficients.
    fn solve(&mut self, node: u32, values: &[Value], known: Coefficients) -> Solved {
        if known.is_empty() {
            self.blocks.extend(values.iter().map(|_| values.len().ilog2()));
            return Ok(self.whole(node, values)?.into_iter().map(Some).collect());
        }
        let half = values.len().midpoint(known.len());
        let part = if values.len() < half { Self::lower } else { Self::upper };
        part(self, node, values, known, half)
    }

    /// All values are those of the left child, mod `y^(N/2) - d`: `u = a + d a'` with a' known.
    fn lower(&mut self, node: u32, values: &[Value], known: Coefficients, half: usize) -> Solved {
        let (n, high) = (values.len(), known.len() - half);
        let sums = (n..half).map(|i| self.add_times(known[i - n], known[high + i], node, Scale::One));
        let sums = sums.collect::<Result<_, _>>()?;
        let mut solved = self.solve(2 * node, values, sums)?;
        for (i, u) in solved.iter_mut().enumerate().take(n) {
            *u = self.add_times(*u, known[high + i], node, Scale::Minus)?;
        }
        solved.truncate(n);
        solved.extend(known);
        Ok(solved)
    }

    /// All values of the left child are known, and some of the right one's: `u = a + d a'`, `v = a - d a'`.
    fn upper(&mut self, node: u32, values: &[Value], known: Coefficients, half: usize) -> Solved {
        let n = values.len() - half;
        let left = self.solve(2 * node, &values[..half], vec![])?;
        let right = (n..half).map(|i| self.add_times(left[i], known[i - n], node, Scale::MinusTwo));
        let mut right = right.collect::<Result<Coefficients, _>>()?;
        if n > 0 {
            right = self.solve(2 * node + 1, &values[half..], right)?;
        }
        let (mut low, mut high) = (vec![], vec![]);
        // None of these is a known 0.
        for (&u, &v) in left[..n].iter().flatten().zip(right[..n].iter().flatten()) {
            low.push(Some(self.half_sum(u, v)?));
            high.push(Some(self.half_difference(u, v, node)?));
        }
        for i in n..half {
            low.push(self.add_times(left[i], known[i - n], node, Scale::Minus)?);
        }
        low.extend(high);
        low.extend(known);
        Ok(low)
    }

    /// N times the coefficients of a node with all its values.
    fn whole(&mut self, node: u32, values: &[Value]) -> Result<Vec<Value>, SpecError> {
        if let &[value] = values {
            return Ok(vec![value]);
        }
        let (left, right) = values.split_at(values.len() / 2);
        let (left, right) = (self.whole(2 * node, left)?, self.whole(2 * node + 1, right)?);
        let (mut low, mut high) = (vec![], vec![]);
        for (u, v) in left.into_iter().zip(right) {
            low.push(self.sum(u, v)?);
            high.push(self.scaled_difference(u, v, node)?);
        }
        low.extend(high);
        Ok(low)
    }
}

#[cfg(test)]
mod tests;
