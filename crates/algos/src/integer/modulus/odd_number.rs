//! Odd moduli of numbers, whose residues have a type of their own.

use limbforge_limb::generic_array::ArrayLength;
use limbforge_limb::{Base, FixedInt, Uint};

use super::{EvenModulus, Montgomery, Scratch};
use crate::integer::modinv::ModInvError;
use crate::integer::value::scratch::with_scratch;

/// An odd modulus for long chains of operations, with the constants of Montgomery's reduction.
///
/// A number [enters](OddModulus::enter) as a [`Residue`], is computed with, and [leaves](OddModulus::leave)
/// as a number in `0..m`. Both take a product; in between, products are faster than those of
/// [`Modulus`](super::Modulus). Not constant time.
///
/// ```
/// use limbforge_algos::integer::modulus::OddModulus;
/// use limbforge_limb::U256;
///
/// let field = OddModulus::new(&U256::from_str_const("0x7fffffffffffffffffffffffffffffff"))?; // 2^127 - 1
/// let (x, y) = (field.enter(&U256::from(3_u8)), field.enter(&U256::from(5_u8)));
/// let norm = field.add(&field.sqr(&x), &field.sqr(&y));
/// assert_eq!(field.leave(&norm), 34);
/// # Ok::<(), limbforge_algos::integer::modulus::EvenModulus>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddModulus<T: FixedInt> {
    modulus: T,
    montgomery: Montgomery<T::Limb>,
}

/// A residue modulo an [`OddModulus`], in Montgomery's form: `a R mod m` for a number a.
///
/// Equal numbers have equal residues. One of another modulus gives residues of no meaning, but does no harm.
///
/// ```
/// use limbforge_algos::integer::modulus::OddModulus;
/// use limbforge_limb::U256;
///
/// let field = OddModulus::new(&U256::from(7_u8))?;
/// assert_eq!(field.enter(&U256::from(10_u8)), field.enter(&U256::from(3_u8)));
/// # Ok::<(), limbforge_algos::integer::modulus::EvenModulus>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Residue<T>(T);

/// The operations on residues of a modulus, each with the same example.
macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        $name:ident($($a:ident),+) = |$montgomery:ident, $out:ident, $scratch:ident| $run:expr, $example:literal;
    )*) => {$(
        $(#[$doc])*
        ///
        /// ```
        /// use limbforge_algos::integer::modulus::OddModulus;
        /// use limbforge_limb::U256;
        ///
        /// let field = OddModulus::new(&U256::from(11_u8))?;
        /// let [a, b] = [3_u8, 5].map(|x| field.enter(&U256::from(x)));
        #[doc = concat!("assert_eq!(", $example, ");")]
        /// # Ok::<(), limbforge_algos::integer::modulus::EvenModulus>(())
        /// ```
        #[must_use]
        pub fn $name(&self, $($a: &Residue<Uint<B, N>>),+) -> Residue<Uint<B, N>> {
            let $montgomery = &self.montgomery;
            $(let $a = $a.0.as_limbs();)+
            Residue::written(|$out, $scratch| $run)
        }
    )*};
}

impl<B: Base, N: ArrayLength> OddModulus<Uint<B, N>> {
    /// The modulus with its constants, which take a division.
    ///
    /// ```
    /// use limbforge_algos::integer::modulus::{EvenModulus, OddModulus};
    /// use limbforge_limb::U256;
    ///
    /// assert!(OddModulus::new(&U256::from(15_u8)).is_ok());
    /// assert_eq!(OddModulus::new(&U256::from(10_u8)), Err(EvenModulus));
    /// ```
    ///
    /// # Errors
    /// [`EvenModulus`] if it is even, as 0 is.
    pub fn new(modulus: &Uint<B, N>) -> Result<Self, EvenModulus> {
        let montgomery = with_scratch(|scratch| Montgomery::with(modulus.as_limbs(), &mut scratch.residues))?;
        Ok(Self { modulus: modulus.clone(), montgomery })
    }

    /// The modulus itself.
    ///
    /// ```
    /// use limbforge_algos::integer::modulus::OddModulus;
    /// use limbforge_limb::U256;
    ///
    /// let seven = U256::from(7_u8);
    /// assert_eq!(OddModulus::new(&seven)?.modulus(), &seven);
    /// # Ok::<(), limbforge_algos::integer::modulus::EvenModulus>(())
    /// ```
    #[must_use]
    pub const fn modulus(&self) -> &Uint<B, N> {
        &self.modulus
    }

