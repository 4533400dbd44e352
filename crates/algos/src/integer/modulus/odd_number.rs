//! Odd moduli of numbers, whose residues have a type of their own.

use limbforge_limb::{Base, FixedInt, Uint, generic_array::ArrayLength};

use super::{EvenModulus, Montgomery};
use crate::integer::{Scratch, modinv::ModInvError, scratch::with_scratch};

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

/// The lines as an example, after those that all examples here begin with.
macro_rules! example {
    ($($line:literal)+) => {
        concat!(
            "\n```\nuse limbforge_algos::integer::modulus::{EvenModulus, OddModulus};\nuse limbforge_limb::{I512, U256};\n\n",
            "let field = OddModulus::new(&U256::from(11_u8))?;\n",
            "let [a, b] = [3_u8, 5].map(|x| field.enter(&U256::from(x)));\n",
            $($line, "\n",)+
            "# Ok::<(), EvenModulus>(())\n```"
        )
    };
}

/// A residue modulo an [`OddModulus`], in Montgomery's form: `a R mod m` for a number a.
///
/// Equal numbers have equal residues. One of another modulus gives meaningless residues, but does no harm.
#[doc = example!("assert_eq!(field.enter(&U256::from(14_u8)), a);")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Residue<T>(T);

impl<B: Base, N: ArrayLength> OddModulus<Uint<B, N>> {
    /// The modulus with its constants, which take a division.
    #[doc = example!("assert_eq!(OddModulus::new(&U256::from(10_u8)), Err(EvenModulus));")]
    ///
    /// # Errors
    /// [`EvenModulus`] if it is even, as 0 is.
    pub fn new(modulus: &Uint<B, N>) -> Result<Self, EvenModulus> {
        let montgomery = with_scratch(|scratch| Montgomery::with(modulus.as_limbs(), scratch))?;
        Ok(Self { modulus: modulus.clone(), montgomery })
    }

    /// The modulus itself.
    #[doc = example!("assert_eq!(field.modulus(), &11);")]
    #[must_use]
    pub const fn modulus(&self) -> &Uint<B, N> {
        &self.modulus
    }

    /// The residue of a number of any length and sign.
    #[doc = example!("assert_eq!(field.leave(&field.enter(&I512::from(-2))), 9);")]
    #[must_use]
    pub fn enter<T: FixedInt<Limb = B>>(&self, x: &T) -> Residue<Uint<B, N>> {
        let magnitude = x.unsigned_abs();
        let residue = self.run([], |m, out, [], scratch| m.enter(out, magnitude.as_limbs(), scratch));
        if x.is_negative() { self.neg(&residue) } else { residue }
    }

    /// The number of a residue, in `0..m`.
    #[doc = example!("assert_eq!(field.leave(&a), 3);")]
    #[must_use]
    pub fn leave(&self, a: &Residue<Uint<B, N>>) -> Uint<B, N> {
        self.run([a], |m, out, [a], scratch| m.leave(out, a, scratch)).0
    }

    /// The residue of 1. That of 0 is [`Residue::default`].
    #[doc = example!("assert_eq!(field.one(), field.enter(&U256::ONE));")]
    #[must_use]
    pub fn one(&self) -> Residue<Uint<B, N>> {
        self.run([], |m, out, [], _| m.one(out))
    }

    operations! { Residue<Uint<B, N>>:
        /// `a + b`.
        add(a, b) = |m, out, _scratch| m.add(out, a, b), "assert_eq!(field.leave(&field.add(&a, &b)), 8);";
        /// `a - b`.
        sub(a, b) = |m, out, _scratch| m.sub(out, a, b), "assert_eq!(field.leave(&field.sub(&a, &b)), 9);";
        /// `-a`.
        neg(a) = |m, out, _scratch| m.sub(out, Uint::<B, N>::zero().as_limbs(), a),
            "assert_eq!(field.leave(&field.neg(&b)), 6);";
        /// `a * b`.
        mul(a, b) = |m, out, scratch| m.mul(out, a, b, scratch),
            "assert_eq!(field.leave(&field.mul(&a, &b)), 4);";
        /// `a * a`.
        sqr(a) = |m, out, scratch| m.sqr(out, a, scratch), "assert_eq!(field.leave(&field.sqr(&b)), 3);";
    }

    /// `a^exponent`, for a number of any length as exponent; `a^0` is the residue of 1.
    #[doc = example!("assert_eq!(field.pow(&a, &U256::from(10_u8)), field.one()); // Fermat")]
    #[must_use]
    pub fn pow<E: ArrayLength>(&self, a: &Residue<Uint<B, N>>, exponent: &Uint<B, E>) -> Residue<Uint<B, N>> {
        self.run([a], |m, out, [a], scratch| m.pow(out, a, exponent.as_limbs(), scratch))
    }

    /// `1/a`. Modulo 1 it is 0.
    #[doc = example!("assert_eq!(field.inv(&a).map(|inverse| field.leave(&inverse)), Ok(U256::from(4_u8)));")]
    ///
    /// # Errors
    /// [`ModInvError::NotCoprime`] if a and m have a common divisor.
    pub fn inv(&self, a: &Residue<Uint<B, N>>) -> Result<Residue<Uint<B, N>>, ModInvError> {
        let mut result = Ok(());
        let inverse = self.run([a], |m, out, [a], scratch| result = m.inverse(out, a, scratch));
        result.map(|()| inverse)
    }

    fn run<const K: usize>(
        &self,
        residues: [&Residue<Uint<B, N>>; K],
        operation: impl FnOnce(&Montgomery<B>, &mut [B], [&[B]; K], &mut Scratch),
    ) -> Residue<Uint<B, N>> {
        let (limbs, mut result) = (residues.map(|residue| residue.0.as_limbs()), Uint::zero());
        with_scratch(|scratch| operation(&self.montgomery, result.as_limbs_mut(), limbs, scratch));
        Residue(result)
    }
}
