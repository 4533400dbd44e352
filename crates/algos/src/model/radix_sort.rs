//! Radix sort of n integers of c bits by `s` bits a pass (section 4; Satish, Harris and Garland 2009).

use super::Measures;

/// Blocks of `l` threads with 4 keys each; each of c/s passes sorts tiles, adds up their histograms and moves
/// the keys. A block takes 8l + 2^s words of local memory: 4l keys, as many sorted ones, and 2^s counts.
///
/// W = c ((22sl + s + 12) / (4sl) + 2^s (1 + 20l) / (16 s l^2) + 1/s) n + c (1 + 12l) / s,
/// S = c (8 log2 l + (16/s) log2 l + 41 + 54/s), O = cU (9n / (2sl) + 17 2^s n / (16 s l^2) - 1/s),
/// N = (c/s)(1 / (2l) + 2^s / (8 l^2)) n, L = 5c/s, C = s (41 + 8 log2 l) + 12 + 9U, K = n / (4l).
///
/// The paper has 1 in place of 1/s in W, the move of each key in each of c/s passes; its (8) follows from 1/s
/// only. The paper does not state K, but its R follows from this value.
#[must_use]
pub fn by_digits(n: f64, c: f64, s: f64, l: f64) -> Measures {
    let (passes, digits, log_l) = (c / s, s.exp2(), l.log2());
    let tiles = n / (4.0 * l);
    let tile_work = 22.0 * s * l + s + 12.0;
    let sums_work = digits * (1.0 + 20.0 * l) / (16.0 * l * l) * n + 1.0 + 12.0 * l;
    let block_operations = s * (41.0 + 8.0 * log_l) + 12.0;
    Measures {
        work: passes * (tiles * tile_work + sums_work + n),
        span: c * (8.0 * log_l + 16.0 / s * log_l + 41.0 + 54.0 / s),
        transfers: passes * (9.0 * n / (2.0 * l) + 17.0 * digits * n / (16.0 * l * l) - 1.0),
        blocks: passes * (0.5 / l + digits / (8.0 * l * l)) * n,
        path: 5.0 * passes,
        widest: tiles,
        block_operations,
        block_transfers: 9.0,
    }
}
