//! Sums, products, powers and inverses of numbers with signs, modulo any number.

use limbforge_limb::slice::{bits, words};
use limbforge_limb::{DivisionByZero, FixedInt, Uint};

use super::scratch::with_scratch;
use super::sized::Magnitude;
use crate::integer::div::div_rem;
use crate::integer::jacobi::{EvenModulus, jacobi};
use crate::integer::modinv::{ModInvError, modinv};
use crate::integer::powmod::powmod;

/// A residue, or its negative, mod m.
pub(super) fn residue_of_sign<T: FixedInt>(
    negative: bool,
    residue: Magnitude<T>,
    modulus: &Magnitude<T>,
) -> T {
    let residue = if negative && !residue.is_zero() { modulus - residue } else { residue };
    T::from_sign_and_magnitude(false, residue)
}

/// `a + b mod |m|` for the magnitude of b with this sign.
pub(super) fn sum<T: FixedInt>(a: &T, b: &T, b_negative: bool, m: &T) -> Result<T, DivisionByZero> {
    let modulus = m.unsigned_abs();
    let a = residue(a.unsigned_abs(), a.is_negative(), &modulus)?;
    let b = residue(b.unsigned_abs(), b_negative, &modulus)?;
    // a + b - m, unless that is negative.
    let (sum, over) = a.overflowing_add(&b);
    let sum = if over || sum >= modulus { sum - modulus } else { sum };
    Ok(T::from_sign_and_magnitude(false, sum))
}

/// `+-a mod m`.
fn residue<B: limbforge_limb::Base, N: limbforge_limb::generic_array::ArrayLength>(
    a: Uint<B, N>,
    negative: bool,
    modulus: &Uint<B, N>,
) -> Result<Uint<B, N>, DivisionByZero> {
    // Most operands are residues.
    let rest = if a < *modulus { a } else { a.div_rem(modulus)?.1 };
    Ok(if negative && !rest.is_zero() { modulus - rest } else { rest })
}

/// `a b mod |m|` of the exact product.
pub(super) fn product<T: FixedInt>(a: &T, b: &T, m: &T) -> Result<T, DivisionByZero> {
    let modulus = m.unsigned_abs();
    let [a_words, b_words, m_words] = [&a.unsigned_abs(), &b.unsigned_abs(), &modulus].map(Uint::to_words64);
    let mut rest = vec![0; m_words.len()];
    with_scratch(|scratch| {
        let product = scratch.residues.product(&a_words, &b_words);
        let (dividend, divisor) = (bits::significant(&product), bits::significant(&m_words));
        let (mut quotient, rest) = (vec![0; dividend.len()], &mut rest[..divisor.len()]);
        div_rem(&mut quotient, rest, dividend, divisor, &mut scratch.division)
    })?;
    let mut residue = Uint::zero();
    words::unpack(residue.as_limbs_mut(), &rest);
    Ok(residue_of_sign(a.is_negative() != b.is_negative(), residue, &modulus))
}

/// `1 / a mod |m|`.
pub(super) fn inverse<T: FixedInt>(number: &T, modulus: &T) -> Result<T, ModInvError> {
    let (a, m, mut inverse) = (number.unsigned_abs(), modulus.unsigned_abs(), Uint::zero());
    with_scratch(|scratch| modinv(inverse.as_limbs_mut(), a.as_limbs(), m.as_limbs(), &mut scratch.inverse))?;
    Ok(residue_of_sign(number.is_negative(), inverse, &m))
}

/// `a^exponent mod |m|`.
pub(super) fn power<T: FixedInt>(
    number: &T,
    exponent: &Uint<T::Limb, T::Len>,
    modulus: &T,
) -> Result<T, DivisionByZero> {
    let (a, m, mut power) = (number.unsigned_abs(), modulus.unsigned_abs(), Uint::zero());
    with_scratch(|scratch| {
        let (a, e, m) = (a.as_limbs(), exponent.as_limbs(), m.as_limbs());
        powmod(power.as_limbs_mut(), a, e, m, &mut scratch.power)
    })?;
    Ok(residue_of_sign(number.is_negative() && exponent.is_odd(), power, &m))
}

/// The Jacobi symbol `(a / |n|)`.
pub(super) fn symbol<T: FixedInt>(number: &T, n: &T) -> Result<i8, EvenModulus> {
    let negative = number.is_negative();
    let (a, n) = (number.unsigned_abs(), n.unsigned_abs());
    let symbol = with_scratch(|scratch| jacobi(a.as_limbs(), n.as_limbs(), &mut scratch.jacobi))?;
    // (-1 / n) = -1 for n = 3 mod 4.
    Ok(if negative && n.bit(1) { -symbol } else { symbol })
}
