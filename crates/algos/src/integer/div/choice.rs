//! The choice of the rung and of its blocks: by times in nanoseconds on one core, measured with AVX-512. Only
//! their relations matter.

use super::lower::Blocks;
use crate::transform::mul_ntt;

/// A product of two words in the schoolbook division.
const SCHOOLBOOK: f64 = 0.87;
/// A word of the factors of a product by transforms.
const PRODUCT: f64 = 20.0;
/// A word of an inverse.
const INVERSE: f64 = 105.0;

/// Precision of the inverse that Newton's steps start from, in words. Measured: 8 to 32 make no difference.
const SEED: usize = 16;

/// More blocks than that beyond the fewest are never faster.
const MOST_BLOCKS: usize = 4;

/// Fewer words of quotient or divisor are the schoolbook's in any case, and cost no choice.
const LEAST: usize = 64;

/// Whether there may be a choice where dividend and divisor have so many words or more.
pub(super) const fn is_long(words: usize) -> bool {
    words >= LEAST
}

/// The blocks of [`lower`](super::lower) for a dividend of m words and a divisor of n; `None` for the
/// schoolbook.
pub(super) fn choose(m: usize, n: usize) -> Option<Blocks> {
    let limbs = (m + 1).saturating_sub(n);
    if limbs.min(n) < LEAST || !mul_ntt::is_fast() {
        return None;
    }
    let time = |count: usize| {
        let block = limbs.div_ceil(count) as f64;
        // The quotient of a block from its upper words, and its product with the divisor.
        INVERSE * block + count as f64 * PRODUCT * (3.0 * block + n as f64)
    };
    // An inverse is never longer than the divisor.
    let fewest = limbs.div_ceil(n);
    let count = (fewest..=fewest + MOST_BLOCKS).min_by(|&a, &b| time(a).total_cmp(&time(b)))?;
    let quadratic = SCHOOLBOOK * limbs as f64 * n as f64;
    (time(count) < quadratic).then(|| Blocks { limbs: limbs.div_ceil(count), seed: SEED })
}
