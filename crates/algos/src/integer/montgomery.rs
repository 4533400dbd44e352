//! Montgomery's reduction (Mathematics of Computation 44, 1985): of x below `m R` to `x / R mod m`, with `R =
//! B^n` for an odd modulus m of n limbs.
//!
//! Multiples of the modulus are added until the lower half is zero, which then is dropped. Here for any limb:
//!
//! | rung | reduction |
//! | --- | --- |
//! | [`fused_mul`] | up to 16 limbs, together with the product before it |
//! | [`reduce`] | limb after limb, with `-1/m mod B`: quadratic |
//! | [`reduce_by_kernel`] | the same of machine words, in assembly |
//! | [`reduce_by_rows`] | of machine words, eight limbs at a time, with `-1/m mod B^8` |
//! | [`reduce_by_products`] | at once, with `-1/m mod R`: a low product and a full one |
//!
//! [`Montgomery`](crate::integer::modulus::Montgomery) holds the constants and chooses; its products of long
//! moduli are by transforms that it keeps (`transform/mul_ntt/reduction.rs`).

use limbforge_limb::Base;
use limbforge_limb::slice::mul::{Factors, rows, rows::multiple};
use limbforge_limb::slice::{add, cmp, sub};

use super::modinv2k;
use super::products::Products;
use crate::invariant::broken_invariant;

mod fused;

pub use fused::{FUSED_MOST, fused_mul};

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
        let carry = multiple::add_inline(&mut x[i..i + n], modulus, factor);
        (x[i + n], over) = x[i + n].carrying_add(carry, over);
    }
    subtract_once(out, &x[n..], over, modulus);
}

/// As [`reduce`] for machine words, in assembly. Returns false, and does nothing, unless there [is a
/// kernel](rows::montgomery::has_reduction) for n words.
///
/// # Panics
/// Unless the lengths are those.
pub fn reduce_by_kernel(out: &mut [u64], x: &mut [u64], modulus: &[u64], negated: u64) -> bool {
    assert_eq!(out.len(), modulus.len(), "n limbs");
    if !rows::montgomery::reduce(x, modulus, negated) {
        return false;
    }
    add_halves(out, x, modulus);
    true
}

/// `out = upper half + lower half of x mod m`, for a sum below 2m.
fn add_halves(out: &mut [u64], x: &[u64], modulus: &[u64]) {
    let (above, high) = x.split_at(modulus.len());
    if add::add(out, high, above, false) || cmp::cmp(out, modulus).is_ge() {
        sub::sub_assign(out, modulus, false);
    }
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
    add_halves(out, x, modulus);
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
pub(super) fn subtract_once<B: Base>(out: &mut [B], x: &[B], over: bool, modulus: &[B]) {
    if over || cmp::cmp(x, modulus).is_ge() {
        sub::sub(out, x, modulus, false);
    } else {
        out.copy_from_slice(x);
    }
}
