//! The traits of prime fields, for generic code.

use core::fmt::{Debug, Display, LowerHex};
use core::hash::Hash;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use core::str::FromStr;

use num_traits::{ConstOne, ConstZero};

use crate::reduction::Reduction;
use crate::text::ParseElementError;
use crate::word::Word;

/// An element of the field of p elements, where p, an odd prime below 2^64, is part of the type.
///
/// [`Zmod`](crate::Zmod) implements it. `a / b` panics if b is 0; [`inverse`](PrimeField::inverse) returns
/// `None`.
pub trait PrimeField:
    Copy
    + Debug
    + Default
    + Display
    + LowerHex
    + FromStr<Err = ParseElementError>
    + Hash
    + Ord
    + Send
    + Sync
    + 'static
    + ConstZero
    + ConstOne
    + From<u64>
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + for<'a> Add<&'a Self, Output = Self>
    + for<'a> Sub<&'a Self, Output = Self>
    + for<'a> Mul<&'a Self, Output = Self>
    + for<'a> Div<&'a Self, Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + for<'a> AddAssign<&'a Self>
    + for<'a> SubAssign<&'a Self>
    + for<'a> MulAssign<&'a Self>
    + for<'a> DivAssign<&'a Self>
    + Sum
    + Product
    + for<'a> Sum<&'a Self>
    + for<'a> Product<&'a Self>
{
    /// The word that stores an element.
    type Word: Word;
    /// The reduction.
    type Reduction: Reduction<Word = Self::Word>;

    /// p.
    const MODULUS: u64;
    /// The reduction modulo p. Hot loops use it on raw words, with lazy products where possible.
    const REDUCTION: Self::Reduction;

    /// The residue in `0..p`.
    fn value(self) -> Self::Word;

    /// The raw form of the element, a word below p.
    fn raw(self) -> Self::Word;

    /// The element with this raw form. Words of p or more are reduced mod p, so lazy results are allowed.
    fn from_raw(raw: Self::Word) -> Self;

    /// `2 * self`.
    #[must_use]
    fn double(self) -> Self;

    /// The element whose double is `self`.
    #[must_use]
    fn halve(self) -> Self;

    /// `self^2`.
    #[must_use]
    fn square(self) -> Self;

    /// `self^exponent`, with `0^0 = 1`.
    #[must_use]
    fn pow(self, exponent: u64) -> Self;

    /// The inverse, or `None` for 0.
    fn inverse(self) -> Option<Self>;

    /// Replaces every element by its inverse and keeps zeros.
    fn batch_inverse(elements: &mut [Self]);

    /// The square root with the smaller value, or `None` if there is none.
    fn sqrt(self) -> Option<Self>;

    /// 0 for 0, 1 for the square of a nonzero element, -1 for any other.
    fn quadratic_character(self) -> i8;
}

/// A prime field with its roots of unity: `p = K * 2^ADICITY + 1`, K odd.
pub trait TwoAdicField: PrimeField {
    /// The odd k in `p = k * 2^n + 1`.
    const K: u64;
    /// n in `p = k * 2^n + 1`: the field has transforms of up to 2^n points.
    const ADICITY: u32;

    /// The element [`PrimeModulus::ROOT`](crate::PrimeModulus::ROOT), of order exactly 2^n.
    #[must_use]
    fn root() -> Self;

    /// An element of order exactly `2^bits`, or `None` if `bits > ADICITY`. Its square is the element for
    /// `bits - 1`.
    #[must_use]
    fn two_adic_generator(bits: u32) -> Option<Self> {
        let squarings = Self::ADICITY.checked_sub(bits)?;
        Some((0..squarings).fold(Self::root(), |root, _| root.square()))
    }

    /// An element of order exactly `order`, or `None` unless `order` is `2^bits` or `3 * 2^bits` and divides
    /// p - 1. The square of the root of an even order is the root of half that order, and the cube of the
    /// root of order `3 * 2^bits` is [`two_adic_generator(bits)`](TwoAdicField::two_adic_generator).
    #[must_use]
    fn root_of_unity(order: u64) -> Option<Self>;
}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/field.md")]
struct Page;
