//! Montgomery's product and reduction of machine words by rows in assembly, for short moduli. Where there is no
//! assembly, or no kernel for the modulus, they do nothing; `limbforge_algos` has the same in Rust.

/// `out = a b / B^n mod m` for an odd modulus m of n limbs and a below m; `negated` is `-1/m mod B`. Returns
/// false, and does nothing, unless [rows are fast](super::are_fast), n is from 1 to 8, and the top limb of m is
/// not B - 1.
///
/// ```
/// use limbforge_limb::slice::mul::rows::{are_fast, montgomery::product};
/// let (mut out, negated) = ([0], 0x2e8b_a2e8_ba2e_8ba3_u64.wrapping_neg()); // -1/11
/// assert_eq!(negated.wrapping_mul(11), u64::MAX);
/// if product(&mut out, &[7], &[5], &[11], negated) {
///     assert_eq!((u128::from(out[0]) << 64) % 11, 35 % 11);
/// }
/// ```
///
/// # Panics
/// Unless all have n limbs.
#[inline]
pub fn product(out: &mut [u64], a: &[u64], b: &[u64], modulus: &[u64], negated: u64) -> bool {
    let n = modulus.len();
    assert!(out.len() == n && a.len() == n && b.len() == n, "residues of the modulus's length");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if has_product(modulus) {
        // SAFETY: the processor has the instructions, and the lengths are checked.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            super::adx::product::product(out, a, b, modulus, negated);
        }
        return true;
    }
    let _ = negated;
    false
}

/// As [`product`], so many squares of x after each other.
///
/// # Panics
/// Unless x has the length of the modulus.
#[inline]
pub fn squares(x: &mut [u64], times: u32, modulus: &[u64], negated: u64) -> bool {
    assert_eq!(x.len(), modulus.len(), "a residue of the modulus's length");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if has_product(modulus) {
        // SAFETY: the processor has the instructions, and the lengths are checked.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            super::adx::product::squares(x, times, modulus, negated);
        }
        return true;
    }
    let _ = (times, negated);
    false
}

#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
#[inline]
fn has_product(modulus: &[u64]) -> bool {
    let n = modulus.len();
    (1..=super::adx::product::MOST).contains(&n) && modulus[n - 1] != u64::MAX && super::are_fast()
}

/// Whether [`reduce`] has a kernel for moduli of n limbs.
#[must_use]
#[inline]
pub fn has_reduction(n: usize) -> bool {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    return (super::adx::reduction::LEAST..=super::adx::reduction::MOST).contains(&n) && super::are_fast();
    #[allow(unreachable_code, reason = "other processors and the feature `portable`")]
    {
        let _ = n;
        false
    }
}

/// Adds that multiple of an odd modulus of n limbs to x, of 2n, which makes its lower half 0. In place of that
/// half are then the limbs that are still to be added to the upper half; the sum of both is `x / B^n` modulo m,
/// below 2m for x below `m B^n`. `negated` is `-1/m mod B`. Returns false, and does nothing, unless there [is a
/// kernel](has_reduction).
///
/// # Panics
/// Unless the lengths are those.
#[inline]
pub fn reduce(x: &mut [u64], modulus: &[u64], negated: u64) -> bool {
    assert_eq!(x.len(), 2 * modulus.len(), "twice the limbs of the modulus");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if has_reduction(modulus.len()) {
        // SAFETY: the processor has the instructions, and the lengths are checked.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            super::adx::reduction::reduce(x, modulus, negated);
        }
        return true;
    }
    let _ = negated;
    false
}
