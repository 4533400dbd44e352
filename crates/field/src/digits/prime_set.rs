//! Sets of primes, used together by the Chinese remainder theorem.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

use super::{DigitError, largest_sum};
use crate::invariant::broken_invariant;
use crate::search::NttPrime;

/// Known sets with their names: the published primes, popular primes with spare bits in a word, sets of
/// 31-bit primes, and five 28-bit primes.
///
/// The product of the five primes just above 2^28 is just above 2^140: products of up to 2^12 digits of whole
/// 64-bit words are exact, and each residue has three spare bits in a 32-bit word.
pub const KNOWN_SETS: &[(&str, &[u64])] = &[
    ("PrimeField32", &[3_221_225_473]),
    ("PrimeField64", &[4_179_340_454_199_820_289]),
    ("Goldilocks", &[0xffff_ffff_0000_0001]),
    ("BabyBear", &[2_013_265_921]),
    ("KoalaBear", &[2_130_706_433]),
    ("2x31", &[2_013_265_921, 1_811_939_329]),
    ("2x31-popular", &[998_244_353, 469_762_049]),
    ("3x31", &[2_013_265_921, 1_811_939_329, 2_113_929_217]),
    ("3x31-popular", &[998_244_353, 469_762_049, 167_772_161]),
    ("5x28", &[268_582_913, 268_664_833, 268_730_369, 268_779_521, 268_861_441]),
];

/// The primes are not a valid set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PrimeSetError {
    /// The set is empty.
    #[error("a set of primes needs one at least")]
    Empty,
    /// A number is not an odd prime.
    #[error("{0} is not an odd prime")]
    NotPrime(u64),
    /// A prime repeats.
    #[error("{0} is in the set twice: expected different primes")]
    Repeated(u64),
}

/// Different odd primes `p_1`, ..., `p_s` with their product P.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrimeSet {
    name: String,
    primes: Vec<u64>,
    product: BigUint,
}

impl PrimeSet {
    /// The set of these primes; residues are in the same order.
    ///
    /// # Errors
    /// [`PrimeSetError`] if the set is empty, a number is not an odd prime, or a prime repeats.
    pub fn new(name: impl Into<String>, primes: &[u64]) -> Result<Self, PrimeSetError> {
        if primes.is_empty() {
            return Err(PrimeSetError::Empty);
        }
        for (i, &p) in primes.iter().enumerate() {
            if NttPrime::new(p).is_none() {
                return Err(PrimeSetError::NotPrime(p));
            }
            if primes[..i].contains(&p) {
                return Err(PrimeSetError::Repeated(p));
            }
        }
        let product = primes.iter().map(|&p| BigUint::from(p)).product();
        Ok(Self { name: name.into(), primes: primes.to_vec(), product })
    }

    /// All of [`KNOWN_SETS`]. A test checks that all of them are valid.
    #[must_use]
    pub fn known() -> Vec<Self> {
        KNOWN_SETS.iter().filter_map(|(name, primes)| Self::new(*name, primes).ok()).collect()
    }

    /// The name, for messages and tables.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The primes.
    #[must_use]
    pub fn primes(&self) -> &[u64] {
        &self.primes
    }

    /// P, the product of all primes.
    #[must_use]
    pub const fn product(&self) -> &BigUint {
        &self.product
    }

    /// The smallest adicity of the primes: all of them have transforms of 2^0 to 2^adicity points.
    #[must_use]
    pub fn adicity(&self) -> u32 {
        let adicities = self.primes.iter().map(|p| (p - 1).trailing_zeros());
        adicities.min().unwrap_or_else(|| broken_invariant("a set of primes has one"))
    }

    /// Returns true if the set has transforms of 3*2^k points: 3 divides p - 1 for all primes.
    #[must_use]
    pub fn has_three(&self) -> bool {
        self.primes.iter().all(|p| p % 3 == 1)
    }

    /// The points of the shortest transform of at least `points` points.
    #[must_use]
    pub fn shortest_length(&self, points: u64) -> Option<u64> {
        let factors = if self.has_three() { 1..=3 } else { 1..=1 };
        let lengths =
            factors.step_by(2).flat_map(|factor| (0..=self.adicity().min(61)).map(move |k| factor << k));
        lengths.filter(|&length| length >= points).min()
    }

    /// The points of the longest transform.
    #[must_use]
    pub fn longest_length(&self) -> u64 {
        let factor = if self.has_three() { 3 } else { 1 };
        factor << self.adicity().min(61)
    }

    /// The widest exact digits: the largest b with products * (2^b - 1)^2 < P, or 0 for P products or more. 0
    /// products count as 1.
    #[must_use]
    pub fn max_digit_bits(&self, products: &BigUint) -> u32 {
        let products = products.max(&BigUint::one()).clone();
        // (2^b - 1)^2 <= (P - 1) / products, so 2^b <= 1 + floor(sqrt((P - 1) / products)).
        let largest = ((&self.product - 1_u32) / products).sqrt() + 1_u32;
        (largest.bits() - 1).to_u32().unwrap_or(u32::MAX)
    }

    /// Checks that sums of `products` products of `digit_bits`-bit digits are exact.
    ///
    /// ```
    /// use limbforge_field::digits::PrimeSet;
    /// let field = PrimeSet::new("PrimeField32", &[3_221_225_473])?;
    /// assert!(field.check_digits(12, 64_u32).is_ok());
    /// assert_eq!(
    ///     field.check_digits(15, 64_u32).unwrap_err().to_string(),
    ///     "PrimeField32: 15-bit digits are not exact: a sum of 64 products reaches 68715282496; expected less than \
    ///      3221225473: use digits of at most 12 bits, or more primes"
    /// );
    /// # Ok::<(), limbforge_field::digits::PrimeSetError>(())
    /// ```
    ///
    /// # Errors
    /// [`DigitError::Inexact`] if the largest sum is too large, [`DigitError::NoDigitBits`] for a width of 0.
    pub fn check_digits(&self, digit_bits: u32, products: impl Into<BigUint>) -> Result<(), DigitError> {
        let products = products.into();
        if digit_bits == 0 {
            return Err(DigitError::NoDigitBits);
        }
        let most = self.max_digit_bits(&products);
        if digit_bits <= most {
            return Ok(());
        }
        let (set, modulus) = (self.name.clone(), self.product.clone());
        let largest = largest_sum(&products, digit_bits);
        Err(DigitError::Inexact { set, digit_bits, products, largest, modulus, most })
    }
}
