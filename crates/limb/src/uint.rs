//! Unsigned integers of a fixed number of limbs: the operations that differ from those of [`Int`].

use std::borrow::Cow;

use generic_array::{ArrayLength, GenericArray};
use num_bigint::BigUint;
use num_traits::Unsigned;

use crate::error::{DivisionByZero, RangeError};
use crate::slice::mul::{self, Factors};
use crate::slice::{add, bits, cmp, div, sub};
use crate::{base::Base, convert, fixed::with_scratch, int::Int, width::Width};

/// An unsigned integer of N limbs `B`: 0 to `2^BITS - 1`, where `BITS = N * B::BITS`.
///
/// `+ - *` are exact modulo `2^BITS`. The `checked_`, `overflowing_` and `saturating_` forms report an
/// overflow, and [`wide_mul`](Uint::wide_mul) returns the full product. `/` and `%` panic on a zero divisor
/// as `std` integers do; [`div_rem`](Uint::div_rem) returns an error instead. `<<` and `>>` by `BITS` or more
/// give 0.
///
/// The other operand of an operator or comparison may be any primitive integer, taken at its exact value:
/// `a + 1`, `2 * a`, `a % 10_u64`, `a == 5`. Comparisons have the number on the left. Several types compare
/// with a number, so `a == text.parse()?` must name one: `text.parse::<U256>()?`. `U256::from(5)` needs a
/// suffix, `U256::from(5_u32)`: a literal without one is an `i32`, which may be negative.
///
/// A number is `Copy` where its length is known, as in all aliases. Code generic over the [`Width`] clones.
///
/// N is a type of `typenum`, so the compiler computes and checks lengths; [`UintM`](crate::UintM) takes a
/// number instead. `typenum::U256` is the length 256, [`U256`](crate::U256) the integer of 256 bits.
///
/// ```
/// use limbforge_limb::Uint;
/// use typenum::{U4, U8};
///
/// let a: Uint<u64, U4> = "0xffffffffffffffffffffffffffffffff".parse()?;
/// let square: Uint<u64, U8> = a.wide_square();
/// assert_eq!(square.to_string(), "115792089237316195423570985008687907852589419931798687112530834793049593217025");
/// assert_eq!(a + 1, Uint::one() << 128);
/// # Ok::<(), limbforge_limb::text::ParseError>(())
/// ```
pub struct Uint<B: Base, N: ArrayLength> {
    pub(crate) limbs: GenericArray<B, N>,
}

impl<B: Base, N: ArrayLength> Unsigned for Uint<B, N> {}

methods! { Uint:
    /// The smallest number, 0.
    fn min_value() -> Self = Self::zero();
    /// The largest number, `2^BITS - 1`.
    fn max_value() -> Self = Self::filled(|limbs| limbs.fill(B::HIGHEST));
    /// Number of bits up to the highest one; 0 for 0.
    fn bits(&self) -> u32 = bits::bit_len(&self.limbs);

    /// `self + rhs + carry` as (sum mod `2^BITS`, carry out).
    fn carrying_add(&self, rhs: &Self, carry: bool) -> (Self, bool) = {
        let mut carry_out = false;
        let sum = Self::filled(|out| carry_out = add::add(out, &self.limbs, &rhs.limbs, carry));
        (sum, carry_out)
    };

    /// `self - rhs - borrow` as (difference mod `2^BITS`, borrow out).
    fn borrowing_sub(&self, rhs: &Self, borrow: bool) -> (Self, bool) = {
        let mut borrow_out = false;
        let difference = Self::filled(|out| borrow_out = sub::sub(out, &self.limbs, &rhs.limbs, borrow));
        (difference, borrow_out)
    };

    /// (`self + rhs mod 2^BITS`, whether the sum reached `2^BITS`).
    fn overflowing_add(&self, rhs: &Self) -> (Self, bool) = self.carrying_add(rhs, false);
    /// (`self - rhs mod 2^BITS`, whether `self < rhs`).
    fn overflowing_sub(&self, rhs: &Self) -> (Self, bool) = self.borrowing_sub(rhs, false);
    /// (`-self mod 2^BITS`, whether `self` is not 0).
    fn overflowing_neg(&self) -> (Self, bool) = Self::zero().borrowing_sub(self, false);

    /// (`self * rhs mod 2^BITS`, whether the product reached `2^BITS`).
    fn overflowing_mul(&self, rhs: &Self) -> (Self, bool) = {
        let (low, high) = self.widening_mul(rhs);
        (low, !cmp::is_zero(&high.limbs))
    };

    /// `self * rhs`, exactly, as (low half, high half).
    fn widening_mul(&self, rhs: &Self) -> (Self, Self) = {
        let [low, high] = self.halves_of_product(rhs);
        (Self { limbs: low }, Self { limbs: high })
    };

    /// The same bits as a two's complement number.
    fn cast_signed(self) -> Int<B, N> = Int { limbs: self.limbs };
}

