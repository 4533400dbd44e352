//! Quotients by one limb and of numbers of one length, which have ways of their own.

use limbforge_limb::slice::div::LimbDivisor;
use limbforge_limb::slice::{bits, shift};
use limbforge_limb::{Base, DivisionByZero};
use proptest::collection::vec;
use proptest::prelude::*;

use super::{division, modulus};
use crate::check::check;
use crate::operands::{integer, limb};
use crate::oracle::value;

/// A limb at one of the places where digits are decided, or a power of two.
fn digit<B: Base>() -> impl Strategy<Value = B> + Clone {
    prop_oneof![3 => limb::<B>(), 1 => (0..B::BITS as usize).prop_map(|bit| B::ONE << bit)]
}

/// Dividends of up to 40 limbs, with which all of them begin and end, by one limb: in place, into a quotient
/// of its own, and the remainder alone.
pub fn by_one_limb<B: Base>() {
    let dividend = prop_oneof![vec(digit::<B>(), 0..40), (0..40_usize).prop_flat_map(integer)];
    check((dividend, digit::<B>()), |(a, d)| {
        let Ok(divisor) = LimbDivisor::new(d) else {
            prop_assert_eq!((d, LimbDivisor::new(d)), (B::ZERO, Err(DivisionByZero)));
            return Ok(());
        };
        let mut quotient = a.clone();
        let remainder = divisor.div_rem(&mut quotient);
        prop_assert!(remainder < d);
        prop_assert_eq!(
            (value(&quotient), value(&[remainder])),
            (value(&a) / value(&[d]), value(&a) % value(&[d]))
        );
        prop_assert_eq!(divisor.rem(&a), remainder);
        let mut other = vec![B::HIGHEST; a.len()];
        prop_assert_eq!((divisor.div_rem_into(&mut other, &a), other), (remainder, quotient));
        division(&a, &[d])?;
        // The type of the operands is often wider than the divisor.
        let wide: Vec<B> = [d].into_iter().chain(a.iter().map(|_| B::ZERO)).collect();
        division(&a, &wide)
    });
}

/// Dividend and divisor of one length, whose quotient is one digit: independent, multiples and their
/// neighbours, and such that differ in their lowest limbs only.
pub fn of_one_length<B: Base>() {
    let both = (1..20_usize).prop_flat_map(|m| (vec(digit::<B>(), m), vec(digit::<B>(), m)));
    check((both, digit::<B>(), 0..=2_u32), |((u, v), factor, nudge)| {
        division(&u, &v)?;
        let mut close = v.clone();
        close[0] = u[0];
        division(&close, &v)?;
        // factor * v + nudge - 1, as far as it has so many limbs.
        let mut multiple = v.clone();
        multiple[v.len() - 1] = v[v.len() - 1] >> (B::BITS / 2) as usize;
        let divisor = multiple.clone();
        let factor = factor >> (B::BITS - B::BITS / 2) as usize;
        limbforge_limb::slice::add::mul_add_limb(&mut multiple, factor, B::ZERO);
        limbforge_limb::slice::add::increment(&mut multiple, nudge == 2);
        limbforge_limb::slice::sub::decrement(&mut multiple, nudge == 0);
        division(&multiple, &divisor)
    });
}

/// What divisions shift and cut operands with.
pub fn normalisations<B: Base>() {
    check(((0..40_usize).prop_flat_map(integer::<B>), 0..B::BITS, 0..20_usize), |(a, n, zeros)| {
        let mut out = vec![B::HIGHEST; a.len()];
        let above = shift::shl_bits(&mut out, &a, n);
        prop_assert_eq!(value(&out) + value(&[above]) * modulus::<B>(a.len()), value(&a) << n);
        let mut acc = a.clone();
        prop_assert_eq!((shift::shl_bits_assign(&mut acc, n), acc), (above, out));
        let mut padded = a.clone();
        padded.resize(a.len() + zeros, B::ZERO);
        prop_assert_eq!(bits::significant(&padded), bits::significant(&a));
        prop_assert!(bits::significant(&a).last().is_none_or(|&top| top != B::ZERO));
        Ok(())
    });
}