    /// The residue of a number of any length and sign.
    ///
    /// ```
    /// use limbforge_algos::integer::modulus::OddModulus;
    /// use limbforge_limb::{I512, U256};
    ///
    /// let field = OddModulus::new(&U256::from(7_u8))?;
    /// assert_eq!(field.leave(&field.enter(&I512::from(-2))), 5);
    /// # Ok::<(), limbforge_algos::integer::modulus::EvenModulus>(())
    /// ```
    #[must_use]
    pub fn enter<T: FixedInt<Limb = B>>(&self, x: &T) -> Residue<Uint<B, N>> {
        let magnitude = x.unsigned_abs();
        let residue =
            Residue::written(|out, scratch| self.montgomery.enter(out, magnitude.as_limbs(), scratch));
        if x.is_negative() { self.neg(&residue) } else { residue }
    }

    /// The number of a residue, in `0..m`.
    ///
    /// ```
    /// use limbforge_algos::integer::modulus::OddModulus;
    /// use limbforge_limb::U256;
    ///
    /// let field = OddModulus::new(&U256::from(7_u8))?;
    /// assert_eq!(field.leave(&field.enter(&U256::from(10_u8))), 3);
    /// # Ok::<(), limbforge_algos::integer::modulus::EvenModulus>(())
    /// ```
    #[must_use]
    pub fn leave(&self, a: &Residue<Uint<B, N>>) -> Uint<B, N> {
        Residue::written(|out, scratch| self.montgomery.leave(out, a.0.as_limbs(), scratch)).0
    }

    /// The residue of 1. That of 0 is [`Residue::default`].
    ///
    /// ```
    /// use limbforge_algos::integer::modulus::OddModulus;
    /// use limbforge_limb::U256;
    ///
    /// let field = OddModulus::new(&U256::from(7_u8))?;
    /// assert_eq!(field.one(), field.enter(&U256::ONE));
    /// # Ok::<(), limbforge_algos::integer::modulus::EvenModulus>(())
    /// ```
    #[must_use]
    pub fn one(&self) -> Residue<Uint<B, N>> {
        Residue::written(|out, _| self.montgomery.one(out))
    }

    operations! {
        /// `a + b`.
        add(a, b) = |context, out, _scratch| context.add(out, a, b),
            "field.leave(&field.add(&a, &b)), 8";
        /// `a - b`.
        sub(a, b) = |context, out, _scratch| context.sub(out, a, b),
            "field.leave(&field.sub(&a, &b)), 9";
        /// `-a`.
        neg(a) = |context, out, _scratch| context.sub(out, Uint::<B, N>::zero().as_limbs(), a),
            "field.leave(&field.neg(&b)), 6";
        /// `a * b`.
        mul(a, b) = |context, out, scratch| context.mul(out, a, b, scratch),
            "field.leave(&field.mul(&a, &b)), 4";
        /// `a * a`.
        sqr(a) = |context, out, scratch| context.sqr(out, a, scratch),
            "field.leave(&field.sqr(&b)), 3";
    }

    /// `a^exponent`, for a number of any length as exponent; `a^0` is the residue of 1.
    ///
    /// ```
    /// use limbforge_algos::integer::modulus::OddModulus;
    /// use limbforge_limb::U256;
    ///
    /// let field = OddModulus::new(&U256::from(11_u8))?;
    /// let a = field.enter(&U256::from(2_u8));
    /// assert_eq!(field.pow(&a, &U256::from(10_u8)), field.one()); // Fermat
    /// # Ok::<(), limbforge_algos::integer::modulus::EvenModulus>(())
    /// ```
    #[must_use]
    pub fn pow<E: ArrayLength>(&self, a: &Residue<Uint<B, N>>, exponent: &Uint<B, E>) -> Residue<Uint<B, N>> {
        Residue::written(|out, scratch| {
            self.montgomery.pow(out, a.0.as_limbs(), exponent.as_limbs(), scratch);
        })
    }

    /// `1/a`. Modulo 1 it is 0.
    ///
    /// ```
    /// use limbforge_algos::integer::modulus::OddModulus;
    /// use limbforge_limb::U256;
    ///
    /// let field = OddModulus::new(&U256::from(11_u8))?;
    /// let a = field.enter(&U256::from(2_u8));
    /// assert_eq!(field.inv(&a).map(|inverse| field.leave(&inverse)), Ok(U256::from(6_u8)));
    /// # Ok::<(), limbforge_algos::integer::modulus::EvenModulus>(())
    /// ```
    ///
    /// # Errors
    /// [`ModInvError::NotCoprime`] if a and m have a common divisor.
    pub fn inv(&self, a: &Residue<Uint<B, N>>) -> Result<Residue<Uint<B, N>>, ModInvError> {
        let mut result = Ok(());
        let inverse = Residue::written(|out, scratch| {
            result = self.montgomery.inverse(out, a.0.as_limbs(), scratch);
        });
        result.map(|()| inverse)
    }
}

impl<B: Base, N: ArrayLength> Residue<Uint<B, N>> {
    /// The residue that `write` puts into its limbs.
    fn written(write: impl FnOnce(&mut [B], &mut Scratch)) -> Self {
        let mut residue = Self::default();
        with_scratch(|scratch| write(residue.0.as_limbs_mut(), &mut scratch.residues));
        residue
    }
}
