//! The Euclidean algorithm for polynomials of n and m terms, n >= m >= 1 (section 6).

use super::Measures;

/// Algorithm 8: a division step in each kernel, blocks of `l` threads.
///
/// W = m (2nl + n + l + 1) / l, S = 3 (m + n - 2), O = 5 m U (n + l + 1) / l, N = m (n + l + 1) / l, L = m +
/// n - 2, C = 3 + 5U, K = m / l. A block takes 2l words of local memory.
///
/// The paper has n + l - 1 in W. A block costs two operations for each of its coefficients, mn in all, and
/// one more, so that W = 2mn + N as in the division; with the paper's N that is n + l + 1. The steps are
/// dense: each takes one off a degree, the divisor has m terms in the first n - m + 1 steps and loses one
/// every other step from then on, and rounding up costs half a block in each of those 2m steps.
#[must_use]
pub fn naive(n: f64, m: f64, l: f64) -> Measures {
    let (steps, blocks) = (m + n - 2.0, m * (n + l + 1.0) / l);
    Measures {
        work: 2.0 * m * n + blocks,
        span: 3.0 * steps,
        transfers: 5.0 * blocks,
        blocks,
        path: steps,
        widest: m / l,
        block_operations: 3.0,
        block_transfers: 5.0,
    }
}

/// Algorithm 10: `s` division steps in each kernel, blocks of 3s threads that update s coefficients of both.
///
/// W = (9/4 + 6/s) m^2 + (9n/2 + n/(2s) + 87s/8 + 23/2) m - 345 s^2 / 16 - 77 s / 4, S = 3n + 3m,
/// O = 8 m U (n + s) / s^2, N = mn / s^2 + m / s, L = n/s + m/s, C = 3s + 8U, K = m / s. A block takes 6s
/// words of local memory: heads of s and s, 2s and 2s coefficients.
#[must_use]
pub fn optimised(n: f64, m: f64, s: f64) -> Measures {
    let blocks = m * n / (s * s) + m / s;
    let linear = 4.5 * n + n / (2.0 * s) + 87.0 / 8.0 * s + 11.5;
    Measures {
        work: (2.25 + 6.0 / s) * m * m + linear * m - 345.0 / 16.0 * s * s - 77.0 / 4.0 * s,
        span: 3.0 * n + 3.0 * m,
        transfers: 8.0 * blocks,
        blocks,
        path: n / s + m / s,
        widest: m / s,
        block_operations: 3.0 * s,
        block_transfers: 8.0,
    }
}
