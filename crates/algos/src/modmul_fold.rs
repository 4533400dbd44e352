//! Products and powers modulo one N for many instances, whose upper words a constant matrix folds: the executable
//! specification of the kernels on tensor cores, with a proof of its bounds.
//!
//! A product `z = low + B^w sum over i of 256^i byte_i` is `low + sum over i of byte_i (256^i B^w mod N)` modulo N, with
//! `B = 2^32` and w words of N: a product of the bytes of the upper part with a matrix of bytes that is the same for all
//! instances (Kawamura and Hirano, *A fast modular arithmetic algorithm using a residue table*, EUROCRYPT '88, have the
//! table of residues). What comes out is below B^(w + 1), so that the next product has the same shape: there is no
//! quotient, no comparison with N, and nothing that an even or a short N needs.
//!
//! ```
//! use limbforge_algos::modmul_fold::Fold;
//! use num_bigint::BigUint;
//!
//! let fold = Fold::new(8).ok_or("too wide")?; // words of N
//! let n = (BigUint::from(1_u32) << 255_u32) - 20_u32; // even
//! let (x, e) = (BigUint::from(3_u32), BigUint::from(1_000_001_u32));
//! assert_eq!(fold.modulus(&n)?.power(&x, &e)?, x.modpow(&e, &n));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod sequences;

use num_bigint::BigUint;

use crate::invariant::broken_invariant;
use crate::modmul_rns::Windows;
pub use sequences::{Constant, FoldedSequence, NotRun};

/// The largest number of words of N for which digit sums join in words.
pub const LARGEST_WORDS: u32 = 63;

/// A number has more words than N may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a number has {found} bits, but numbers of {words} words were planned: reduce it, or plan more words"
)]
pub struct TooWide {
    /// w.
    pub words: u32,
    /// Bits of the number.
    pub found: u64,
}

/// Numbers modulo any N of at most so many words of 32 bits, held in one word more.
///
/// With `s = 255 * 4 (w + 1)`, a number is below `(1 + s) B^w`: its lowest w words, and 4 (w + 1) bytes times residues
/// below B^w. A product is below `(1 + s)^2 B^2w`, and its part from B^w on has w + 1 words if `(1 + s)^2 <= 2^32`. A
/// digit sum is at most `255^2 * 4 (w + 1)`, and two of them are joined, `s0 + 2^8 s1`, in 32 bits.
///
/// For [sequences](FoldedSequence) numbers are any of w + 1 words, so that the part from B^w on has w + 2 of them: with
/// `s = 255 * 4 (w + 2)` the bound of a product is the same, and so is that of digit sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fold {
    words: u32,
    /// Words that are folded.
    upper: u32,
}

impl Fold {
    /// None unless there are 1 to [`LARGEST_WORDS`] words.
    ///
    /// ```
    /// use limbforge_algos::modmul_fold::{Fold, LARGEST_WORDS};
    /// assert!(Fold::new(LARGEST_WORDS).is_some() && Fold::new(LARGEST_WORDS + 1).is_none());
    /// ```
    #[must_use]
    pub const fn new(words: u32) -> Option<Self> {
        if words == 0 || words > 1 << 16 {
            return None;
        }
        let fold = Self { words, upper: words + 1 };
        let growth = fold.growth();
        if fold.has_joined_sums() && growth * growth <= 1 << 32 { Some(fold) } else { None }
    }

    /// For [sequences](FoldedSequence); None unless there are 1 to 62 words.
    ///
    /// ```
    /// use limbforge_algos::modmul_fold::Fold;
    /// assert!(Fold::for_sequences(62).is_some() && Fold::for_sequences(63).is_none());
    /// ```
    #[must_use]
    pub const fn for_sequences(words: u32) -> Option<Self> {
        if words == 0 || words > 1 << 16 {
            return None;
        }
        let fold = Self { words, upper: words + 2 };
        if fold.has_joined_sums() { Some(fold) } else { None }
    }

    /// 1 + s: a product is below so many times B^w.
    const fn growth(self) -> u64 {
        1 + 255 * self.bytes()
    }

    /// Whether two digit sums join in a word.
    const fn has_joined_sums(self) -> bool {
        255 * 255 * self.bytes() * 257 < 1 << 32
    }

    /// Bytes that are folded.
    const fn bytes(self) -> u64 {
        4 * self.upper as u64
    }

    /// w, words of N.
    #[must_use]
    pub const fn words(self) -> u32 {
        self.words
    }

