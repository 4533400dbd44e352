//! A product and its reduction at once, of short moduli.

use limbforge_limb::Base;

use super::subtract_once;
use crate::invariant::broken_invariant;

/// Limbs of the longest modulus for [`fused_mul`]; above, a product by columns is faster.
pub const FUSED_MOST: usize = 16;

/// `out = a b / B^n mod m`, for residues of an odd m of n limbs; `negated` is
/// [`negated_inverse`](super::negated_inverse) of m. Returns false, and does nothing, unless n
/// is from 1 to [`FUSED_MOST`].
///
/// Coarsely integrated operand scanning (Koç, Acar and Kaliski, IEEE Micro 16, 1996): a row of the product
/// and one of the reduction by turns. The sum stays in registers, or nearly so, and a row's multiplications
/// overlap with the carry chain of the row before.
///
/// ```
/// use limbforge_algos::integer::montgomery::{fused_mul, negated_inverse};
/// let mut out = [0_u64];
/// assert!(fused_mul(&mut out, &[7], &[5], &[11], negated_inverse(11)));
/// assert_eq!((u128::from(out[0]) << 64) % 11, 35 % 11);
/// ```
///
/// # Panics
/// Unless all have n limbs.
pub fn fused_mul<B: Base>(out: &mut [B], a: &[B], b: &[B], modulus: &[B], negated: B) -> bool {
    let n = modulus.len();
    assert!(out.len() == n && a.len() == n && b.len() == n, "residues of the modulus's length");
    macro_rules! of_lengths {
        ($($n:literal)*) => {
            match n {
                $($n => of_length::<B, $n>(out, a, b, modulus, negated),)*
                _ => return false,
            }
        };
    }
    of_lengths!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    true
}

fn of_length<B: Base, const N: usize>(out: &mut [B], a: &[B], b: &[B], modulus: &[B], negated: B) {
    let (Some(a), Some(m)) = (a.first_chunk::<N>(), modulus.first_chunk::<N>()) else {
        broken_invariant("factors are as long as the modulus")
    };
    let (mut sum, mut above) = ([B::ZERO; N], B::ZERO);
    for &b in b {
        above = row(&mut sum, above, a, b, m, negated);
    }
    subtract_once(out, &sum, above != B::ZERO, m);
}

/// `sum = (sum + a b + that multiple of m which makes the lowest limb 0) / B`, below 2m with the limb above
/// it that is returned.
#[inline(always)]
fn row<B: Base, const N: usize>(sum: &mut [B; N], above: B, a: &[B; N], b: B, m: &[B; N], negated: B) -> B {
    let mut carry = B::ZERO;
    for (sum, &a) in sum.iter_mut().zip(a) {
        (*sum, carry) = a.carrying_mul_add(b, *sum, carry);
    }
    let (above, over) = above.carrying_add(carry, false);
    let factor = sum[0].carrying_mul_add(negated, B::ZERO, B::ZERO).0;
    let mut carry = m[0].carrying_mul_add(factor, sum[0], B::ZERO).1;
    for j in 1..N {
        (sum[j - 1], carry) = m[j].carrying_mul_add(factor, sum[j], carry);
    }
    let (top, over_again) = above.carrying_add(carry, false);
    sum[N - 1] = top;
    B::ZERO.carrying_add(B::ZERO, over).0.carrying_add(B::ZERO, over_again).0
}
