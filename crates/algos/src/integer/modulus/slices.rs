//! Moduli on limb slices. Their functions panic unless results and residues have the M limbs of the modulus.

use core::marker::PhantomData;

use limbforge_limb::{Base, DivisionByZero, slice::mul::Factors};

use super::{EvenModulus, constants::Ring};
use crate::integer::packed::{add_mod, as_words, sub_mod, unpack};
use crate::integer::{Scratch, modinv::ModInvError};

/// Defines a modulus on limb slices, with the functions that both kinds share.
macro_rules! context {
    ($(#[$doc:meta])* $Context:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $Context<B> {
            pub(super) ring: Ring,
            len: usize,
            limb: PhantomData<B>,
        }

        impl<B: Base> $Context<B> {
            const fn of(ring: Ring, len: usize) -> Self {
                Self { ring, len, limb: PhantomData }
            }

            /// M, the limbs of the modulus as it was given and of residues.
            #[must_use]
            pub const fn limbs(&self) -> usize {
                self.len
            }

            /// `out = a + b`, of residues.
            pub fn add(&self, out: &mut [B], a: &[B], b: &[B]) {
                self.on_words(out, [a, b], |out, [a, b]| add_mod(out, a, b, &self.ring.modulus));
            }

            /// `out = a - b`, of residues.
            pub fn sub(&self, out: &mut [B], a: &[B], b: &[B]) {
                self.on_words(out, [a, b], |out, [a, b]| sub_mod(out, a, b, &self.ring.modulus));
            }

            /// `out = a * b`, of residues.
            pub fn mul(&self, out: &mut [B], a: &[B], b: &[B], scratch: &mut Scratch) {
                self.on_words(out, [a, b], |out, [a, b]| self.ring.mul(out, Factors::Pair(a, b), scratch));
            }

            /// `out = a * a`, of a residue.
            pub fn sqr(&self, out: &mut [B], a: &[B], scratch: &mut Scratch) {
                self.on_words(out, [a], |out, [a]| self.ring.mul(out, Factors::Square(a), scratch));
            }

            /// `out = a^exponent` of a residue; the empty product is 1 mod m. The exponent is a number of
            /// any length.
            pub fn pow(&self, out: &mut [B], a: &[B], exponent: &[B], scratch: &mut Scratch) {
                self.on_words(out, [a], |out, [a]| {
                    out.copy_from_slice(&self.ring.power(a, exponent, scratch));
                });
            }

            /// `out = 1/a` of a residue. Modulo 1 it is 0.
            ///
            /// # Errors
            /// [`ModInvError::NotCoprime`] if a and m have a common divisor; out is then zero.
            pub fn inverse(&self, out: &mut [B], a: &[B], scratch: &mut Scratch) -> Result<(), ModInvError> {
                self.on_words(out, [a], |out, [a]| self.ring.inverse(out, a, scratch))
            }

            /// Writes words to M limbs.
            fn write(&self, out: &mut [B], words: Vec<u64>) {
                assert_eq!(out.len(), self.len, "the limbs of the modulus");
                unpack(out, words);
            }

            /// Runs `operation` on the words of the residues, as many as the modulus has.
            fn on_words<T, const K: usize>(
                &self,
                out: &mut [B],
                residues: [&[B]; K],
                operation: impl FnOnce(&mut [u64], [&[u64]; K]) -> T,
            ) -> T {
                let all = residues.iter().all(|residue| residue.len() == self.len);
                assert!(all && out.len() == self.len, "the limbs of the modulus");
                let n = self.ring.modulus.len();
                let residues = residues.map(as_words);
                let residues = residues.each_ref().map(|residue| &residue[..n]);
                if let Some(words) = B::as_words_mut(out).filter(|words| words.len() == n) {
                    return operation(words, residues);
                }
                let mut words = vec![0; n];
                let result = operation(&mut words, residues);
                self.write(out, words);
                result
            }
        }
    };
}

