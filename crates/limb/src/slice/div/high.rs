//! The upper columns of a product, without the products of limbs below them, by recursion (Mulders, "On short
//! multiplications and divisions", 2000), as the [low product](crate::slice::mul::short).

use crate::base::Base;
use crate::slice::add;
use crate::slice::mul::{rows::multiple, unbalanced};

/// Shorter factors are multiplied row by row. Measured.
const THRESHOLD: usize = 112;

/// Limbs of the shorter factor that are multiplied whole.
const fn split(len: usize) -> usize {
    len * 7 / 10
}

/// Limbs of room for factors of up to `len` limbs.
pub(super) const fn room(len: usize) -> usize {
    2 * len + unbalanced::scratch_len(split(len))
}

/// The sum of the products `a[j] b[i]` with `i + j >= n - 1`, and perhaps others, in units of `B^(n - 1)`, for n
/// limbs of a, as many or more of b, and one more than these of `out`.
pub(super) fn columns<B: Base>(out: &mut [B], a: &[B], b: &[B], room: &mut [B]) {
    let (n, m) = (a.len(), b.len());
    if n < THRESHOLD {
        return by_rows(out, a, b);
    }
    let low = n - split(n);
    let (whole, rest) = room.split_at_mut(n + m - 2 * low);
    unbalanced::wide(whole, &a[low..], &b[low..], rest);
    out.copy_from_slice(&whole[n - 1 - 2 * low..]);
    for (a, b) in [(&a[..low], &b[n - low..]), (&b[..low], &a[n - low..])] {
        let (part, room) = room.split_at_mut(b.len() + 1);
        columns(part, a, b, room);
        // Of products that are less than all together.
        add::add_assign(out, part, false);
    }
}

fn by_rows<B: Base>(out: &mut [B], a: &[B], b: &[B]) {
    let lowest = b.len() - a.len() + 1;
    out[..lowest].fill(B::ZERO);
    for (j, &digit) in a.iter().enumerate() {
        let len = lowest + j;
        out[len] = multiple::add(&mut out[..len], &b[b.len() - len..], digit);
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::convert::to_biguint;

    /// All ones, so that every column is as large as can be, and pseudorandom limbs.
    fn limbs(len: usize, seed: u64) -> Vec<u64> {
        let random = |i: u64| (seed + 3 * i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        (0..len as u64).map(|i| if seed == 0 { u64::MAX } else { random(i) }).collect()
    }

    #[test]
    fn upper_columns_are_the_sums_of_their_products() {
        let lengths = [1, 2, 7, 111, 112, 113, 160, 300];
        for (n, extra, seed) in lengths.iter().flat_map(|&n| (0..6).map(move |i| (n, i % 3, i as u64 / 3))) {
            let (a, b) = (limbs(n, seed), limbs(n + extra, 7 * seed));
            let (mut out, mut memory) = (vec![5; n + extra + 1], vec![5; room(n + extra)]);
            columns(&mut out, &a, &b, &mut memory);
            let row = |(j, &digit): (usize, &u64)| to_biguint(&b[n - 1 - j..]) * digit;
            let sum: BigUint = a.iter().enumerate().map(row).sum();
            assert!(to_biguint(&out) >= sum, "{n} + {extra}");
            // Products below the columns may be there.
            assert!(to_biguint(&out) < sum + (BigUint::from(n) << 64_u32), "{n} + {extra}");
        }
    }
}