    /// The modulus N; 0 is taken for 1.
    ///
    /// ```
    /// use limbforge_algos::modmul_fold::{Fold, TooWide};
    /// let fold = Fold::new(1).ok_or("too wide")?;
    /// assert!(fold.modulus(&6_u32.into()).is_ok());
    /// assert_eq!(fold.modulus(&(1_u64 << 32).into()).err(), Some(TooWide { words: 1, found: 33 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TooWide`] if N has more words.
    pub fn modulus(self, n: &BigUint) -> Result<Modulus, TooWide> {
        self.check(n)?;
        let n = n.max(&BigUint::from(1_u32)).clone();
        let residue = |i: u64| (BigUint::from(1_u32) << (32 * u64::from(self.words) + 8 * i)) % &n;
        Ok(Modulus { fold: self, residues: (0..self.bytes()).map(residue).collect(), n })
    }

    fn check(self, number: &BigUint) -> Result<(), TooWide> {
        let (words, found) = (self.words, number.bits());
        if found > 32 * u64::from(words) { Err(TooWide { words, found }) } else { Ok(()) }
    }

    /// The bits of a digit of exponents of so many bits for which a power takes the least time, where a product takes as
    /// long as two squares.
    ///
    /// ```
    /// use limbforge_algos::modmul_fold::Fold;
    /// assert_eq!([17, 256, 512, 1024].map(Fold::window), [2, 4, 5, 6]);
    /// ```
    #[must_use]
    pub fn window(exponent_bits: u32) -> u32 {
        let squares = |w: u32| {
            2 * ((1_u64 << w) - 2) + u64::from(exponent_bits.div_ceil(w).max(1) - 1) * u64::from(w + 2)
        };
        (1..=Windows::LARGEST).min_by_key(|&w| squares(w)).unwrap_or(1)
    }
}

/// A modulus of a [`Fold`], with the matrix that folds by it.
#[derive(Clone, Debug)]
pub struct Modulus {
    fold: Fold,
    n: BigUint,
    /// `256^i B^w mod N`.
    residues: Vec<BigUint>,
}

impl Modulus {
    /// A number that is the product of two numbers modulo N: below `(1 + s) B^w`, as the factors must be, but for
    /// [sequences](FoldedSequence).
    ///
    /// ```
    /// use limbforge_algos::modmul_fold::Fold;
    /// use num_bigint::BigUint;
    /// let modulus = Fold::new(1).ok_or("too wide")?.modulus(&BigUint::from(1_000_003_u32))?;
    /// let x = BigUint::from(0xffff_ffff_u32);
    /// let product = modulus.product(&x, &x);
    /// assert!(product.bits() <= 43); // 1 + 255 * 8 has 11 bits
    /// assert_eq!(product % 1_000_003_u32, &x * &x % 1_000_003_u32);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn product(&self, a: &BigUint, b: &BigUint) -> BigUint {
        let bits = 32 * u64::from(self.fold.words);
        let product = a * b;
        let upper = (&product >> bits).to_bytes_le();
        if upper.len() > self.residues.len() {
            broken_invariant("the upper part of a product has the words that are folded");
        }
        let mut sums = vec![0_u32; 4 * self.fold.words as usize];
        for (byte, residue) in upper.iter().zip(&self.residues) {
            for (sum, digit) in sums.iter_mut().zip(residue.to_bytes_le()) {
                *sum += u32::from(*byte) * u32::from(digit);
            }
        }
        let joined = |digits: &[u32]| {
            BigUint::from(digits[0] + (digits[1] << 8))
                + (BigUint::from(digits[2] + (digits[3] << 8)) << 16_u32)
        };
        let low = &product - (&product >> bits << bits);
        sums.chunks_exact(4).rev().fold(BigUint::ZERO, |sum, digits| (sum << 32_u32) + joined(digits)) + low
    }

    /// `base^exponent mod N`, in `0..N`; 0^0 is 1 mod N.
    ///
    /// ```
    /// use limbforge_algos::modmul_fold::Fold;
    /// use num_bigint::BigUint;
    /// let modulus = Fold::new(2).ok_or("too wide")?.modulus(&BigUint::from(1_000_003_u32))?;
    /// assert_eq!(modulus.power(&5_u32.into(), &1_000_002_u32.into())?, 1_u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TooWide`] if the base has more than w words.
    pub fn power(&self, base: &BigUint, exponent: &BigUint) -> Result<BigUint, TooWide> {
        self.fold.check(base)?;
        let width = Fold::window(exponent.bits() as u32);
        let mut table = vec![BigUint::from(1_u32), base.clone()];
        for i in 2..1 << width {
            table.push(self.product(&table[i - 1], base));
        }
        let digits = exponent.bits().div_ceil(width.into()).max(1) as u32;
        let windows = Windows { width, digits };
        let entry = |index| &table[windows.digit(exponent, index) as usize];
        let power = (1..digits).fold(entry(0).clone(), |power, index| {
            let squared = (0..width).fold(power, |power, _| self.product(&power, &power));
            self.product(&squared, entry(index))
        });
        Ok(power % &self.n)
    }
}
