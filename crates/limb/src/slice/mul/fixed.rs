//! Products of up to four limbs, each number of limbs compiled on its own, row by row. Longer ones take less
//! time by [`rows`](super::rows), shorter ones wait for the calls. Those of machine words run in
//! [assembly](super::rows::straight) where there is any.

use super::{Factors, rows::straight, schoolbook};
use crate::base::Base;
use crate::invariant::broken_invariant;

/// Limbs of the longest factors.
pub const MOST: usize = 4;

/// `out = a b`, of `2M` limbs, for factors of M limbs, at most a few.
///
/// ```
/// let mut product = [0; 4];
/// limbforge_limb::slice::mul::fixed::wide(&mut product, &[u64::MAX; 2], &[u64::MAX; 2]);
/// assert_eq!(product, [1, 0, u64::MAX - 1, u64::MAX]);
/// ```
#[inline]
pub fn wide<B: Base>(out: &mut [B], a: &[B], b: &[B]) {
    assert!(a.len() == b.len() && out.len() == 2 * a.len(), "a product of twice the limbs");
    if straight::wide(out, Factors::Pair(a, b)) {
        return;
    }
    match a.len() {
        1 => of_length::<B, 1>(out, a, b),
        2 => of_length::<B, 2>(out, a, b),
        3 => of_length::<B, 3>(out, a, b),
        4 => of_length::<B, 4>(out, a, b),
        _ => schoolbook::wide(out, Factors::Pair(a, b)),
    }
}

#[inline(always)]
fn of_length<B: Base, const N: usize>(out: &mut [B], a: &[B], b: &[B]) {
    let (Some(a), Some(b)) = (a.first_chunk::<N>(), b.first_chunk::<N>()) else {
        broken_invariant("a factor has its limbs")
    };
    // What is above the finished limbs stays in registers.
    let mut sum = [B::ZERO; N];
    let (low, high) = out.split_at_mut(N);
    for (out, &b) in low.iter_mut().zip(b) {
        let mut carry = B::ZERO;
        let mut limbs = [B::ZERO; N];
        for j in 0..N {
            (limbs[j], carry) = a[j].carrying_mul_add(b, sum[j], carry);
        }
        *out = limbs[0];
        sum[..N - 1].copy_from_slice(&limbs[1..]);
        sum[N - 1] = carry;
    }
    for (out, limb) in high.iter_mut().zip(sum) {
        *out = limb;
    }
}

/// `out = a b mod B^M`, for factors of M limbs, at most a few.
///
/// ```
/// let mut product = [0; 2];
/// limbforge_limb::slice::mul::fixed::low(&mut product, &[u64::MAX; 2], &[u64::MAX; 2]);
/// assert_eq!(product, [1, 0]);
/// ```
#[inline]
pub fn low<B: Base>(out: &mut [B], a: &[B], b: &[B]) {
    assert!(a.len() == b.len() && out.len() == a.len(), "a product of as many limbs");
    if straight::low(out, Factors::Pair(a, b)) {
        return;
    }
    match a.len() {
        1 => low_of_length::<B, 1>(out, a, b),
        2 => low_of_length::<B, 2>(out, a, b),
        3 => low_of_length::<B, 3>(out, a, b),
        4 => low_of_length::<B, 4>(out, a, b),
        _ => schoolbook::low(out, Factors::Pair(a, b)),
    }
}

#[inline(always)]
fn low_of_length<B: Base, const N: usize>(out: &mut [B], a: &[B], b: &[B]) {
    let (Some(a), Some(b)) = (a.first_chunk::<N>(), b.first_chunk::<N>()) else {
        broken_invariant("a factor has its limbs")
    };
    let mut sum = [B::ZERO; N];
    for i in 0..N {
        let mut carry = B::ZERO;
        for j in 0..N - i {
            (sum[i + j], carry) = a[j].carrying_mul_add(b[i], sum[i + j], carry);
        }
    }
    out.copy_from_slice(&sum);
}

#[cfg(test)]
mod tests {
    use super::{low, wide};
    use crate::slice::mul::{Factors, schoolbook};

    /// All pairs of factors of extreme limbs.
    #[test]
    fn products_equal_those_by_columns() {
        let limbs = [0, 1, 1 << 63, u64::MAX - 1, u64::MAX];
        for len in 1..=5_usize {
            let number = |index: usize| -> Vec<u64> {
                (0..len).map(|i| limbs[index / 5_usize.pow(i as u32) % 5]).collect()
            };
            let count = 5_usize.pow(len as u32);
            // Every pair up to three limbs, every 37th above.
            for pair in (0..count * count).step_by(if len > 3 { 37 } else { 1 }) {
                let (a, b) = (number(pair % count), number(pair / count));
                let [mut expected, mut found] = [vec![3; 2 * len], vec![5; 2 * len]];
                schoolbook::columns(&mut expected, Factors::Pair(&a, &b));
                wide(&mut found, &a, &b);
                assert_eq!(found, expected, "{a:x?} {b:x?}");
                found[..len].fill(7);
                low(&mut found[..len], &a, &b);
                assert_eq!(found, expected, "{a:x?} {b:x?}, the low half");
            }
        }
    }
}
