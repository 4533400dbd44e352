//! Barrett's reduction (CRYPTO '86): of x below `B^(2n)` to `x mod m`, by a product with the reciprocal of
//! the modulus m of n limbs, for any modulus and limb.
//!
//! `mu = floor(B^(2n) / m)` and `q = floor(floor(x / B^(n-1)) mu / B^(n+1))` is the quotient or at most 2
//! less, so that `x - q m` is below 3m. Columns of the product that can change q by at most 1 more are
//! omitted (Handbook of Applied Cryptography, note 14.44); `x - q m` is then below 4m and takes at most 3
//! subtractions. Both products are half products, so that a reduction costs about one full product.
//!
//! [`Barrett`](crate::integer::modulus::Barrett) holds the reciprocal.

use limbforge_limb::slice::{bits, cmp, sub};
use limbforge_limb::{Base, DivisionByZero};

use super::{Scratch, div::div_rem, products::Products};

/// `floor(B^(2n) / m)` for m of n limbs, its top one not zero: n + 1 limbs, but n + 2 for `B^(n-1)`.
///
/// # Errors
/// [`DivisionByZero`] if m is zero.
pub fn reciprocal<B: Base>(modulus: &[B], scratch: &mut Scratch) -> Result<Vec<B>, DivisionByZero> {
    let mut dividend = vec![B::ZERO; 2 * modulus.len() + 1];
    dividend[2 * modulus.len()] = B::ONE;
    let mut quotient = vec![B::ZERO; dividend.len()];
    div_rem(&mut quotient, &mut vec![B::ZERO; modulus.len()], &dividend, modulus, scratch)?;
    quotient.truncate(bits::significant(&quotient).len());
    Ok(quotient)
}

/// `out = x mod m`, for x of at most 2n limbs and m of n limbs, its top one not zero; `reciprocal` is
/// [`reciprocal`] of m, and `room` grows as needed.
///
/// ```
/// use limbforge_algos::integer::{Scratch, barrett};
/// let modulus = [10, 1]; // 2^64 + 10
/// let (mut scratch, mut out) = (Scratch::default(), [0; 2]);
/// let reciprocal = barrett::reciprocal::<u64>(&modulus, &mut scratch)?;
/// barrett::reduce(&mut out, &[0, 0, 1], &modulus, &reciprocal, &mut vec![], &mut scratch);
/// assert_eq!(out, [100, 0]); // 2^128 = (2^64 - 10) (2^64 + 10) + 100
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
///
/// # Panics
/// If m has no limbs, x more than 2n, or out not n.
pub fn reduce<B: Base, P: Products<B>>(
    out: &mut [B],
    x: &[B],
    modulus: &[B],
    reciprocal: &[B],
    room: &mut Vec<B>,
    products: &mut P,
) {
    let n = modulus.len();
    assert!(n > 0 && out.len() == n && x.len() <= 2 * n, "n limbs from at most 2n");
    let x = bits::significant(x);
    let Some(upper) = x.get(n - 1..).filter(|upper| !upper.is_empty()) else {
        out[..x.len()].copy_from_slice(x);
        return out[x.len()..].fill(B::ZERO);
    };
    // The sum of the omitted columns is below (n - 1) B^n, which must stay below B^(n+1).
    let from = if B::BITS >= 32 || n <= 1 << B::BITS { n - 1 } else { 0 };
    let len = upper.len() + reciprocal.len() - from;
    room.resize(room.len().max(len + 2 * (n + 1)), B::ZERO);
    let (product, room) = room.split_at_mut(len);
    products.columns(product, upper, reciprocal, from);
    let quotient = bits::significant(product.get(n + 1 - from..).unwrap_or_default());

    // Below 4m, and so below B^(n+1): it is known from its residue.
    let (multiple, room) = room.split_at_mut(n + 1);
    let residue = &mut room[..n + 1];
    products.low(multiple, &quotient[..quotient.len().min(n + 1)], modulus);
    let (low, above) = residue.split_at_mut(x.len().min(n + 1));
    low.copy_from_slice(&x[..low.len()]);
    above.fill(B::ZERO);
    sub::sub_assign(residue, multiple, false);
    while residue[n] != B::ZERO || cmp::cmp(&residue[..n], modulus).is_ge() {
        sub::sub_assign(residue, modulus, false);
    }
    out.copy_from_slice(&residue[..n]);
}
