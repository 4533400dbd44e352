//! What cannot be multiplied exactly, and why.

use num_bigint::BigUint;

/// Primes that are no set to compute with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PrimeSetError {
    /// No primes.
    #[error("a set of primes needs one at least")]
    Empty,
    /// A number that is no odd prime.
    #[error("{0} is not an odd prime")]
    NotPrime(u64),
    /// A prime that is there twice.
    #[error("{0} is in the set twice: expected different primes")]
    Repeated(u64),
}

/// A product that cannot be exact.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DigitError {
    /// Digits whose sums of products reach the modulus.
    #[error(
        "{set}: {digit_bits}-bit digits are not exact: a sum of {products} products reaches {largest}; expected less than \
         {modulus}: {}",
        advice(*most)
    )]
    Inexact {
        /// The set of primes.
        set: String,
        /// The width that was asked for.
        digit_bits: u32,
        /// Products that are summed up in a coefficient, over all terms.
        products: BigUint,
        /// products * (2^b - 1)^2.
        largest: BigUint,
        /// The product of the primes.
        modulus: BigUint,
        /// The widest exact digits for as many products, 0 if there are none.
        most: u32,
    },
    /// More points than roots of unity are there for.
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
    /// Operands that are none.
    #[error("an operand of {bits} bits: expected 1 to 2^40 bits")]
    Operand {
        /// The width that was asked for.
        bits: u64,
    },
    /// A sum of no products.
    #[error("a sum of 0 products: expected 1 or more")]
    NoTerms,
    /// Digits without bits.
    #[error("digits of 0 bits: expected 1 or more")]
    NoDigitBits,
}

fn advice(most: u32) -> String {
    match most {
        0 => "no digits are exact for as many products: use more or larger primes".to_owned(),
        most => format!("use digits of at most {most} bits, or more primes"),
    }
}
