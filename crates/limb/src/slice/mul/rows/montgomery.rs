//! Montgomery's product and reduction of machine words by rows in assembly, for short moduli. Where there is no
//! assembly, or no kernel for the modulus, they do nothing; `limbforge_algos` has the same in Rust.

use super::straight::MOST;

/// An odd modulus of at most [`MOST`] limbs, with the constants of products in assembly.
///
/// ```
/// use limbforge_limb::slice::mul::rows::{are_fast, montgomery::Short};
/// let negated = 0x2e8b_a2e8_ba2e_8ba3_u64.wrapping_neg(); // -1/11
/// assert_eq!(negated.wrapping_mul(11), u64::MAX);
/// let modulus = Short::new(&[11], negated);
/// assert_eq!(modulus.is_some(), are_fast());
/// if let Some(modulus) = modulus {
///     let mut x = [7];
///     modulus.mul(&mut x, &[5]);
///     assert_eq!((u128::from(x[0]) << 64) % 11, 35 % 11);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Short {
    limbs: usize,
    constants: Constants,
}

/// As the assembly reads them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Constants {
    modulus: [u64; MOST],
    /// `1/B mod m`.
    inverse: [u64; MOST],
    /// `-1/m mod B`.
    negated: u64,
}

impl Short {
    /// The constants of an odd modulus without zeros at the top; `negated` is `-1/m mod B`. `None` unless
    /// [rows are fast](super::are_fast) and the modulus has 1 to [`MOST`] limbs.
    #[must_use]
    pub fn new(modulus: &[u64], negated: u64) -> Option<Self> {
        let limbs = modulus.len();
        if !super::straight::has(limbs) {
            return None;
        }
        let mut constants = Constants { modulus: [0; MOST], inverse: [0; MOST], negated };
        constants.modulus[..limbs].copy_from_slice(modulus);
        // 1/B is (1 + m (-1/m mod B)) / B, below m.
        let mut carry = 1;
        for (i, &limb) in modulus.iter().enumerate() {
            let (low, high) = limb.carrying_mul(negated, carry);
            if let Some(below) = i.checked_sub(1) {
                constants.inverse[below] = low;
            }
            carry = high;
        }
        constants.inverse[limbs - 1] = carry;
        Some(Self { limbs, constants })
    }

    /// `out = a b / B^n mod m`, for a below m of n limbs and b of n limbs.
    ///
    /// # Panics
    /// Unless all have n limbs.
    #[inline]
    pub fn product(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        let n = self.limbs;
        assert!(out.len() == n && a.len() == n && b.len() == n, "residues of the modulus's length");
        #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
        // SAFETY: `new` saw that the processor has the instructions, and the lengths are checked.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            super::adx::straight::montgomery::product(
                n,
                out.as_mut_ptr(),
                a.as_ptr(),
                b.as_ptr(),
                &self.constants,
            );
        }
    }

    /// `x = x b / B^n mod m`, as [`product`](Self::product).
    ///
    /// # Panics
    /// Unless both have n limbs.
    #[inline]
    pub fn mul(&self, x: &mut [u64], b: &[u64]) {
        assert!(x.len() == self.limbs && b.len() == self.limbs, "residues of the modulus's length");
        #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
        // SAFETY: as of `product`; the kernel reads its factors before it writes the result.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            let x = x.as_mut_ptr();
            super::adx::straight::montgomery::product(self.limbs, x, x, b.as_ptr(), &self.constants);
        }
    }

    /// `x = x^2 / B^n mod m`, so many times, for a residue.
    ///
    /// # Panics
    /// Unless x has n limbs.
    #[inline]
    pub fn squares(&self, x: &mut [u64], times: u32) {
        assert_eq!(x.len(), self.limbs, "a residue of the modulus's length");
        #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
        // SAFETY: as of `product`.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            super::adx::straight::montgomery::squares(self.limbs, x.as_mut_ptr(), times, &self.constants);
        }
        #[cfg(not(all(target_arch = "x86_64", not(feature = "portable"), not(miri))))]
        let _ = times;
    }
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
