//! Squares: a triangle of products of different limbs, which is doubled, and the squares of the limbs.

use super::{Pass, Shape, next_width, pass};

pub(super) fn square(out: &mut [u64], a: &[u64]) {
    let len = a.len();
    let Some(lowest) = out.first_mut() else { return };
    *lowest = 0;
    let mut done = whole_passes(out, a);
    while done < len {
        let width = next_width(len - done);
        let (sum, top) = out[2 * done..].split_at_mut(len - done);
        let next = Pass { shape: Shape::Square, add: done > 0 };
        pass(next, sum, &mut top[..width], &a[done..done + width], &a[done..]);
        done += width;
    }
    double_and_add_squares(out, a);
}

/// Computes the products of different limbs in one function where all passes have eight limbs and that is in assembly: see
/// `adx::cross`. Returns the limbs of the passes, all or none.
fn whole_passes(out: &mut [u64], a: &[u64]) -> usize {
    assert_eq!(out.len(), 2 * a.len(), "limbs of a square");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if !a.is_empty() && a.len().is_multiple_of(super::MOST) && super::are_fast() {
        // SAFETY: the processor has the instructions, and the lengths are checked.
        #[allow(unsafe_code, reason = "assembly")]
        unsafe {
            super::adx::cross::products(super::order(), out, a);
        }
        return a.len();
    }
    0
}

pub(super) fn low_square(out: &mut [u64], a: &[u64]) {
    let len = out.len();
    if len < 2 {
        out.iter_mut().zip(a).for_each(|(out, a)| *out = a.wrapping_mul(*a));
        return;
    }
    out[0] = 0;
    let mut done = 0;
    while 2 * done + 1 < len {
        let rest = len - 2 * done;
        let width = next_width(rest / 2);
        let next = Pass { shape: Shape::SquareLow, add: done > 0 };
        pass(next, &mut out[2 * done..], &mut [], &a[done..done + width], &a[done..done + rest]);
        done += width;
    }
    let (pairs, middle) = out.split_at_mut(len / 2 * 2);
    let carry = double_and_add_squares(pairs, &a[..len / 2]);
    if let Some(middle) = middle.first_mut() {
        let root = a[len / 2];
        *middle = (*middle << 1).wrapping_add(root.wrapping_mul(root)).wrapping_add(carry);
    }
}

/// `out = 2 out + sum of a[i]^2 B^2i`; returns the limb above the top.
pub(super) fn double_and_add_squares(out: &mut [u64], a: &[u64]) -> u64 {
    assert!(out.len() == 2 * a.len() && !a.is_empty(), "two limbs for each square");
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    if super::are_fast() {
        // SAFETY: the processor has the instructions, and the lengths are checked.
        #[allow(unsafe_code, reason = "assembly")]
        return unsafe { super::adx::doubling::double_and_add_squares(out, a) };
    }
    super::portable::double_and_add_squares(out, a)
}
