//! The inverse modulo a power of two, by Hensel's lifting.
//!
//! If `a y = 1 mod 2^p` then `y (2 - a y)` is the inverse mod `2^(2p)`: each step doubles the bits that are
//! right, by two low products of that length, with no carry from above. Also known as Jebelean's exact
//! division by 1 (1993).

use limbforge_limb::{Base, slice::sub};

use super::packed::{as_words, unpack};
use super::{Scratch, products::Products};

/// The number is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no inverse modulo a power of two: expected an odd number, found an even one")]
pub struct EvenNumber;

/// `1/a mod B` for an odd limb.
#[must_use]
pub fn limb<B: Base>(a: B) -> B {
    let mul = |x: B, y: B| x.carrying_mul_add(y, B::ZERO, B::ZERO).0;
    let two = B::ONE.wrapping_add(B::ONE);
    // The square of an odd number is 1 mod 8: a itself is right in 3 bits.
    let (mut inverse, mut bits) = (a, 3);
    while bits < B::BITS {
        inverse = mul(inverse, two.wrapping_sub(mul(a, inverse)));
        bits *= 2;
    }
    inverse
}

/// `out = 1/a mod B^M` for an odd a, all of M limbs.
///
/// ```
/// use limbforge_algos::integer::{Scratch, modinv2k::modinv2k};
/// let mut out = [0_u64; 2];
/// modinv2k(&mut out, &[3, 0], &mut Scratch::default())?;
/// assert_eq!(out, [0xaaaa_aaaa_aaaa_aaab, 0xaaaa_aaaa_aaaa_aaaa]); // 3 * out = 2^129 + 1
/// # Ok::<(), limbforge_algos::integer::modinv2k::EvenNumber>(())
/// ```
///
/// # Errors
/// [`EvenNumber`] if a is even; out is then untouched.
///
/// # Panics
/// Unless both have one length.
pub fn modinv2k<B: Base>(out: &mut [B], a: &[B], scratch: &mut Scratch) -> Result<(), EvenNumber> {
    assert_eq!(out.len(), a.len(), "operands of one length");
    let number = as_words(a);
    let mut inverse = vec![0; number.len()];
    lift(&mut inverse, &number, scratch)?;
    unpack(out, inverse);
    Ok(())
}

/// As [`modinv2k`], on any limb as it is, with any products.
///
/// # Errors
/// [`EvenNumber`] if a is even; out is then untouched.
///
/// # Panics
/// Unless both have one length.
pub fn lift<B: Base, P: Products<B>>(out: &mut [B], a: &[B], products: &mut P) -> Result<(), EvenNumber> {
    assert_eq!(out.len(), a.len(), "operands of one length");
    let Some(&lowest) = a.first() else { return Ok(()) };
    if lowest & B::ONE == B::ZERO {
        return Err(EvenNumber);
    }
    out[0] = limb(lowest);
    let mut known = 1;
    while known < a.len() {
        let next = (2 * known).min(a.len());
        let mut room = vec![B::ZERO; next + (next - known)];
        let (product, correction) = room.split_at_mut(next);
        products.low(product, &a[..next], &out[..known]);
        // a y = 1 + e B^known, so that y (2 - a y) = y - y e B^known.
        products.low(correction, &out[..known], &product[known..]);
        sub::neg(&mut out[known..next], correction);
        known = next;
    }
    Ok(())
}
