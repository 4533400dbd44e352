//! Reductions and inverses by their definitions, a bit at a time.

use limbforge_limb::Base;
use limbforge_limb::slice::{add, bits, cmp, shift, sub};

/// `x mod m` by shifts and subtractions, for m of n limbs, not zero, and x of any length.
#[must_use]
pub fn remainder<B: Base>(x: &[B], modulus: &[B]) -> Vec<B> {
    let n = modulus.len();
    let mut modulus = modulus.to_vec();
    modulus.push(B::ZERO);
    let mut rest = vec![B::ZERO; n + 1];
    let mut doubled = rest.clone();
    for i in (0..bits::bit_len(x)).rev() {
        shift::shl(&mut doubled, &rest, 1);
        core::mem::swap(&mut rest, &mut doubled);
        if bits::bit(x, i) {
            rest[0] = rest[0] | B::ONE;
        }
        if cmp::cmp(&rest, &modulus).is_ge() {
            sub::sub_assign(&mut rest, &modulus, false);
        }
    }
    rest.truncate(n);
    rest
}

/// `x / B^n mod m`, n limbs, for an odd m of n limbs and x of any length below `m B^n`: n times the bits of a
/// limb, x is made even by adding m, and halved.
#[must_use]
pub fn montgomery<B: Base>(x: &[B], modulus: &[B]) -> Vec<B> {
    let n = modulus.len();
    let mut x = x.to_vec();
    // x + m below 2 m B^n.
    x.resize(2 * n + 1, B::ZERO);
    let mut halved = x.clone();
    for _ in 0..n as u32 * B::BITS {
        if bits::bit(&x, 0) {
            add::add_assign(&mut x, modulus, false);
        }
        shift::shr(&mut halved, &x, 1);
        core::mem::swap(&mut x, &mut halved);
    }
    let mut modulus = modulus.to_vec();
    modulus.resize(x.len(), B::ZERO);
    if cmp::cmp(&x, &modulus).is_ge() {
        sub::sub_assign(&mut x, &modulus, false);
    }
    x.truncate(n);
    x
}

/// The inverse by its definition, bit after bit: whenever bit i of `a y` is not that of 1, y takes this bit;
/// none if a is even.
#[must_use]
pub fn inverse_modulo_power_of_two<B: Base>(a: &[B]) -> Option<Vec<B>> {
    if !a.is_empty() && !bits::bit(a, 0) {
        return None;
    }
    let mut inverse = vec![B::ZERO; a.len()];
    let mut product = inverse.clone();
    let mut shifted = inverse.clone();
    for i in 0..a.len() as u32 * B::BITS {
        if bits::bit(&product, i) != (i == 0) {
            let limb = &mut inverse[(i / B::BITS) as usize];
            *limb = *limb | B::ONE << (i % B::BITS) as usize;
            shift::shl(&mut shifted, a, i);
            add::add_assign(&mut product, &shifted, false);
        }
    }
    Some(inverse)
}
