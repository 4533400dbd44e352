//! Reduction by its definition, a bit at a time.

use limbforge_limb::Base;
use limbforge_limb::slice::{bits, cmp, shift, sub};

/// `x mod m` by shifts and subtractions, for m of n limbs, not zero, and x of any length.
#[must_use]
pub fn reduce<B: Base>(x: &[B], modulus: &[B]) -> Vec<B> {
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
