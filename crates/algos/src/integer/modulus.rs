//! Moduli with their precomputed constants.
//!
//! | | any modulus | odd moduli |
//! | --- | --- | --- |
//! | on numbers, [`Uint`](limbforge_limb::Uint) | [`Modulus`] | [`OddModulus`], with [`Residue`]s |
//! | on limb slices, in memory of the caller's | [`Barrett`], with a reciprocal | [`Montgomery`], with his constants |
//!
//! The contexts of slices keep machine words, to which numbers of other limbs are repacked. Their numbers
//! have the limbs of the modulus, M of them, unless a function says otherwise, and residues are in `0..m`:
//! other numbers give residues of no meaning, but do no harm. Not constant time.

mod number;
mod odd;
mod odd_number;
mod power;
pub(crate) mod residues;

use core::marker::PhantomData;
use std::borrow::Cow;

use limbforge_limb::slice::div::LimbDivisor;
use limbforge_limb::slice::mul::Factors;
use limbforge_limb::slice::{bits, cmp, words};
use limbforge_limb::{Base, DivisionByZero};

pub use number::Modulus;
pub use odd::{EvenModulus, Montgomery};
pub use odd_number::{OddModulus, Residue};
pub(crate) use power::Ring;

use crate::cpu::Product;
use crate::integer::barrett;
use crate::integer::div::{self, Schoolbook, Words};
use crate::integer::modinv::{self, ModInvError, modinv};
pub(crate) use crate::integer::packed::unpack;

/// Below so many words, products by rows are faster than those by columns, whose loops are too short.
const ROWS_BELOW: usize = 24;

/// The same for the half products of Barrett's reduction.
const HALVES_BY_ROWS_BELOW: usize = 100;

/// Memory that residues are computed in; reused, one per thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    division: div::Scratch,
    inverse: modinv::Scratch,
    product: Product,
    products: Words,
    wide: Vec<u64>,
    room: Vec<u64>,
}

impl Scratch {
    /// The product of residues, before it is reduced.
    fn multiply(&mut self, factors: Factors<'_, u64>) {
        let Self { product, wide, .. } = self;
        wide.resize(2 * factors.len(), 0);
        match factors {
            Factors::Pair(a, b) if a.len() < ROWS_BELOW => by_rows(wide, a, b),
            Factors::Square(a) if a.len() < ROWS_BELOW => by_rows(wide, a, a),
            _ => product.wide(wide, factors),
        }
    }

    /// `a * b`, of one length.
    pub(crate) fn product(&mut self, a: &[u64], b: &[u64]) -> Vec<u64> {
        self.multiply(Factors::Pair(a, b));
        self.wide.clone()
    }
}

/// `wide = a * b`, row by row.
fn by_rows(wide: &mut [u64], a: &[u64], b: &[u64]) {
    let n = a.len();
    wide.fill(0);
    for (i, &factor) in b.iter().enumerate() {
        wide[i + n] = crate::integer::montgomery::add_product(&mut wide[i..i + n], a, factor);
    }
}

/// Any modulus with its reciprocal, on limb slices: residues are numbers in `0..m`. [`Modulus`] is the same
/// on numbers.
///
/// ```
/// use limbforge_algos::integer::modulus::{Barrett, Scratch};
/// let (modulus, mut scratch) = (Barrett::<u64>::new(&[1_000_000])?, Scratch::default());
/// let (mut a, mut b) = ([0], [0]);
/// modulus.reduce(&mut a, &[7, 1], &mut scratch); // 2^64 + 7
/// modulus.pow(&mut b, &a, &[3], &mut scratch);
/// assert_eq!((a, b), ([551_623], [551_623_u64.pow(3) % 1_000_000]));
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barrett<B> {
    /// Without zeros at the top.
    modulus: Vec<u64>,
    reciprocal: Vec<u64>,
    /// A modulus of one word is divided by as such.
    word: Option<LimbDivisor<u64>>,
    len: usize,
    limb: PhantomData<B>,
}

impl<B: Base> Barrett<B> {
    /// The modulus with its reciprocal, which takes a division.
    ///
    /// # Errors
    /// [`DivisionByZero`] if it is zero.
    pub fn new(modulus: &[B]) -> Result<Self, DivisionByZero> {
        let packed = packed(modulus);
        let words = bits::significant(&packed);
        if words.is_empty() {
            return Err(DivisionByZero);
        }
        let reciprocal = barrett::reciprocal(words, &mut div::Scratch::new())?;
        let word = if words.len() == 1 { Some(LimbDivisor::new(words[0])?) } else { None };
        Ok(Self { modulus: words.to_vec(), reciprocal, word, len: modulus.len(), limb: PhantomData })
    }

