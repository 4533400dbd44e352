//! Moduli of numbers.

use limbforge_limb::generic_array::ArrayLength;
use limbforge_limb::{Base, DivisionByZero, FixedInt, Uint};

use super::{Barrett, Montgomery};
use crate::integer::modinv::ModInvError;
use crate::integer::value::scratch::with_scratch;

/// A modulus for many operations, with what they share: the reciprocal of Barrett's reduction, and for powers
/// modulo an odd number the constants of Montgomery's.
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
    montgomery: Option<Montgomery<T::Limb>>,
}

/// The operations on numbers of the modulus's type, each with the same example.
macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        $name:ident($($a:ident),+) = |$barrett:ident, $out:ident, $scratch:ident| $run:expr, $example:literal;
    )*) => {$(
        $(#[$doc])*
        ///
        /// ```
        /// use limbforge_algos::integer::modulus::Modulus;
        /// use limbforge_limb::U256;
        ///
        /// let (a, b) = (U256::MAX, U256::from(7_u8)); // 5 and 7 modulo 10
        /// let modulus = Modulus::new(&U256::from(10_u8))?;
        #[doc = concat!("assert_eq!(", $example, ");")]
        /// # Ok::<(), limbforge_limb::DivisionByZero>(())
        /// ```
        #[must_use]
        pub fn $name(&self, $($a: &Uint<B, N>),+) -> Uint<B, N> {
            let $barrett = &self.barrett;
            $(let $a = self.reduced($a);)+
            $(let $a = $a.as_limbs();)+
            let mut result = Uint::zero();
            with_scratch(|scratch| {
                let ($out, $scratch) = (result.as_limbs_mut(), &mut scratch.residues);
                $run;
            });
            result
        }
    )*};
}

impl<B: Base, N: ArrayLength> Modulus<Uint<B, N>> {
    /// The modulus with its constants, which take a division or two.
    ///
    /// ```
    /// use limbforge_algos::integer::modulus::Modulus;
    /// use limbforge_limb::{DivisionByZero, U256};
    ///
    /// assert!(Modulus::new(&U256::from(1_000_u16)).is_ok());
    /// assert_eq!(Modulus::new(&U256::ZERO), Err(DivisionByZero));
    /// ```
    ///
    /// # Errors
    /// [`DivisionByZero`] if it is 0.
    pub fn new(modulus: &Uint<B, N>) -> Result<Self, DivisionByZero> {
        let barrett = Barrett::new(modulus.as_limbs())?;
        // Even moduli have no such constants.
        let montgomery =
            with_scratch(|scratch| Montgomery::with(modulus.as_limbs(), &mut scratch.residues)).ok();
        Ok(Self { modulus: modulus.clone(), barrett, montgomery })
    }

    /// The modulus itself.
    ///
    /// ```
    /// use limbforge_algos::integer::modulus::Modulus;
    /// use limbforge_limb::U256;
    ///
    /// let ten = U256::from(10_u8);
    /// assert_eq!(Modulus::new(&ten)?.modulus(), &ten);
    /// # Ok::<(), limbforge_limb::DivisionByZero>(())
    /// ```
    #[must_use]
    pub const fn modulus(&self) -> &Uint<B, N> {
        &self.modulus
    }

    /// `x mod m` in `0..m`, for a number of any length and sign.
    ///
    /// ```
    /// use limbforge_algos::integer::modulus::Modulus;
    /// use limbforge_limb::{I512, U256};
    ///
    /// let modulus = Modulus::new(&U256::from(10_u8))?;
    /// assert_eq!(modulus.reduce(&I512::from(-123)), 7);
    /// # Ok::<(), limbforge_limb::DivisionByZero>(())
    /// ```
    #[must_use]
    pub fn reduce<T: FixedInt<Limb = B>>(&self, x: &T) -> Uint<B, N> {
        let mut rest = Uint::zero();
        with_scratch(|scratch| {
            self.barrett.reduce(rest.as_limbs_mut(), x.unsigned_abs().as_limbs(), &mut scratch.residues);
        });
        if x.is_negative() { self.negated(&rest) } else { rest }
    }

