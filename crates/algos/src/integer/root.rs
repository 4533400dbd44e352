//! The k-th root rounded down, by Newton's iteration with growing precision.
//!
//! The root of the upper bits, plus one and shifted, is above the root. From above, `x - (x - floor(a /
//! x^(k-1))) / k` rounded down falls until it is the root (Brent and Zimmermann, Modern Computer Arithmetic,
//! 1.5.2); as half of the bits are known, one step is enough and one more proves it. The first 44 bits come
//! from a logarithm in floating point and exact powers around it.

use limbforge_limb::Base;
use limbforge_limb::slice::{add, bits, div, shift, sub};

use super::packed::{compare, packed, shift_right, trim, unpack};
use super::{Scratch, div::divide, isqrt, products::Products};
use crate::invariant::broken_invariant;

/// The degree of the root is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no root of degree 0: expected at least 1")]
pub struct ZeroDegree;

/// `root = floor(a^(1/k))`; returns whether it is exact, `root^k = a`.
///
/// ```
/// use limbforge_algos::integer::{Scratch, root::root};
/// let mut out = [0; 2];
/// let exact = root(&mut out, &[5_u64, 1], 3, &mut Scratch::default());
/// assert_eq!((out, exact), ([2_642_245, 0], Ok(false))); // of 2^64 + 5
/// ```
///
/// # Errors
/// [`ZeroDegree`] if k is 0; `root` is then untouched.
///
/// # Panics
/// Unless both have one length.
pub fn root<B: Base>(root: &mut [B], a: &[B], k: u32, scratch: &mut Scratch) -> Result<bool, ZeroDegree> {
    assert_eq!(root.len(), a.len(), "operands of one length");
    if k == 0 {
        return Err(ZeroDegree);
    }
    let number = packed(a);
    let found = of_words(&number, k, scratch);
    let exact = power(&found, k, number.len() + 1, scratch) == number;
    unpack(root, found);
    Ok(exact)
}

/// The root of trimmed words, trimmed.
pub(crate) fn of_words(a: &[u64], k: u32, scratch: &mut Scratch) -> Vec<u64> {
    let len = bits::bit_len(a);
    match k {
        _ if len == 0 => vec![],
        // 2^k is above a.
        _ if k >= len => vec![1],
        1 => a.to_vec(),
        2 => {
            let mut root = vec![0; a.len()];
            isqrt::isqrt(&mut root, a, scratch);
            trim(&mut root);
            root
        }
        _ => newton(a, k, scratch),
    }
}

/// For k below the bits of a.
fn newton(a: &[u64], k: u32, scratch: &mut Scratch) -> Vec<u64> {
    // The fewest bits of the root, and the bits that a step finds from the others: its error is
    // (k - 1) / 2 e^2 / x.
    let len = (bits::bit_len(a) - 1) / k;
    let cut = len.saturating_sub(u32::BITS - k.leading_zeros()) / 2;
    if cut == 0 || len <= ESTIMATED {
        return short(a, k, scratch);
    }
    let mut upper = a.to_vec();
    shift_right(&mut upper, k * cut);
    let mut upper_root = of_words(&upper, k, scratch);
    upper_root.push(0);
    add::increment(&mut upper_root, true);
    let mut x = shifted(&upper_root, cut);
    loop {
        // floor(a / x^(k-1)) < x as long as x is above the root; x^(k-1) is below 8 a.
        let power = power(&x, k - 1, a.len() + 1, scratch);
        let (mut quotient, _) = divide(a, &power, scratch);
        trim(&mut quotient);
        if compare(&quotient, &x).is_ge() {
            return x;
        }
        let mut excess = x.clone();
        sub::sub_assign(&mut excess, &quotient, false);
        // The step down is rounded up, so that the iterate is rounded down.
        let rest = div::div_rem_limb(&mut excess, u64::from(k));
        add::increment(&mut excess, rest != Ok(0));
        sub::sub_assign(&mut x, &excess, false);
        trim(&mut x);
    }
}

/// Roots of up to so many bits come from floating point, whose logarithm is exact to about 2^-47 of the root.
const ESTIMATED: u32 = 44;

/// A root of few bits, or little longer than k, which has at most 25: an estimate, then corrected.
fn short(a: &[u64], k: u32, scratch: &mut Scratch) -> Vec<u64> {
    let mut upper = a.to_vec();
    let cut = bits::bit_len(a).saturating_sub(64);
    shift_right(&mut upper, cut);
    let upper = upper.first().copied().unwrap_or_else(|| broken_invariant("the number is not zero"));
    let log = (upper as f64).log2() + f64::from(cut);
    let mut root = (log / f64::from(k)).exp2() as u64;
    // The k-th power of a number near the root has less than twice the bits of a.
    let mut exceeds = |x: u64| compare(a, &power(&[x], k, 2 * a.len() + 2, scratch)).is_lt();
    while root > 1 && exceeds(root) {
        root -= 1;
    }
    while !exceeds(root + 1) {
        root += 1;
    }
    vec![root]
}

/// `x^k`, or its lowest `most` words. Trimmed.
pub(crate) fn power(x: &[u64], k: u32, most: usize, scratch: &mut Scratch) -> Vec<u64> {
    let mut product = |a: &[u64], b: &[u64]| {
        let mut out = vec![0; (a.len() + b.len()).min(most)];
        scratch.low(&mut out, a, b);
        trim(&mut out);
        out
    };
    let mut power = vec![1];
    for i in (0..u32::BITS - k.leading_zeros()).rev() {
        power = product(&power, &power);
        if k >> i & 1 == 1 {
            power = product(&power, x);
        }
    }
    power
}

fn shifted(x: &[u64], n: u32) -> Vec<u64> {
    let mut wide = x.to_vec();
    wide.resize(x.len() + n as usize / 64 + 1, 0);
    let mut out = vec![0; wide.len()];
    shift::shl(&mut out, &wide, n);
    trim(&mut out);
    out
}
