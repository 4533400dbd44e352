//! Odd moduli on limb slices, whose residues are kept times R.

use core::marker::PhantomData;

use limbforge_limb::Base;
use limbforge_limb::slice::bits;
use limbforge_limb::slice::mul::Factors;

use super::{Ring, Scratch, packed, power, residues, unpack};
use crate::integer::div::{self, Words, div_rem};
use crate::integer::modinv::{ModInvError, modinv};
use crate::integer::modinv2k;
use crate::integer::montgomery::{fused, negated_inverse, reduce, reduce_by_products};
use crate::invariant::broken_invariant;
use crate::transform::mul_ntt;

/// From so many words on, reduction by products is faster than word by word, if transforms are. Measured: the
/// same time at 128 words, a fifth at 512.
const BY_PRODUCTS: usize = 136;

/// The modulus of [`OddModulus`](super::OddModulus), or the lower number n of a Jacobi symbol `(a / n)`, is
/// even, as 0 is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the modulus is even: expected an odd one")]
pub struct EvenModulus;

/// An odd modulus with the constants of Montgomery's reduction, `R = 2^(64 n)` for n words: `R mod m`, `R^2
/// mod m`, `-1/m mod 2^64`, and for long ones `-1/m mod R`.
///
/// A number a is kept as the residue `a R mod m`: [`enter`](Montgomery::enter) makes it,
/// [`leave`](Montgomery::leave) gives the number. All other functions take and give such residues. Equal
/// numbers have equal residues, and that of 0 is 0.
///
/// ```
/// use limbforge_algos::integer::modulus::{Montgomery, Scratch};
/// let (modulus, mut scratch) = (Montgomery::<u64>::new(&[1_000_003])?, Scratch::default());
/// let (mut a, mut power, mut out) = ([0], [0], [0]);
/// modulus.enter(&mut a, &[5], &mut scratch);
/// modulus.pow(&mut power, &a, &[1_000_002], &mut scratch);
/// modulus.leave(&mut out, &power, &mut scratch);
/// assert_eq!(out, [1]); // Fermat
/// # Ok::<(), limbforge_algos::integer::modulus::EvenModulus>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Montgomery<B> {
    /// Without zeros at the top.
    modulus: Vec<u64>,
    negated: u64,
    /// `-1/m mod R` where the reduction is by products; else empty.
    negated_long: Vec<u64>,
    one: Vec<u64>,
    square: Vec<u64>,
    len: usize,
    limb: PhantomData<B>,
}

impl<B: Base> Montgomery<B> {
    /// The modulus with its constants, which take a division.
    ///
    /// # Errors
    /// [`EvenModulus`] if it is even.
    pub fn new(modulus: &[B]) -> Result<Self, EvenModulus> {
        Self::with(modulus, &mut Scratch::default())
    }

    /// As [`new`](Montgomery::new), in memory that is reused.
    ///
    /// # Errors
    /// [`EvenModulus`] if it is even.
    pub fn with(modulus: &[B], scratch: &mut Scratch) -> Result<Self, EvenModulus> {
        let packed = packed(modulus);
        let words = bits::significant(&packed);
        if !bits::bit(words, 0) {
            return Err(EvenModulus);
        }
        let n = words.len();
        let mut long = vec![];
        if n >= BY_PRODUCTS && mul_ntt::is_fast() {
            let mut inverse = vec![0; n];
            modinv2k::lift(&mut inverse, words, &mut scratch.products)
                .unwrap_or_else(|_| broken_invariant("the modulus is odd"));
            limbforge_limb::slice::sub::neg_assign(&mut inverse);
            long = inverse;
        }
        let mut odd = Self {
            modulus: words.to_vec(),
            negated: negated_inverse(words[0]),
            negated_long: long,
            one: vec![],
            square: residue(words, 2 * n, &mut scratch.division),
            len: modulus.len(),
            limb: PhantomData,
        };
        odd.one = odd.product(&odd.square, &residues::small(1, n), scratch);
        Ok(odd)
    }

    /// `out = x R mod m`, the residue of a number x of any length.
    ///
    /// # Panics
    /// Unless out has M limbs.
    pub fn enter(&self, out: &mut [B], x: &[B], scratch: &mut Scratch) {
        assert_eq!(out.len(), self.len, "the limbs of the modulus");
        unpack(out, self.residue(&packed(x), scratch));
    }

    /// `out = a / R mod m`, the number of a residue.
    ///
    /// # Panics
    /// Unless both have M limbs.
    pub fn leave(&self, out: &mut [B], a: &[B], scratch: &mut Scratch) {
        self.on_pair(out, a, a, |out, a, _| out.copy_from_slice(&self.number(a, scratch)));
    }