    /// `out = x mod m`, for x of any length.
    ///
    /// # Panics
    /// Unless out has M limbs.
    pub fn reduce(&self, out: &mut [B], x: &[B], scratch: &mut Scratch) {
        assert_eq!(out.len(), self.len, "the limbs of the modulus");
        unpack(out, self.residue(&packed(x), scratch));
    }

    /// `out = a * b mod m`.
    ///
    /// # Panics
    /// Unless all have M limbs.
    pub fn mul(&self, out: &mut [B], a: &[B], b: &[B], scratch: &mut Scratch) {
        self.on_pair(out, a, b, |out, a, b| Ring::mul(self, out, Factors::Pair(a, b), scratch));
    }

    /// `out = a * a mod m`.
    ///
    /// # Panics
    /// Unless both have M limbs.
    pub fn sqr(&self, out: &mut [B], a: &[B], scratch: &mut Scratch) {
        self.on_pair(out, a, a, |out, a, _| Ring::mul(self, out, Factors::Square(a), scratch));
    }

    /// `out = a^exponent mod m`; of no factors the product is 1 mod m. The exponent may have any length.
    ///
    /// # Panics
    /// Unless out and a have M limbs.
    pub fn pow(&self, out: &mut [B], a: &[B], exponent: &[B], scratch: &mut Scratch) {
        self.on_pair(out, a, a, |out, a, _| out.copy_from_slice(&self.power(a, exponent, scratch)));
    }

    /// `out = 1/a mod m`. Modulo 1 it is 0.
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
            if result.is_err() {
                out.fill(0);
            }
        });
        result
    }

    /// The power of a residue, in words.
    pub(crate) fn power<E: Base>(&self, a: &[u64], exponent: &[E], scratch: &mut Scratch) -> Vec<u64> {
        let one = residues::small(u64::from(self.modulus != [1]), self.modulus.len());
        power::power(self, a, one, exponent, scratch)
    }

    /// x mod m, in the words of the modulus, by blocks of so many from the top.
    pub(crate) fn residue(&self, x: &[u64], scratch: &mut Scratch) -> Vec<u64> {
        let n = self.modulus.len();
        let x = bits::significant(x);
        let mut rest = vec![0; n];
        if x.len() <= n {
            rest[..x.len()].copy_from_slice(x);
            if cmp::cmp(&rest, &self.modulus).is_lt() {
                return rest;
            }
        }
        if let Some(word) = self.word {
            return vec![word.rem(x)];
        }
        rest.fill(0);
        let mut block = vec![0; 2 * n];
        for part in x.chunks(n).rev() {
            block[..n].fill(0);
            block[..part.len()].copy_from_slice(part);
            block[n..].copy_from_slice(&rest);
            self.reduce_words(&mut rest, &block, &mut scratch.products, &mut scratch.room);
        }
        rest
    }

    fn reduce_words(&self, out: &mut [u64], x: &[u64], products: &mut Words, room: &mut Vec<u64>) {
        if let Some(word) = self.word {
            return out[0] = word.rem(x);
        }
        let need = barrett::scratch_len(out.len());
        room.resize(room.len().max(need), 0);
        let (modulus, reciprocal, room) = (&self.modulus, &self.reciprocal, &mut room[..need]);
        if modulus.len() < HALVES_BY_ROWS_BELOW {
            barrett::reduce(out, x, modulus, reciprocal, room, &mut Schoolbook);
        } else {
            barrett::reduce(out, x, modulus, reciprocal, room, products);
        }
    }
}

impl<B: Base> Ring for Barrett<B> {
    fn words(&self) -> &[u64] {
        &self.modulus
    }

    fn mul(&self, out: &mut [u64], factors: Factors<'_, u64>, scratch: &mut Scratch) {
        scratch.multiply(factors);
        let Scratch { products, wide, room, .. } = scratch;
        self.reduce_words(out, wide, products, room);
    }
}

residues::methods!(Barrett);

/// The limbs as words.
fn packed<B: Base>(limbs: &[B]) -> Cow<'_, [u64]> {
    B::as_words(limbs).map_or_else(
        || {
            let mut packed = vec![0; words::words_for::<B>(limbs.len())];
            words::pack(&mut packed, limbs);
            Cow::Owned(packed)
        },
        Cow::Borrowed,
    )
}
