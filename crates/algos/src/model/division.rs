//! Euclidean division of a polynomial of n terms by one of m terms, n >= m >= 1 (section 3).

use super::Measures;

/// Algorithm 1: a division step in each kernel, blocks of `l` threads.
///
/// W = (n - m + 1) m (2l + 1) / l, S = 3 (n - m + 1), O = 5 (n - m + 1) m U / l, N = (n - m + 1) m / l,
/// L = n - m + 1, C = 3 + 5U, K = m / l. A block takes 2l words of local memory.
#[must_use]
pub fn naive(n: f64, m: f64, l: f64) -> Measures {
    let steps = n - m + 1.0;
    let blocks = steps * m / l;
    Measures {
        work: blocks * (2.0 * l + 1.0),
        span: 3.0 * steps,
        transfers: 5.0 * blocks,
        blocks,
        path: steps,
        widest: m / l,
        block_operations: 3.0,
        block_transfers: 5.0,
    }
}

/// Algorithm 3: `s` division steps in each kernel, blocks of 3s threads that update 2s coefficients.
///
/// W = (n - m + 1) m (9s + 1) / (4s), S = 3 (n - m + 1), O = 9 (n - m + 1) m U / (2 s^2), N = (n - m + 1) m /
/// (2 s^2), L = (n - m + 1) / s, C = 3s + 9U, K = m / (2s). A block takes 7s words of local memory: heads of
/// s and s, 2s and 3s coefficients.
///
/// A block's work is s (s + 1) / 2 for the heads and 4 s^2 for its coefficients, where a product and a
/// difference count as one (Algorithm 1 counts two). That is the paper's count, from which (5) follows. In
/// Algorithm 4 as printed, line 13 reads `a[i - s - 2s blockID - t]` for t >= s; its line 16 needs
/// `a[i - 2s blockID - t]`. Its loop condition `i + k >= d` has to be `i - k >= d`.
#[must_use]
pub fn optimised(n: f64, m: f64, s: f64) -> Measures {
    let steps = n - m + 1.0;
    let blocks = steps * m / (2.0 * s * s);
    Measures {
        work: steps * m * (9.0 * s + 1.0) / (4.0 * s),
        span: 3.0 * steps,
        transfers: 9.0 * blocks,
        blocks,
        path: steps / s,
        widest: m / (2.0 * s),
        block_operations: 3.0 * s,
        block_transfers: 9.0,
    }
}
