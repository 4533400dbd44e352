//! Cofactors that are kept of the steps: those of one number, or all four.

use core::slice;

use limbforge_limb::slice::mul::rows::{matrix, multiple};
use limbforge_limb::slice::{add, sub};

use super::lehmer::WordMatrix;
use super::track::{Shortened, Track};
use super::{Thresholds, recorded};
use crate::integer::packed::trim;
use crate::integer::{Scratch, products::Products};

/// A row of M, trimmed. As `M^-1 = ((m11, -m01), (-m10, m00))`, the lower row has the cofactors of the first
/// operand: `a' = m11 a - ..` and `b' = -m10 a + ..`.
#[derive(Clone, Debug)]
pub(in crate::integer) struct Row(pub(in crate::integer) [Vec<u64>; 2]);

impl Row {
    /// A row of the identity, with room for `capacity` words.
    pub(in crate::integer) fn unit(column: usize, capacity: usize) -> Self {
        let mut row = Self([vec![], vec![]]);
        row.reset(column, capacity);
        row
    }

    /// [`unit`](Self::unit) in the memory of another row.
    pub(in crate::integer) fn reset(&mut self, column: usize, capacity: usize) {
        for entry in &mut self.0 {
            entry.clear();
            entry.reserve(capacity + 2);
        }
        self.0[column].push(1);
    }
}

/// The rows of a matrix times another one.
fn multiply(rows: &mut [Row], Matrix([Row(upper), Row(lower)]): &Matrix, scratch: &mut Scratch) {
    let mut products = vec![vec![]; 2 * rows.len()];
    let left: Vec<_> = rows.iter().map(|row| row.0.each_ref().map(|entry| &entry[..])).collect();
    let columns = [0, 1].map(|j| [&upper[j][..], &lower[j]]);
    scratch.product.sums_of_pairs(&mut products, &left, &columns);
    for (entry, mut product) in rows.iter_mut().flat_map(|row| &mut row.0).zip(products) {
        trim(&mut product);
        *entry = product;
    }
}

impl Track for Row {
    #[inline]
    fn shorten(&mut self, a: &mut [u64], b: &mut [u64], divides: bool, scratch: &mut Scratch) -> Shortened {
        if !divides && recorded::are_alike(a, b) {
            return Shortened::Alike(a.len());
        }
        recorded::shorten(a, b, divides, self, scratch)
    }

    fn reduced(&mut self, steps: &WordMatrix) {
        let WordMatrix([[m00, m01], [m10, m11]]) = *steps;
        let [u0, u1] = &mut self.0;
        let len = u0.len().max(u1.len());
        for entry in [&mut *u0, &mut *u1] {
            if entry.len() < len {
                entry.resize(len, 0);
            }
        }
        let above = matrix::sums(u0, u1, &[[m00, m10], [m01, m11]]);
        for (entry, above) in [u0, u1].into_iter().zip(above) {
            if above > 0 {
                entry.push(above);
            } else if entry.last() == Some(&0) {
                trim(entry);
            }
        }
    }

    fn divided(&mut self, larger: usize, quotient: &[u64], scratch: &mut Scratch) {
        let [first, second] = &mut self.0;
        let (sum, factor) = if larger == 0 { (second, &*first) } else { (first, &*second) };
        // The first quotient: the row is still that of the identity.
        match factor[..] {
            [] => return,
            [1] => {
                sum.resize(sum.len().max(quotient.len()) + 1, 0);
                add::add_assign(sum, quotient, false);
                return trim(sum);
            }
            _ => {}
        }
        if let [quotient] = *quotient {
            sum.resize(sum.len().max(factor.len()) + 1, 0);
            let (low, high) = sum.split_at_mut(factor.len());
            let carry = multiple::add(low, factor, quotient);
            add::add_assign(high, &[carry], false);
            return trim(sum);
        }
        let mut product = vec![0; (quotient.len() + factor.len()).max(sum.len()) + 1];
        scratch.low(&mut product, quotient, factor);
        add::add_assign(&mut product, sum, false);
        trim(&mut product);
        *sum = product;
    }

    fn halved(&mut self, matrix: &Matrix, scratch: &mut Scratch) {
        multiply(slice::from_mut(self), matrix, scratch);
    }

    fn words_below(&self, n: usize) -> usize {
        // The longer the cofactors are, the more of the numbers one product should reduce.
        if self.0.iter().all(|entry| entry.len() <= 1) { n / 2 } else { n / 3 }
    }

    fn rests(&self, n: usize, thresholds: Thresholds) -> bool {
        let len = self.0.iter().map(Vec::len).max().unwrap_or_default();
        if n >= thresholds.whole {
            return len > n + n / 2;
        }
        let shortest = SHORTEST_REST.min(thresholds.whole);
        n >= shortest.max(2) && len > n / 2 + shortest * 2 / 3
    }
}

/// Fewest words of numbers whose steps are recorded on their own. Measured with the condition on the row, by rows in
/// assembly: 32 instead takes 5 % longer at 256 words; without records of their own, 512, 1024 and 2048 words take
/// 11, 17 and 24 % longer.
const SHORTEST_REST: usize = 96;

/// A matrix of determinant 1 without negative entries, by rows.
#[derive(Clone, Debug)]
pub(in crate::integer) struct Matrix(pub(in crate::integer) [Row; 2]);

impl Matrix {
    /// The identity, with room for `capacity` words in each entry.
    pub(in crate::integer) fn identity(capacity: usize) -> Self {
        Self([0, 1].map(|i| Row::unit(i, capacity)))
    }

    /// `M^-1 (a, b)` for slices of one length whose words from `p` on have been reduced by M, and whose words
    /// below have not. The result is not negative.
    pub(super) fn reduce_below(&self, p: usize, a: &mut [u64], b: &mut [u64], scratch: &mut Scratch) {
        let [Row([m00, m01]), Row([m10, m11])] = &self.0;
        let a_low = a[..p].to_vec();
        // B^p - 1 - b: sums instead of differences.
        let b_low: Vec<_> = b[..p].iter().map(|word| !word).collect();
        a[..p].fill(0);
        b[..p].fill(0);
        let mut sums = [vec![], vec![]];
        let columns = [[&a_low[..], &b_low[..]]];
        scratch.product.sums_of_pairs(&mut sums, &[[&m11[..], m01], [&m10[..], m00]], &columns);
        let [plus, minus] = sums.each_ref().map(|sum| &sum[..sum.len().min(a.len())]);
        // All mod B^n: m11 a - m01 b, and -(m10 a - m00 b).
        add::add_assign(a, plus, false);
        add::add_assign(a, m01, false);
        sub::sub_assign(&mut a[p..], m01, false);
        sub::sub_assign(b, minus, false);
        sub::sub_assign(b, m00, false);
        add::add_assign(&mut b[p..], m00, false);
    }
}

impl Track for Matrix {
    fn reduced(&mut self, matrix: &WordMatrix) {
        for row in &mut self.0 {
            row.reduced(matrix);
        }
    }

    fn divided(&mut self, larger: usize, quotient: &[u64], scratch: &mut Scratch) {
        for row in &mut self.0 {
            row.divided(larger, quotient, scratch);
        }
    }

    fn halved(&mut self, matrix: &Matrix, scratch: &mut Scratch) {
        multiply(&mut self.0, matrix, scratch);
    }

    fn words_below(&self, n: usize) -> usize {
        n / 2
    }
}
