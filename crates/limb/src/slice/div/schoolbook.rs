//! Knuth's Algorithm D (TAOCP 2, 4.3.1) with the inverse of the divisor's two top limbs (Moeller and Granlund
//! 2011, algorithms 5 and 6). A quotient digit costs two products and is one too large with a probability
//! near 2/B.

use core::hint::select_unpredictable;

use super::digits;
use super::inverse::Inverse;
use crate::slice::{add, mul::rows::multiple, shift};
use crate::{base::Base, invariant::broken_invariant, wide::Wide};

/// Fewest limbs of a divisor; [`limb`](super::limb) divides by one limb.
pub const MIN_LEN: usize = 2;

/// Limbs of scratch for a dividend of `m` limbs, which grows by one, and a divisor of `n`: both are shifted.
#[must_use]
pub const fn scratch_len(m: usize, n: usize) -> usize {
    m + 1 + n
}

/// `quotient = floor(dividend / divisor)`, `remainder = dividend mod divisor`, for a divisor of
/// `n >= MIN_LEN` limbs with a nonzero top limb and a dividend of `m >= n` limbs. `quotient` has at least
/// `m - n + 1` limbs, `remainder` n, `scratch` [`scratch_len`].
pub fn div_rem<B: Base>(
    quotient: &mut [B],
    remainder: &mut [B],
    dividend: &[B],
    divisor: &[B],
    scratch: &mut [B],
) {
    let (m, n) = (dividend.len(), divisor.len());
    if m == n {
        quotient.fill(B::ZERO);
        remainder.copy_from_slice(dividend);
        quotient[0] = one_digit(remainder, divisor);
        return;
    }
    let bits = divisor[n - 1].leading_zeros();
    let (rest, normalised) = scratch[..scratch_len(m, n)].split_at_mut(m + 1);
    shift::shl(normalised, divisor, bits);
    shift::shl(&mut rest[..m], dividend, bits);
    rest[m] = if bits == 0 { B::ZERO } else { dividend[m - 1] >> (B::BITS - bits) as usize };
    let (found, above) = quotient.split_at_mut(m - n + 1);
    above.fill(B::ZERO);
    let inverse = Inverse::new(normalised);
    digits::of_block(found, rest, normalised, inverse);
    shift::shr(remainder, &rest[..n], bits);
}

/// `floor(rest / divisor)`, and `rest = rest mod divisor`, for operands of one length with a nonzero top limb
/// in the divisor. Only the limbs for the estimate of the digit are shifted.
fn one_digit<B: Base>(rest: &mut [B], divisor: &[B]) -> B {
    let bits = divisor[divisor.len() - 1].leading_zeros();
    let (_, d1, d0) = shifted_top(divisor, bits);
    // u2 is below 2^bits, and so below d1.
    let u = shifted_top(rest, bits);
    let (digit, _) = div_three_by_two(u, (d1, d0), inverse(&[d0, d1]));
    // A frequent case: both operands have the same length.
    if digit == B::ZERO {
        return digit;
    }
    let borrow = multiple::sub(rest, divisor, digit);
    add_back(rest, divisor, digit, borrow != B::ZERO)
}

/// The top three limbs of `a 2^bits`, which is one limb longer than a.
fn shifted_top<B: Base>(a: &[B], bits: u32) -> (B, B, B) {
    let limb = |from_top: usize| a.len().checked_sub(from_top).map_or(B::ZERO, |i| a[i]);
    let joined = |high, low| shift::join(high, low, bits);
    (joined(B::ZERO, limb(1)), joined(limb(1), limb(2)), joined(limb(2), limb(3)))
}

/// `floor((B^3 - 1) / (d1 B + d0)) - B` for the top limbs of a divisor whose top bit is set (algorithm 6).
#[inline]
#[must_use]
pub fn inverse<B: Base>(divisor: &[B]) -> B {
    let [.., d0, d1] = *divisor else { broken_invariant("the divisor has two limbs") };
    let top = super::reciprocal::inverse(d1);
    let (rest, over) = d1.widening_mul(top).low().carrying_add(d0, false);
    // Whether it is over is as good as random: selections, of which branches would mispredict half.
    let is_twice = over && rest >= d1;
    let multiple = select_unpredictable(over, d1, B::ZERO);
    let rest = rest.wrapping_sub(multiple).wrapping_sub(select_unpredictable(is_twice, d1, B::ZERO));
    let one = |chosen| select_unpredictable(chosen, B::ONE, B::ZERO);
    let inverse = top.wrapping_sub(one(over)).wrapping_sub(one(is_twice));
    let product = inverse.widening_mul(d0);
    let (rest, over) = rest.carrying_add(product.high(), false);
    let is_twice = over && (rest > d1 || rest == d1 && product.low() >= d0);
    inverse.wrapping_sub(one(over)).wrapping_sub(one(is_twice))
}

/// Corrects digit and rest if the digit was one too large (`over`).
#[inline(always)]
fn add_back<B: Base>(rest: &mut [B], divisor: &[B], digit: B, over: bool) -> B {
    if !over {
        return digit;
    }
    // The carry out cancels the borrow.
    add::add_assign(rest, divisor, false);
    digit.wrapping_sub(B::ONE)
}

/// (quotient, remainder (low, high)) of three limbs by a normalised divisor of two limbs that exceeds the
/// upper two (algorithm 5).
#[inline(always)]
pub(super) fn div_three_by_two<B: Base>(u: (B, B, B), (d1, d0): (B, B), inverse: B) -> (B, (B, B)) {
    let (u2, u1, u0) = u;
    let (estimate, _) = inverse.widening_mul(u2).overflowing_add(B::Wide::from_parts(u1, u2));
    let digit = estimate.high();
    let r1 = u1.wrapping_sub(digit.widening_mul(d1).low());
    let product = d0.widening_mul(digit);
    let (r0, r1) = sub((u0, r1), (product.low(), product.high()));
    // The remainder for one more, which is right about half the time.
    let (less0, less1) = sub((r0, r1), (d0, d1));
    let is_less = less1 < estimate.low();
    let digit = digit.wrapping_add(select_unpredictable(is_less, B::ONE, B::ZERO));
    let r0 = select_unpredictable(is_less, less0, r0);
    let r1 = select_unpredictable(is_less, less1, r1);
    if r1 > d1 || r1 == d1 && r0 >= d0 { one_more(digit, (r0, r1), (d0, d1)) } else { (digit, (r0, r1)) }
}

/// The rare second correction, kept out of the loop.
#[cold]
#[inline(never)]
fn one_more<B: Base>(digit: B, rest: (B, B), divisor: (B, B)) -> (B, (B, B)) {
    (digit.wrapping_add(B::ONE), sub(rest, divisor))
}

/// `a - b mod B^2` for numbers (low, high).
#[inline(always)]
fn sub<B: Base>((a0, a1): (B, B), (b0, b1): (B, B)) -> (B, B) {
    let (low, borrow) = a0.borrowing_sub(b0, false);
    (low, a1.borrowing_sub(b1, borrow).0)
}