    /// `out = R mod m`, the residue of 1.
    ///
    /// # Panics
    /// Unless out has M limbs.
    pub fn one(&self, out: &mut [B]) {
        assert_eq!(out.len(), self.len, "the limbs of the modulus");
        unpack(out, self.one.clone());
    }

    /// `out = a * b`, of residues.
    ///
    /// # Panics
    /// Unless all have M limbs.
    pub fn mul(&self, out: &mut [B], a: &[B], b: &[B], scratch: &mut Scratch) {
        self.on_pair(out, a, b, |out, a, b| Ring::mul(self, out, Factors::Pair(a, b), scratch));
    }

    /// `out = a * a`, of a residue.
    ///
    /// # Panics
    /// Unless both have M limbs.
    pub fn sqr(&self, out: &mut [B], a: &[B], scratch: &mut Scratch) {
        self.on_pair(out, a, a, |out, a, _| Ring::mul(self, out, Factors::Square(a), scratch));
    }

    /// `out = a^exponent` of a residue, for a number as exponent, of any length.
    ///
    /// # Panics
    /// Unless out and a have M limbs.
    pub fn pow(&self, out: &mut [B], a: &[B], exponent: &[B], scratch: &mut Scratch) {
        self.on_pair(out, a, a, |out, a, _| out.copy_from_slice(&self.power(a, exponent, scratch)));
    }

    /// `out = 1/a` of a residue.
    ///
    /// # Errors
    /// [`ModInvError::NotCoprime`] if a and m have a common divisor; out is then zero.
    ///
    /// # Panics
    /// Unless both have M limbs.
    pub fn inverse(&self, out: &mut [B], a: &[B], scratch: &mut Scratch) -> Result<(), ModInvError> {
        let mut result = Ok(());
        self.on_pair(out, a, a, |out, a, _| {
            result = modinv(out, a, &self.modulus, &mut scratch.inverse);
            match result {
                // 1/(a R): times R^2 it is the number 1/a, and once more its residue.
                Ok(()) => {
                    let number = self.product(out, &self.square, scratch);
                    out.copy_from_slice(&self.product(&number, &self.square, scratch));
                }
                Err(_) => out.fill(0),
            }
        });
        result
    }
}

/// The same on words.
impl<B: Base> Montgomery<B> {
    /// The residue of a number of any length.
    pub(crate) fn residue(&self, x: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        let (n, x) = (self.modulus.len(), bits::significant(x));
        let mut rest = vec![0; n];
        if x.len() < n {
            rest[..x.len()].copy_from_slice(x);
        } else {
            div_rem(&mut vec![0; x.len()], &mut rest, x, &self.modulus, &mut scratch.division)
                .unwrap_or_else(|_| broken_invariant("an odd modulus is not zero"));
        }
        self.product(&rest, &self.square, scratch)
    }

    /// The number of a residue.
    pub(crate) fn number(&self, a: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        self.product(a, &residues::small(1, a.len()), scratch)
    }

    /// The residue of 1.
    pub(crate) fn unit(&self) -> &[u64] {
        &self.one
    }

    /// The power of a residue.
    pub(crate) fn power<E: Base>(&self, a: &[u64], exponent: &[E], scratch: &mut Scratch) -> Vec<u64> {
        power::power(self, a, self.one.clone(), exponent, scratch)
    }
}

impl<B: Base> Ring for Montgomery<B> {
    fn words(&self) -> &[u64] {
        &self.modulus
    }

    fn mul(&self, out: &mut [u64], factors: Factors<'_, u64>, scratch: &mut Scratch) {
        let (a, b) = match factors {
            Factors::Pair(a, b) => (a, b),
            Factors::Square(a) => (a, a),
        };
        if fused::mul(out, a, b, &self.modulus, self.negated) {
            return;
        }
        scratch.multiply(factors);
        let Scratch { products, wide, .. } = scratch;
        if self.negated_long.is_empty() {
            reduce(out, wide, &self.modulus, self.negated);
        } else {
            reduce_by_products::<u64, Words>(out, wide, &self.modulus, &self.negated_long, products);
        }
    }
}

residues::methods!(Montgomery);

/// `2^(64 k) mod m`.
fn residue(modulus: &[u64], k: usize, division: &mut div::Scratch) -> Vec<u64> {
    let mut power = vec![0; k + 1];
    power[k] = 1;
    let mut rest = vec![0; modulus.len()];
    div_rem(&mut vec![0; k + 1], &mut rest, &power, modulus, division)
        .unwrap_or_else(|_| broken_invariant("an odd modulus is not zero"));
    rest
}
