//! Division by two limbs, which stay in registers (Moeller and Granlund 2011, algorithm 5).

use super::schoolbook::{div_three_by_two, inverse};
use crate::base::Base;
use crate::slice::shift;

/// `quotient = floor(dividend / divisor)`, of as many limbs as the dividend, for a divisor `(low, high)` with
/// a nonzero high limb and a dividend of two limbs or more; returns the remainder.
pub fn div_rem<B: Base>(quotient: &mut [B], dividend: &[B], divisor: [B; 2]) -> [B; 2] {
    digits(dividend, divisor, |i, digit| quotient[i] = digit)
}

/// Hands over the limbs of the quotient, the highest first; returns the remainder.
#[inline(always)]
pub(super) fn digits<B: Base>(dividend: &[B], [low, high]: [B; 2], mut put: impl FnMut(usize, B)) -> [B; 2] {
    let bits = high.leading_zeros();
    let divisor = [shift::join(low, B::ZERO, bits), shift::join(high, low, bits)];
    let inverse = inverse(&divisor);
    let below = |i: usize| if i == 0 { B::ZERO } else { dividend[i - 1] };
    let top = dividend.len() - 1;
    // The top two limbs of the shifted dividend are below the divisor.
    let mut rest = (shift::join(dividend[top], below(top), bits), shift::join(B::ZERO, dividend[top], bits));
    put(top, B::ZERO);
    for i in (0..top).rev() {
        let next = shift::join(dividend[i], below(i), bits);
        let digit;
        (digit, rest) = div_three_by_two((rest.1, rest.0, next), (divisor[1], divisor[0]), inverse);
        put(i, digit);
    }
    let (low, high) = rest;
    [low >> bits as usize | shifted_out(high, bits), high >> bits as usize]
}

/// The low bits of a limb, at the top of the limb below.
#[inline(always)]
fn shifted_out<B: Base>(limb: B, bits: u32) -> B {
    if bits == 0 { B::ZERO } else { limb << (B::BITS - bits) as usize }
}