context! {
    /// Any modulus with its reciprocal, on limb slices: residues are numbers in `0..m`.
    /// [`Modulus`](super::Modulus) is the same on numbers.
    ///
    /// ```
    /// use limbforge_algos::integer::{Scratch, modulus::Barrett};
    /// let (modulus, mut scratch) = (Barrett::<u64>::new(&[1_000_000])?, Scratch::default());
    /// let (mut a, mut b) = ([0], [0]);
    /// modulus.reduce(&mut a, &[7, 1], &mut scratch); // 2^64 + 7
    /// modulus.pow(&mut b, &a, &[3], &mut scratch);
    /// assert_eq!((a, b), ([551_623], [551_623_u64.pow(3) % 1_000_000]));
    /// # Ok::<(), limbforge_limb::DivisionByZero>(())
    /// ```
    Barrett
}

impl<B: Base> Barrett<B> {
    /// The modulus with its reciprocal, which takes a division.
    ///
    /// # Errors
    /// [`DivisionByZero`] if it is zero.
    pub fn new(modulus: &[B]) -> Result<Self, DivisionByZero> {
        Ok(Self::of(Ring::barrett(&as_words(modulus), &mut Scratch::default())?, modulus.len()))
    }

    /// `out = x mod m`, for x of any length.
    pub fn reduce(&self, out: &mut [B], x: &[B], scratch: &mut Scratch) {
        self.write(out, self.ring.enter(&as_words(x), scratch));
    }
}

context! {
    /// An odd modulus on limb slices, with the constants of Montgomery's reduction: `R = 2^(64 n)` for n
    /// words.
    ///
    /// The residue of a number a is `a R mod m`: [`enter`](Montgomery::enter) makes it,
    /// [`leave`](Montgomery::leave) gives the number. All other functions take and give residues. Equal
    /// numbers have equal residues, and that of 0 is 0.
    ///
    /// ```
    /// use limbforge_algos::integer::{Scratch, modulus::Montgomery};
    /// let (modulus, mut scratch) = (Montgomery::<u64>::new(&[1_000_003])?, Scratch::default());
    /// let (mut a, mut power, mut out) = ([0], [0], [0]);
    /// modulus.enter(&mut a, &[5], &mut scratch);
    /// modulus.pow(&mut power, &a, &[1_000_002], &mut scratch);
    /// modulus.leave(&mut out, &power, &mut scratch);
    /// assert_eq!(out, [1]); // Fermat
    /// # Ok::<(), limbforge_algos::integer::modulus::EvenModulus>(())
    /// ```
    Montgomery
}

impl<B: Base> Montgomery<B> {
    /// The modulus with its constants, which take a division.
    ///
    /// # Errors
    /// [`EvenModulus`] if it is even.
    pub fn new(modulus: &[B]) -> Result<Self, EvenModulus> {
        Self::with(modulus, &mut Scratch::default())
    }

    pub(super) fn with(modulus: &[B], scratch: &mut Scratch) -> Result<Self, EvenModulus> {
        let ring = Ring::montgomery(&as_words(modulus), scratch).ok_or(EvenModulus)?;
        Ok(Self::of(ring, modulus.len()))
    }

    /// `out = x R mod m`, the residue of a number x of any length.
    pub fn enter(&self, out: &mut [B], x: &[B], scratch: &mut Scratch) {
        self.write(out, self.ring.enter(&as_words(x), scratch));
    }

    /// `out = a / R mod m`, the number of a residue.
    pub fn leave(&self, out: &mut [B], a: &[B], scratch: &mut Scratch) {
        self.on_words(out, [a], |out, [a]| out.copy_from_slice(&self.ring.leave(a, scratch)));
    }

    /// `out = R mod m`, the residue of 1.
    pub fn one(&self, out: &mut [B]) {
        self.write(out, self.ring.one.clone());
    }
}
