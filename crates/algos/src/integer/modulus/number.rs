//! Moduli of numbers.

use limbforge_limb::{Base, DivisionByZero, FixedInt, Uint, generic_array::ArrayLength};

use super::{Barrett, constants::Ring};
use crate::integer::packed::{as_words, unpack};
use crate::integer::{Scratch, modinv::ModInvError, scratch::with_scratch};

/// A modulus for many operations, with their constants: the reciprocal of Barrett's reduction, and for powers
/// modulo an odd number those of Montgomery's.
///
/// Operands are any numbers of the modulus's type; results are in `0..m`. For long chains of operations
/// modulo an odd number there is [`OddModulus`](super::OddModulus); for numbers of other lengths
/// [`reduce`](Modulus::reduce). Not constant time.
///
/// ```
/// use limbforge_algos::integer::modulus::Modulus;
/// use limbforge_limb::U256;
///
/// let p = U256::from_str_const("0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
/// let modulus = Modulus::new(&p)?;
/// let a = modulus.pow(&U256::from(3_u8), &(p - 2)); // Fermat: 1/3
/// assert_eq!(modulus.mul(&a, &U256::from(3_u8)), 1);
/// assert_eq!(modulus.inv(&U256::from(3_u8)), Ok(a));
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modulus<T: FixedInt> {
    modulus: T,
    barrett: Barrett<T::Limb>,
    montgomery: Option<Ring>,
}

/// The lines as an example, after those that all examples here begin with.
macro_rules! example {
    ($($line:literal)+) => {
        concat!(
            "\n```\nuse limbforge_algos::integer::modulus::Modulus;\nuse limbforge_limb::{DivisionByZero, I512, U256, U512};\n\n",
            "let modulus = Modulus::new(&U256::from(10_u8))?;\n",
            "let (a, b) = (U256::MAX, U256::from(7_u8)); // 5 and 7 modulo 10\n",
            $($line, "\n",)+
            "# Ok::<(), DivisionByZero>(())\n```"
        )
    };
}

impl<B: Base, N: ArrayLength> Modulus<Uint<B, N>> {
    /// The modulus with its constants, which take a division or two.
    #[doc = example!("assert_eq!(Modulus::new(&U256::ZERO), Err(DivisionByZero));")]
    ///
    /// # Errors
    /// [`DivisionByZero`] if it is 0.
    pub fn new(modulus: &Uint<B, N>) -> Result<Self, DivisionByZero> {
        let barrett = Barrett::new(modulus.as_limbs())?;
        let montgomery = with_scratch(|scratch| Ring::montgomery(&as_words(modulus.as_limbs()), scratch));
        Ok(Self { modulus: modulus.clone(), barrett, montgomery })
    }

    /// The modulus itself.
    #[doc = example!("assert_eq!(modulus.modulus(), &10);")]
    #[must_use]
    pub const fn modulus(&self) -> &Uint<B, N> {
        &self.modulus
    }

    /// `x mod m` in `0..m`, for a number of any length and sign.
    #[doc = example!("assert_eq!(modulus.reduce(&I512::from(-123)), 7);")]
    #[must_use]
    pub fn reduce<T: FixedInt<Limb = B>>(&self, x: &T) -> Uint<B, N> {
        let mut rest = Uint::zero();
        with_scratch(|scratch| {
            self.barrett.reduce(rest.as_limbs_mut(), x.unsigned_abs().as_limbs(), scratch);
        });
        if x.is_negative() && !rest.is_zero() { &self.modulus - &rest } else { rest }
    }

    operations! { Uint<B, N>:
        /// `a + b mod m` of the exact sum.
        add(a, b) = |barrett, out, _scratch| barrett.add(out, a, b), "assert_eq!(modulus.add(&a, &b), 2);";
        /// `a - b mod m` of the exact difference.
        sub(a, b) = |barrett, out, _scratch| barrett.sub(out, a, b), "assert_eq!(modulus.sub(&b, &a), 2);";
        /// `-a mod m`.
        neg(a) = |barrett, out, _scratch| barrett.sub(out, Uint::<B, N>::zero().as_limbs(), a),
            "assert_eq!(modulus.neg(&b), 3);";
        /// `a * b mod m` of the exact product.
        mul(a, b) = |barrett, out, scratch| barrett.mul(out, a, b, scratch),
            "assert_eq!(modulus.mul(&a, &b), 5);";
        /// `a * a mod m` of the exact square.
        sqr(a) = |barrett, out, scratch| barrett.sqr(out, a, scratch), "assert_eq!(modulus.sqr(&b), 9);";
    }

    /// `a^exponent mod m`, for an exponent of any length; `a^0` is 1 mod m.
    #[doc = example!("assert_eq!(modulus.pow(&b, &U512::MAX), 3); // of order 4")]
    #[must_use]
    pub fn pow<E: ArrayLength>(&self, a: &Uint<B, N>, exponent: &Uint<B, E>) -> Uint<B, N> {
        let (a, mut power) = (self.reduced(a), Uint::zero());
        let ring = self.montgomery.as_ref().unwrap_or(&self.barrett.ring);
        with_scratch(|scratch| {
            let words = ring.power_of(&as_words(a.as_limbs()), exponent.as_limbs(), scratch);
            unpack(power.as_limbs_mut(), words);
        });
        power
    }

    /// `1/a mod m`. Modulo 1 it is 0.
    #[doc = example!(
        "assert_eq!(modulus.inv(&b), Ok(U256::from(3_u8)));"
        "assert!(modulus.inv(&a).is_err()); // 5 divides both"
    )]
    ///
    /// # Errors
    /// [`ModInvError::NotCoprime`] if a and m have a common divisor.
    pub fn inv(&self, a: &Uint<B, N>) -> Result<Uint<B, N>, ModInvError> {
        let mut result = Ok(());
        let inverse = self.run([a], |m, out, [a], scratch| result = m.inverse(out, a, scratch));
        result.map(|()| inverse)
    }

    /// A number as a residue: most are one.
    fn reduced(&self, a: &Uint<B, N>) -> Uint<B, N> {
        if *a < self.modulus { a.clone() } else { self.reduce(a) }
    }

    fn run<const K: usize>(
        &self,
        operands: [&Uint<B, N>; K],
        operation: impl FnOnce(&Barrett<B>, &mut [B], [&[B]; K], &mut Scratch),
    ) -> Uint<B, N> {
        let (operands, mut result) = (operands.map(|a| self.reduced(a)), Uint::zero());
        let limbs = operands.each_ref().map(Uint::as_limbs);
        with_scratch(|scratch| operation(&self.barrett, result.as_limbs_mut(), limbs, scratch));
        result
    }
}
