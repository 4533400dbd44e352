//! Digit widths for exact products by number-theoretic transforms, and the digits, points and primes of a
//! product.
//!
//! Integers are cut into digits of b bits. A coefficient of the product is a sum of at most n products of
//! digits, where n is the number of digits of the shorter operand; t products may be added before the inverse
//! transform. The transforms give a coefficient modulo P, the product of the primes. It is exact if and only
//! if it is always below P:
//!
//! ```text
//! t * n * (2^b - 1)^2 < P
//! ```
//!
//! A transform of L points gives coefficient i plus coefficient i + L (minus it, if negacyclic). Operands of
//! a and b digits have a + b - 1 coefficients, so L >= a + b - 1 keeps them apart. A low product needs as
//! many points: wrapped coefficients are added to the lowest ones, which it keeps ([`wrap_is_dropped`]).

use core::ops::Range;

use num_bigint::BigUint;
use num_traits::One;

mod cost;
mod plan;
mod prime_set;

pub use self::cost::{Cost, Ranked, rank, transform_butterflies};
pub use self::plan::{DigitPlan, DigitRequest};
pub use self::prime_set::{KNOWN_SETS, PrimeSet, PrimeSetError};

/// No exact plan exists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DigitError {
    /// A coefficient could reach the modulus.
    #[error(
        "{set}: {digit_bits}-bit digits are not exact: a sum of {products} products reaches {largest}; expected less than \
         {modulus}: {}",
        advice(*most)
    )]
    Inexact {
        /// The set of primes.
        set: String,
        /// The width found.
        digit_bits: u32,
        /// Products in a coefficient, over all terms.
        products: BigUint,
        /// products * (2^b - 1)^2.
        largest: BigUint,
        /// The product of the primes.
        modulus: BigUint,
        /// The widest exact digits for this many products, or 0.
        most: u32,
    },
    /// The product needs more points than the longest transform has.
    #[error(
        "{set}: {coefficients} coefficients of {digit_bits}-bit digits need as many points; expected at most {longest}, the \
         longest transform of these primes"
    )]
    Length {
        /// The set of primes.
        set: String,
        /// The width of the digits.
        digit_bits: u32,
        /// Coefficients of the product.
        coefficients: u64,
        /// Points of the longest transform.
        longest: u64,
    },
    /// The width of an operand is out of range.
    #[error("an operand of {bits} bits: expected 1 to 2^40 bits")]
    Operand {
        /// The width found.
        bits: u64,
    },
    /// The sum has no products.
    #[error("a sum of 0 products: expected 1 or more")]
    NoTerms,
    /// The digits have 0 bits.
    #[error("digits of 0 bits: expected 1 or more")]
    NoDigitBits,
}

fn advice(most: u32) -> String {
    match most {
        0 => "no digits are exact for as many products: use more or larger primes".to_owned(),
        most => format!("use digits of at most {most} bits, or more primes"),
    }
}

/// Returns true if every sum of `products` products of `digit_bits`-bit digits is below the modulus p, and so
/// exact modulo p. For constant assertions:
///
/// ```
/// use limbforge_field::digits::is_exact;
/// const _: () = assert!(is_exact(3_221_225_473, 1 << 6, 12));
/// // The published width of 15 bits overflows.
/// const _: () = assert!(!is_exact(3_221_225_473, 1 << 6, 15));
/// ```
#[must_use]
pub const fn is_exact(p: u64, products: u64, digit_bits: u32) -> bool {
    if products == 0 || digit_bits > 32 {
        // (2^33 - 1)^2 is above 2^64.
        return products == 0 && p > 0;
    }
    let largest = (1_u128 << digit_bits) - 1;
    // Below 2^64 * (2^32)^2 = 2^128.
    largest * largest * (products as u128) < p as u128
}

/// The widest exact digits for one modulus: the largest b with products * (2^b - 1)^2 < p, or 0.
///
/// ```
/// use limbforge_field::digits::max_digit_bits;
/// assert_eq!(max_digit_bits(4_179_340_454_199_820_289, 1 << 10), 25);
/// ```
#[must_use]
pub const fn max_digit_bits(p: u64, products: u64) -> u32 {
    let mut bits = 32;
    while bits > 0 && !is_exact(p, products, bits) {
        bits -= 1;
    }
    bits
}

/// The largest sum of `products` products of two b-bit digits: products * (2^b - 1)^2.
#[must_use]
pub fn largest_sum(products: &BigUint, digit_bits: u32) -> BigUint {
    let digit = (BigUint::one() << digit_bits) - 1_u32;
    &digit * &digit * products
}

/// Returns true if a cyclic or negacyclic convolution of `length` points gives the coefficients `kept` of a
/// linear convolution of `linear` coefficients: no kept i has a coefficient i + length or i - length.
///
/// Full and low products need `length >= linear`. A middle product, which drops the lowest coefficients, may
/// have fewer points.
///
/// ```
/// use limbforge_field::digits::wrap_is_dropped;
/// assert!(wrap_is_dropped(15, 16, &(0..15)));
/// // 8 points do not give the low half of 8 by 8 digits, but the middle of 8 by 4 digits.
/// assert!(!wrap_is_dropped(15, 8, &(0..8)));
/// assert!(wrap_is_dropped(11, 8, &(3..8)));
/// ```
#[must_use]
pub const fn wrap_is_dropped(linear: u64, length: u64, kept: &Range<u64>) -> bool {
    kept.start >= kept.end || (kept.end <= length && kept.start >= linear.saturating_sub(length))
}

#[cfg(test)]
mod tests;
