//! Montgomery's reduction by its definition, a bit at a time.

use limbforge_limb::Base;
use limbforge_limb::slice::{add, bits, cmp, shift, sub};

/// `x / B^n mod m`, n limbs, for an odd m of n limbs and x of any length below `m B^n`: n times the bits of a
/// limb, x is made even by adding m, and halved.
#[must_use]
pub fn reduce<B: Base>(x: &[B], modulus: &[B]) -> Vec<B> {
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