    operations! {
        /// `a + b mod m` of the exact sum.
        add(a, b) = |barrett, out, _scratch| barrett.add(out, a, b), "modulus.add(&a, &b), 2";
        /// `a - b mod m` of the exact difference.
        sub(a, b) = |barrett, out, _scratch| barrett.sub(out, a, b), "modulus.sub(&b, &a), 2";
        /// `-a mod m`.
        neg(a) = |barrett, out, _scratch| barrett.sub(out, Uint::<B, N>::zero().as_limbs(), a), "modulus.neg(&b), 3";
        /// `a * b mod m` of the exact product.
        mul(a, b) = |barrett, out, scratch| barrett.mul(out, a, b, scratch), "modulus.mul(&a, &b), 5";
        /// `a * a mod m` of the exact square.
        sqr(a) = |barrett, out, scratch| barrett.sqr(out, a, scratch), "modulus.sqr(&b), 9";
    }

    /// `a^exponent mod m`, for an exponent of any length; `a^0` is 1 mod m.
    ///
    /// ```
    /// use limbforge_algos::integer::modulus::Modulus;
    /// use limbforge_limb::{U256, U512};
    ///
    /// let modulus = Modulus::new(&U256::from(10_u8))?;
    /// assert_eq!(modulus.pow(&U256::from(7_u8), &U512::MAX), 3); // of order 4
    /// # Ok::<(), limbforge_limb::DivisionByZero>(())
    /// ```
    #[must_use]
    pub fn pow<E: ArrayLength>(&self, a: &Uint<B, N>, exponent: &Uint<B, E>) -> Uint<B, N> {
        let (a, exponent, mut power) = (self.reduced(a), exponent.as_limbs(), Uint::zero());
        with_scratch(|scratch| {
            let (out, residues) = (power.as_limbs_mut(), &mut scratch.residues);
            let Some(montgomery) = &self.montgomery else {
                return self.barrett.pow(out, a.as_limbs(), exponent, residues);
            };
            let mut residue = a.clone();
            montgomery.enter(residue.as_limbs_mut(), a.as_limbs(), residues);
            let mut residue_of_power = Uint::<B, N>::zero();
            montgomery.pow(residue_of_power.as_limbs_mut(), residue.as_limbs(), exponent, residues);
            montgomery.leave(out, residue_of_power.as_limbs(), residues);
        });
        power
    }

    /// `1/a mod m`. Modulo 1 it is 0.
    ///
    /// ```
    /// use limbforge_algos::integer::modinv::ModInvError;
    /// use limbforge_algos::integer::modulus::Modulus;
    /// use limbforge_limb::U256;
    ///
    /// let modulus = Modulus::new(&U256::from(10_u8))?;
    /// assert_eq!(modulus.inv(&U256::from(7_u8))?, 3);
    /// assert_eq!(modulus.inv(&U256::from(5_u8)), Err(ModInvError::NotCoprime));
    /// # Ok::<(), ModInvError>(())
    /// ```
    ///
    /// # Errors
    /// [`ModInvError::NotCoprime`] if a and m have a common divisor.
    pub fn inv(&self, a: &Uint<B, N>) -> Result<Uint<B, N>, ModInvError> {
        let (a, mut inverse) = (self.reduced(a), Uint::zero());
        with_scratch(|scratch| {
            self.barrett.inverse(inverse.as_limbs_mut(), a.as_limbs(), &mut scratch.residues)
        })?;
        Ok(inverse)
    }

    /// A number as a residue: most are one.
    fn reduced(&self, a: &Uint<B, N>) -> Uint<B, N> {
        if *a < self.modulus { a.clone() } else { self.reduce(a) }
    }

    /// `-a mod m` of a residue.
    fn negated(&self, a: &Uint<B, N>) -> Uint<B, N> {
        if a.is_zero() { a.clone() } else { &self.modulus - a }
    }
}
