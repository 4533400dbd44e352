//! Errors of sets of primes and of plans.

use num_bigint::BigUint;

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