impl<B: Base, N: ArrayLength> Uint<B, N> {
    /// (`floor(self / rhs)`, `self mod rhs`).
    ///
    /// # Errors
    /// [`DivisionByZero`] if `rhs` is 0.
    pub fn div_rem(&self, rhs: &Self) -> Result<(Self, Self), DivisionByZero> {
        let (mut quotient, mut remainder) = (Self::zero(), Self::zero());
        div::div_rem(&mut quotient.limbs, &mut remainder.limbs, &self.limbs, &rhs.limbs)?;
        Ok((quotient, remainder))
    }

    /// The same as [`div_rem`](Self::div_rem): both round down.
    ///
    /// # Errors
    /// [`DivisionByZero`] if `rhs` is 0.
    pub fn div_rem_euclid(&self, rhs: &Self) -> Result<(Self, Self), DivisionByZero> {
        self.div_rem(rhs)
    }

    /// The same as [`div_rem`](Self::div_rem), which rounds down.
    ///
    /// # Errors
    /// [`DivisionByZero`] if `rhs` is 0.
    pub fn div_rem_floor(&self, rhs: &Self) -> Result<(Self, Self), DivisionByZero> {
        self.div_rem(rhs)
    }

    /// (`floor(self / rhs)`, `self mod rhs`) by one limb, faster than by a number.
    ///
    /// # Errors
    /// [`DivisionByZero`] if `rhs` is 0.
    pub fn div_rem_limb(&self, rhs: B) -> Result<(Self, B), DivisionByZero> {
        let mut quotient = self.clone();
        let remainder = div::div_rem_limb(&mut quotient.limbs, rhs)?;
        Ok((quotient, remainder))
    }

    /// `self * rhs`, exactly.
    #[must_use]
    pub fn wide_mul(&self, rhs: &Self) -> Uint<B, N::Double>
    where
        N: Width,
    {
        let factors = Factors::Pair(&self.limbs, &rhs.limbs);
        Uint::filled(|out| with_scratch(|scratch| mul::wide(out, factors, scratch)))
    }

    /// `self * self`, exactly, at about half the cost of a product.
    #[must_use]
    pub fn wide_square(&self) -> Uint<B, N::Double>
    where
        N: Width,
    {
        let factors = Factors::Square(&self.limbs);
        Uint::filled(|out| with_scratch(|scratch| mul::wide(out, factors, scratch)))
    }

    /// The full product as two arrays, low half first.
    pub(crate) fn halves_of_product(&self, rhs: &Self) -> [GenericArray<B, N>; 2] {
        let mut halves = [GenericArray::default(), GenericArray::default()];
        let out = GenericArray::slice_from_chunks_mut(&mut halves);
        with_scratch(|scratch| mul::wide(out, Factors::Pair(&self.limbs, &rhs.limbs), scratch));
        halves
    }

    /// The number in M limbs, mod `2^BITS` of that width. `TryFrom` checks that it fits.
    #[must_use]
    pub fn resize<M: ArrayLength>(&self) -> Uint<B, M> {
        let kept = M::USIZE.min(N::USIZE);
        Uint::filled(|out| out[..kept].copy_from_slice(&self.limbs[..kept]))
    }

    pub(crate) fn from_big(value: &BigUint) -> Result<Self, RangeError> {
        let mut number = Self::zero();
        let fits = convert::from_biguint(value, &mut number.limbs);
        if fits { Ok(number) } else { Err(RangeError { ty: Self::TYPE, needed: value.bits() }) }
    }

    pub(crate) fn sign_and_magnitude(&self) -> (bool, Cow<'_, Self>) {
        (false, Cow::Borrowed(self))
    }
}
