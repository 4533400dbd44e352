//! The methods of numbers with signs, from the functions on limbs.

use limbforge_limb::slice::{bits, mul::Factors, words};
use limbforge_limb::{DivisionByZero, FixedInt, Int, Uint};

use crate::integer::jacobi::{EvenModulus, jacobi};
use crate::integer::modinv::{ModInvError, modinv};
use crate::integer::perfect_power::{is_odd_perfect_power, is_perfect_power};
use crate::integer::root::{ZeroDegree, root};
use crate::integer::{div::divide, gcd::gcd, isqrt::isqrt, powmod::powmod, xgcd::xgcd};
use crate::integer::{primality::is_strong_probable_prime, scratch::with_scratch};

/// The unsigned type of the same width.
pub(super) type Magnitude<T> = Uint<<T as FixedInt>::Limb, <T as FixedInt>::Len>;

/// The signed type of the same width.
pub(super) type Signed<T> = Int<<T as FixedInt>::Limb, <T as FixedInt>::Len>;

/// A greatest common divisor with the smallest Bezout coefficients: `x a + y b = gcd`
/// ([`xgcd`](mod@crate::integer::xgcd)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Xgcd<T, S> {
    /// The greatest common divisor; that of 0 and 0 is 0.
    pub gcd: T,
    /// The coefficient of the first number.
    pub x: S,
    /// The coefficient of the second number.
    pub y: S,
}

/// A number has no root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RootError {
    /// The degree is 0.
    #[error(transparent)]
    Degree(#[from] ZeroDegree),
    /// The number is negative and the degree is even.
    #[error("a negative number has no even root: expected a number of 0 or more, or an odd degree")]
    Negative,
}

pub(super) fn gcd_of<T: FixedInt>(a: &T, b: &T) -> Magnitude<T> {
    let (a, b, mut divisor) = (a.unsigned_abs(), b.unsigned_abs(), Uint::zero());
    with_scratch(|scratch| gcd(divisor.as_limbs_mut(), a.as_limbs(), b.as_limbs(), scratch));
    divisor
}

/// `|a| / gcd(a, b)`; 0 if both are 0.
pub(super) fn cofactor<T: FixedInt>(a: &T, b: &T) -> Magnitude<T> {
    a.unsigned_abs().div_rem(&gcd_of(a, b)).map_or_else(|_| Uint::zero(), |(quotient, _)| quotient)
}

pub(super) fn xgcd_of<T: FixedInt>(a: &T, b: &T) -> Xgcd<T, Signed<T>> {
    let mut out: [Magnitude<T>; 3] = [Uint::zero(), Uint::zero(), Uint::zero()];
    let [gcd, x, y] = out.each_mut().map(Uint::as_limbs_mut);
    let (a_magnitude, b_magnitude) = (a.unsigned_abs(), b.unsigned_abs());
    let signs =
        with_scratch(|scratch| xgcd(gcd, x, y, a_magnitude.as_limbs(), b_magnitude.as_limbs(), scratch));
    let [gcd, x, y] = out;
    Xgcd {
        gcd: T::from_sign_and_magnitude(false, gcd),
        x: Int::from_sign_and_magnitude(signs.x != a.is_negative(), x),
        y: Int::from_sign_and_magnitude(signs.y != b.is_negative(), y),
    }
}

/// `a + b mod |m|` for the magnitude of b with this sign.
pub(super) fn sum<T: FixedInt>(a: &T, b: &T, b_negative: bool, m: &T) -> Result<T, DivisionByZero> {
    let m = m.unsigned_abs();
    // Most operands are residues.
    let residue = |x: Magnitude<T>| if x < m { Ok(x) } else { x.div_rem(&m).map(|(_, rest)| rest) };
    let a = negated_if::<T>(a.is_negative(), residue(a.unsigned_abs())?, &m);
    let b = negated_if::<T>(b_negative, residue(b.unsigned_abs())?, &m);
    let (sum, over) = a.overflowing_add(&b);
    let sum = if over || sum >= m { sum - m } else { sum };
    Ok(T::from_sign_and_magnitude(false, sum))
}

