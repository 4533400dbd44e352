//! The sum of the three products of Karatsuba's.

use crate::slice::add;

/// With `out = [w | x | y | z]` of l limbs each, adds `w + x B^l + y + z B^l + cross` to `x + y B^l + z
/// B^2l`, or less cross if `complement`, all ones instead of 0. Returns false and does nothing unless that
/// runs in assembly on this processor.
#[inline]
pub(in super::super) fn add(out: &mut [u64], cross: &mut [u64], complement: u64) -> bool {
    let len = cross.len() / 2;
    assert!(cross.len() == 2 * len && out.len() == 4 * len, "limbs of three products");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if super::are_fast() {
        // `B^2l - cross` is added for `-cross`.
        cross.iter_mut().for_each(|limb| *limb ^= complement);
        // SAFETY: the processor has the instructions, and the lengths are checked.
        #[allow(unsafe_code, reason = "assembly")]
        let carries = unsafe { super::adx::middle::add(out, cross, len, complement & 1) };
        let (y, z) = out[2 * len..].split_at_mut(len);
        let carry = add_small(y, carries.into_y);
        add_small(z, (carries.into_z + carry).wrapping_sub(complement & 1));
        return true;
    }
    #[cfg(not(all(target_arch = "x86_64", not(feature = "portable"), not(miri))))]
    let _ = complement;
    false
}

/// `acc += small`; returns the carry out.
#[inline(always)]
pub(in super::super) fn add_small(acc: &mut [u64], small: u64) -> u64 {
    let Some((first, rest)) = acc.split_first_mut() else { return small };
    let carry;
    (*first, carry) = first.overflowing_add(small);
    u64::from(add::increment(rest, carry))
}
