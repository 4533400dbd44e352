//! Differences with a multiple of another number.

/// `acc -= digit * b mod B^n`, for slices of one length n; returns the limb borrowed.
///
/// ```
/// use limbforge_limb::slice::mul::rows::difference::sub_product;
/// let mut acc = [1, 7];
/// assert_eq!((sub_product(&mut acc, &[1, 3], 2), acc), (0, [u64::MAX, 0]));
/// ```
///
/// # Panics
/// If the lengths differ.
#[inline]
pub fn sub_product(acc: &mut [u64], b: &[u64], digit: u64) -> u64 {
    assert_eq!(acc.len(), b.len(), "numbers of one length");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if super::are_fast() {
        // SAFETY: the processor has the instructions, and the lengths are checked.
        #[allow(unsafe_code, reason = "assembly")]
        return unsafe { super::adx::difference::sub_product(acc, b, digit) };
    }
    super::portable::sub_product(acc, b, digit)
}