/// `a b mod |m|` of the exact product.
pub(super) fn product<T: FixedInt>(a: &T, b: &T, m: &T) -> Result<T, DivisionByZero> {
    let modulus = m.unsigned_abs();
    if modulus.is_zero() {
        return Err(DivisionByZero);
    }
    let [a_words, b_words, m_words] = [&a.unsigned_abs(), &b.unsigned_abs(), &modulus].map(Uint::to_words64);
    let mut rest = with_scratch(|scratch| {
        let mut product = vec![];
        scratch.product.words(&mut product, Factors::Pair(&a_words, &b_words));
        divide(bits::significant(&product), bits::significant(&m_words), scratch).1
    });
    rest.resize(m_words.len(), 0);
    let mut residue = Uint::zero();
    words::unpack(residue.as_limbs_mut(), &rest);
    Ok(residue_of_sign(a.is_negative() != b.is_negative(), residue, &modulus))
}

/// `1 / a mod |m|`.
pub(super) fn inverse<T: FixedInt>(number: &T, modulus: &T) -> Result<T, ModInvError> {
    let (a, m, mut inverse) = (number.unsigned_abs(), modulus.unsigned_abs(), Uint::zero());
    with_scratch(|scratch| modinv(inverse.as_limbs_mut(), a.as_limbs(), m.as_limbs(), scratch))?;
    Ok(residue_of_sign(number.is_negative(), inverse, &m))
}

/// `a^exponent mod |m|`.
pub(super) fn power<T: FixedInt>(
    number: &T,
    exponent: &Magnitude<T>,
    modulus: &T,
) -> Result<T, DivisionByZero> {
    let (a, m, mut power) = (number.unsigned_abs(), modulus.unsigned_abs(), Uint::zero());
    with_scratch(|scratch| {
        powmod(power.as_limbs_mut(), a.as_limbs(), exponent.as_limbs(), m.as_limbs(), scratch)
    })?;
    Ok(residue_of_sign(number.is_negative() && exponent.is_odd(), power, &m))
}

/// The Jacobi symbol `(a / |n|)`.
pub(super) fn symbol<T: FixedInt>(number: &T, n: &T) -> Result<i8, EvenModulus> {
    let (a, n) = (number.unsigned_abs(), n.unsigned_abs());
    let symbol = with_scratch(|scratch| jacobi(a.as_limbs(), n.as_limbs(), scratch))?;
    // (-1 / n) = -1 for n = 3 mod 4.
    Ok(if number.is_negative() && n.bit(1) { -symbol } else { symbol })
}

/// The root of this degree, rounded down.
pub(super) fn root_of<T: FixedInt>(a: &T, degree: u32) -> Result<T, RootError> {
    if a.is_negative() && degree != 0 && degree.is_multiple_of(2) {
        return Err(RootError::Negative);
    }
    let (magnitude, mut found) = (a.unsigned_abs(), Uint::zero());
    let exact = with_scratch(|scratch| root(found.as_limbs_mut(), magnitude.as_limbs(), degree, scratch))?;
    // Rounded down, a negative root is further from 0.
    let found = if a.is_negative() && !exact { found + 1 } else { found };
    Ok(T::from_sign_and_magnitude(a.is_negative(), found))
}

pub(super) fn square_root_of<T: FixedInt>(a: &T) -> Option<T> {
    (!a.is_negative()).then(|| {
        let mut root = T::default();
        with_scratch(|scratch| isqrt(root.as_limbs_mut(), a.as_limbs(), scratch));
        root
    })
}

/// Whether the number is a perfect power; the exponent is odd if the number is negative.
pub(super) fn is_power<T: FixedInt>(a: &T) -> bool {
    let test = if a.is_negative() { is_odd_perfect_power } else { is_perfect_power };
    with_scratch(|scratch| test(a.unsigned_abs().as_limbs(), scratch))
}

/// A base passes if and only if its negative does.
pub(super) fn is_strong_probable_prime_to<T: FixedInt>(n: &T, base: &T) -> bool {
    let test =
        |scratch: &mut _| is_strong_probable_prime(n.as_limbs(), base.unsigned_abs().as_limbs(), scratch);
    !n.is_negative() && with_scratch(test)
}

/// A residue, or its negative, mod m.
fn residue_of_sign<T: FixedInt>(negative: bool, residue: Magnitude<T>, modulus: &Magnitude<T>) -> T {
    T::from_sign_and_magnitude(false, negated_if::<T>(negative, residue, modulus))
}

fn negated_if<T: FixedInt>(negative: bool, residue: Magnitude<T>, modulus: &Magnitude<T>) -> Magnitude<T> {
    if negative && !residue.is_zero() { modulus - residue } else { residue }
}
