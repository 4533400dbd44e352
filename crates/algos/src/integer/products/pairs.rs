//! Sums of two products: products of matrices of two rows or columns.

use limbforge_limb::slice::{add, mul::rows};

use super::Product;
use crate::transform::mul_ntt::{self, pairs::Pair};

impl Product {
    /// The product of a matrix by another one, of machine words: `out[i C + j] = left[i][0] right[j][0] + left[i][1]
    /// right[j][1]`, for a right matrix of C columns, with zeros above.
    pub(crate) fn sums_of_pairs(&mut self, out: &mut [Vec<u64>], left: &[Pair<'_>], right: &[Pair<'_>]) {
        let longest = |pairs: &[Pair<'_>]| pairs.iter().flatten().map(|words| words.len()).max();
        let (a, b) = (longest(left).unwrap_or_default(), longest(right).unwrap_or_default());
        let one_by_one = !mul_ntt::is_fast() || are_faster(left.len(), right.len(), a.min(b), a.max(b));
        if !one_by_one && mul_ntt::pairs::sums(out, left, right, &mut self.transforms) {
            return;
        }
        let mut product = vec![];
        for (k, out) in out.iter_mut().enumerate() {
            let (pair, column) = (left[k / right.len()], right[k % right.len()]);
            let lens = [0, 1].map(|i| pair[i].len() + column[i].len());
            out.clear();
            out.resize(lens[0].max(lens[1]) + 1, 0);
            product.resize(lens[1], 0);
            self.columns(out, pair[0], column[0], 0);
            self.columns(&mut product, pair[1], column[1], 0);
            add::add_assign(out, &product, false);
        }
    }
}

/// Products one by one are faster than transforms that are shared, for `rows` by `columns` sums of two products
/// each. Measured: for each word of the longer factor, fast rows take 12 + 0.15 n ns, n the length of the shorter
/// one, and columns 0.55 n; for each word of both, transforms take about 3.3 ns for a factor, 4.8 for a product and
/// 9.3 for a sum.
fn are_faster(rows: usize, columns: usize, short: usize, long: usize) -> bool {
    let sums = rows * columns;
    // In tenths of nanoseconds.
    let shared = (short + long) * (66 * (rows + columns) + 189 * sums);
    let product = if rows::are_fast() { 120 + 3 * short / 2 } else { 11 * short / 2 };
    2 * sums * long * product < shared
}
