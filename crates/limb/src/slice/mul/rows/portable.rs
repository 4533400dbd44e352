//! The passes in Rust: the twin of the assembly, and its replacement on other processors.

use super::{MOST, Pass};
use crate::slice::add;

/// See [`super::pass`], which checks the lengths.
pub(super) fn pass(pass: Pass, out: &mut [u64], top: &mut [u64], a: &[u64], b: &[u64]) {
    let (width, rows) = (a.len(), b.len());
    let mut sum = [0_u64; MOST];
    for (j, (out, &b)) in out.iter_mut().zip(b).enumerate() {
        let columns = if pass.shape.starts_below() { j.min(width) } else { width };
        // A low product keeps the columns below limb `rows` and drops the carry out of them.
        let kept = if pass.shape.ends_low() { columns.min(rows - j) } else { columns };
        if kept == 0 {
            continue;
        }
        let mut carry = 0;
        for (sum, &a) in sum.iter_mut().zip(&a[..kept]) {
            (*sum, carry) = a.carrying_mul_add(b, *sum, carry);
        }
        let (lowest, over) = if pass.add { sum[0].overflowing_add(*out) } else { (sum[0], false) };
        *out = lowest;
        sum.copy_within(1..kept, 0);
        sum[kept - 1] = carry;
        add::increment(&mut sum[..kept], over);
    }
    top.copy_from_slice(&sum[..top.len()]);
}

/// `out = 2 out + sum of a[i]^2 B^2i`; returns the limb above the top.
pub(super) fn double_and_add_squares(out: &mut [u64], a: &[u64]) -> u64 {
    let (mut bit, mut carry) = (0, false);
    for (out, &a) in out.as_chunks_mut::<2>().0.iter_mut().zip(a) {
        let (low, high) = a.carrying_mul(a, 0);
        for (out, square) in out.iter_mut().zip([low, high]) {
            let doubled = *out << 1 | bit;
            bit = *out >> 63;
            (*out, carry) = doubled.carrying_add(square, carry);
        }
    }
    bit + u64::from(carry)
}
