//! The plain product of polynomials of n and m terms (section 5).

use super::Measures;
use super::refined::Launch;

/// Algorithm 5: m/s rows of n + s - 1 partial sums, each of `s` products, then added in pairs; blocks of `l`
/// threads, each of which computes s sums. For m >= s, where the addition phase has log2(m/s) kernels.
///
/// W = (2m - 1)(n + s - 1), S = 2 s^2 + s log2(m/s) - s, O = (n + s - 1)(5ms + 2m - 3 s^2) U / (s^2 l), N =
/// (n + s - 1)(2m - s) / (s^2 l), L = log2(m/s) + 1, C = s (2s - 1) + 2U (s + 1), K = m (n + s - 1) / (s^2
/// l). A block takes 2sl + 2s - 1 words of local memory: sl + s - 1 coefficients of one factor, s of the
/// other and sl results.
///
/// The paper has 2m - 1/2 in W. The product phase takes m (2 - 1/s)(n + s - 1) operations; adding m/s rows to
/// one takes (m/s - 1)(n + s - 1), in log2(m/s) kernels. The paper's W has another kernel of half a row,
/// which its S, O, N and L lack. Algorithm 5 as printed repeats the addition up to log2 s; it is log2(m/s).
/// In Algorithm 7 rows of M begin at multiples of y, not of x.
///
/// C is that of the product phase. A thread of the addition phase moves 3s words and adds s times, which
/// takes longer where 2s (s - 1) < U (s - 2), by less than half of C; the paper neglects it.
///
/// The paper simplifies (12), the gain of s = 1 over another s, to `2 log2 n / (s log2(n/s))`. That is above
/// 1 for s = 2 and would refute the paper's conclusion. The correct factor s + 1 in place of s makes it less
/// than 1 for every s > 1.
#[must_use]
pub fn plain(n: f64, m: f64, s: f64, l: f64) -> Measures {
    let (row, halvings) = (n + s - 1.0, (m / s).log2());
    let unit = row / (s * s * l);
    Measures {
        work: (2.0 * m - 1.0) * row,
        span: 2.0 * s * s + s * halvings - s,
        transfers: unit * (5.0 * m * s + 2.0 * m - 3.0 * s * s),
        blocks: unit * (2.0 * m - s),
        path: halvings + 1.0,
        widest: unit * m,
        block_operations: s * (2.0 * s - 1.0),
        block_transfers: 2.0 * (s + 1.0),
    }
}

/// The launches of a product: whole blocks, where the last one of a row may have little to do, and rows
/// without a partner.
pub(super) fn launches(n: u64, m: u64, s: u64, l: u64) -> impl Iterator<Item = Launch> {
    let products = m.div_ceil(s);
    let blocks = move |rows: u64, row: u64| rows * row.div_ceil(s * l);
    let first =
        Launch { blocks: blocks(products, n + s - 1), operations: s * (2 * s - 1), words: 2 * (s + 1) };
    let halvings = products.next_power_of_two().ilog2();
    let additions = (1..=halvings).map(move |step| {
        let rows = products.div_ceil(1 << step);
        Launch { blocks: blocks(rows, n - 1 + (s << step)), operations: s, words: 3 * s }
    });
    [first].into_iter().chain(additions)
}
