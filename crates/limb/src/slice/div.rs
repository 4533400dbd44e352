//! Division with remainder: Knuth's Algorithm D (TAOCP 2, 4.3.1), quadratic, any lengths.

use crate::base::Base;
use crate::error::DivisionByZero;
use crate::slice::{add, bits, sub};
use crate::wide::Wide;

/// `quotient = floor(dividend / divisor)`, `remainder = dividend mod divisor`.
///
/// `quotient` has the dividend's length, `remainder` the divisor's.
///
/// # Errors
/// [`DivisionByZero`] if the divisor is zero; the results are then untouched.
pub fn div_rem<B: Base>(
    quotient: &mut [B],
    remainder: &mut [B],
    dividend: &[B],
    divisor: &[B],
) -> Result<(), DivisionByZero> {
    assert!(
        quotient.len() == dividend.len() && remainder.len() == divisor.len(),
        "results sized as operands"
    );
    let divisor = bits::significant(divisor);
    let Some(top) = divisor.last() else { return Err(DivisionByZero) };
    quotient.fill(B::ZERO);
    remainder.fill(B::ZERO);
    let dividend = bits::significant(dividend);
    if dividend.len() < divisor.len() {
        remainder[..dividend.len()].copy_from_slice(dividend);
        return Ok(());
    }
    if let [divisor] = *divisor {
        quotient[..dividend.len()].copy_from_slice(dividend);
        remainder[0] = div_rem_limb(&mut quotient[..dividend.len()], divisor)?;
        return Ok(());
    }

    // D1: shift so that the divisor's top bit is set; the dividend gets one limb more.
    let shift = top.leading_zeros();
    let divisor = shifted_left(divisor, shift, 0);
    let mut rest = shifted_left(dividend, shift, 1);
    for j in (0..=dividend.len() - divisor.len()).rev() {
        quotient[j] = quotient_digit(&mut rest[j..=j + divisor.len()], &divisor);
    }
    let len = divisor.len();
    super::shift::shr(&mut remainder[..len], &rest[..len], shift);
    Ok(())
}

/// `acc = floor(acc / divisor)`; returns the remainder.
///
/// # Errors
/// [`DivisionByZero`] if the divisor is zero; `acc` is then untouched.
pub fn div_rem_limb<B: Base>(acc: &mut [B], divisor: B) -> Result<B, DivisionByZero> {
    acc.iter_mut().rev().try_fold(B::ZERO, |above, limb| {
        let rest;
        (*limb, rest) = divisor.checked_div_rem_wide(*limb, above).ok_or(DivisionByZero)?;
        Ok(rest)
    })
}

fn shifted_left<B: Base>(a: &[B], shift: u32, extra: usize) -> Vec<B> {
    let mut source = a.to_vec();
    source.resize(a.len() + extra, B::ZERO);
    let mut out = source.clone();
    super::shift::shl(&mut out, &source, shift);
    out
}

/// D3 to D6: the next digit of the quotient, and `rest -= digit * divisor`. `rest` is one limb longer.
fn quotient_digit<B: Base>(rest: &mut [B], divisor: &[B]) -> B {
    let digit = estimate_digit(rest, divisor);
    if !sub_product(rest, divisor, digit) {
        return digit;
    }
    // The estimate was one too large: about 2/B of random divisions come here.
    add::add_assign(rest, divisor, false);
    digit.wrapping_sub(B::ONE)
}

/// D3: the digit from the top three limbs of `rest` by the top two of `divisor`; exact or one too large.
fn estimate_digit<B: Base>(rest: &[B], divisor: &[B]) -> B {
    let n = divisor.len();
    let (top, second) = (divisor[n - 1], divisor[n - 2]);
    // `left` is what the estimate leaves of the top two limbs; past B the test below always holds.
    let (mut digit, (mut left, mut past)) = match top.checked_div_rem_wide(rest[n - 1], rest[n]) {
        Some((digit, left)) => (digit, (left, false)),
        None => (B::HIGHEST, rest[n - 1].carrying_add(top, false)),
    };
    while !past && exceeds(digit.widening_mul(second), left, rest[n - 2]) {
        digit = digit.wrapping_sub(B::ONE);
        (left, past) = left.carrying_add(top, false);
    }
    digit
}

fn exceeds<B: Base>(product: B::Wide, high: B, low: B) -> bool {
    (product.high(), product.low()) > (high, low)
}

/// `rest -= digit * divisor`; returns the borrow out.
fn sub_product<B: Base>(rest: &mut [B], divisor: &[B], digit: B) -> bool {
    let (low, high) = rest.split_at_mut(divisor.len());
    let (mut carry, mut borrow) = (B::ZERO, false);
    for (rest, &limb) in low.iter_mut().zip(divisor) {
        let product;
        (product, carry) = limb.carrying_mul_add(digit, B::ZERO, carry);
        (*rest, borrow) = rest.borrowing_sub(product, borrow);
    }
    sub::sub_assign(high, &[carry], borrow)
}
