//! Montgomery's reduction (Mathematics of Computation 44, 1985): of x below `m R` to `x / R mod m`, with `R =
//! B^n` for an odd modulus m of n limbs.
//!
//! Multiples of the modulus are added until the lower half is zero, which then is dropped. Here for any limb:
//!
//! | rung | reduction |
//! | --- | --- |
//! | [`fused_mul`] | up to 16 limbs, together with the product before it |
//! | [`reduce`] | limb after limb, with `-1/m mod B`: quadratic |
//! | [`reduce_by_rows`] | of machine words, eight limbs at a time, with `-1/m mod B^8` |
//! | [`reduce_by_products`] | at once, with `-1/m mod R`: a low product and a full one |
//!
//! [`Montgomery`](crate::integer::modulus::Montgomery) holds the constants and chooses.

use limbforge_limb::Base;
use limbforge_limb::slice::mul::{Factors, rows};
use limbforge_limb::slice::{add, cmp, sub};

use super::modinv2k;
use super::products::{Products, add_product};
use crate::invariant::broken_invariant;

/// `-1/m mod B` for the lowest limb of an odd m.
#[must_use]
pub fn negated_inverse<B: Base>(lowest: B) -> B {
    B::ZERO.wrapping_sub(modinv2k::limb(lowest))
}

/// `out = x / B^n mod m`, limb after limb; x is used up.
///
/// m has n limbs and is odd, out has n limbs, x has 2n and is below `m B^n`; `negated` is [`negated_inverse`]
/// of m.
///
/// ```
/// use limbforge_algos::integer::montgomery::{negated_inverse, reduce};
/// let (mut x, mut out) = ([30_u64, 7], [0]);
/// reduce(&mut out, &mut x, &[11], negated_inverse(11));
/// assert_eq!((u128::from(out[0]) << 64) % 11, (7 << 64 | 30) % 11);
/// ```
///
/// # Panics
/// Unless the lengths are those.
pub fn reduce<B: Base>(out: &mut [B], x: &mut [B], modulus: &[B], negated: B) {
    let n = modulus.len();
    assert!(out.len() == n && x.len() == 2 * n, "n limbs from 2n");
    let mut over = false;
    for i in 0..n {
        // Makes limb i zero.
        let factor = x[i].carrying_mul_add(negated, B::ZERO, B::ZERO).0;
        let carry = add_product(&mut x[i..i + n], modulus, factor);
        (x[i + n], over) = x[i + n].carrying_add(carry, over);
    }
    subtract_once(out, &x[n..], over, modulus);
}

/// As [`reduce`] for machine words, eight at a time: `negated` is `-1/m mod B^min(n, 8)`.
///
/// The multiple of the modulus that makes eight limbs zero is their low product with `negated`; it is added in
/// one pass over the modulus. The limbs that leave a pass at its top are kept where it made zeros, and are
/// added at the end.
///
/// ```
/// use limbforge_algos::integer::montgomery::{negated_inverse, reduce_by_rows};
/// let (mut x, mut out) = ([30_u64, 7], [0]);
/// reduce_by_rows(&mut out, &mut x, &[11], &[negated_inverse(11)]);
/// assert_eq!((u128::from(out[0]) << 64) % 11, (7 << 64 | 30) % 11);
/// ```
///
/// # Panics
/// Unless the lengths are those.
pub fn reduce_by_rows(out: &mut [u64], x: &mut [u64], modulus: &[u64], negated: &[u64]) {
    let n = modulus.len();
    assert!(out.len() == n && x.len() == 2 * n && negated.len() == n.min(rows::MOST), "n limbs from 2n");
    let mut room = [0; rows::MOST];
    let mut done = 0;
    while done < n {
        let width = rows::next_width(n - done);
        let factor = &mut room[..width];
        rows::low(factor, Factors::Pair(&x[done..done + width], &negated[..width]));
        let above = rows::add_product(&mut x[done..done + n], factor, modulus);
        x[done..done + width].copy_from_slice(&above[..width]);
        done += width;
    }
    let (above, high) = x.split_at_mut(n);
    if add::add(out, high, above, false) || cmp::cmp(out, modulus).is_ge() {
        sub::sub_assign(out, modulus, false);
    }
}

/// As [`reduce`], by a low product and a full one: for moduli whose products take less than quadratic time.
///
/// `negated` is `-1/m mod B^n`, of n limbs.
///
/// # Panics
/// Unless the lengths are those.
pub fn reduce_by_products<B: Base, P: Products<B>>(
    out: &mut [B],
    x: &mut [B],
    modulus: &[B],
    negated: &[B],
    products: &mut P,
) {
    let n = modulus.len();
    assert!(out.len() == n && x.len() == 2 * n && negated.len() == n, "n limbs from 2n");
    let mut quotient = vec![B::ZERO; n];
    products.low(&mut quotient, &x[..n], negated);
    let mut multiple = vec![B::ZERO; 2 * n];
    products.low(&mut multiple, &quotient, modulus);
    let over = add::add_assign(x, &multiple, false);
    if !cmp::is_zero(&x[..n]) {
        broken_invariant("the sum is a multiple of B^n");
    }
    subtract_once(out, &x[n..], over, modulus);
}

/// `out = x mod m` for x below 2m; `over` is the bit of x above its limbs.
fn subtract_once<B: Base>(out: &mut [B], x: &[B], over: bool, modulus: &[B]) {
    if over || cmp::cmp(x, modulus).is_ge() {
        sub::sub(out, x, modulus, false);
    } else {
        out.copy_from_slice(x);
    }
}

/// Limbs of the longest modulus for [`fused_mul`]; above, a product by columns is faster.
pub const FUSED_MOST: usize = 16;

/// `out = a b / B^n mod m`, for residues of an odd m of n limbs; `negated` is
/// [`negated_inverse`] of m. Returns false, and does nothing, unless n
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
