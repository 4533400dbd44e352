//! The four applications under one interface.

mod choice;

use core::fmt;

pub use choice::Choice;

use super::ModelError;
use super::error::at_least;

/// A problem of one of the four applications, with its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Application {
    /// The plain product of polynomials of n and m terms.
    Multiplication {
        /// Terms of one factor.
        n: u64,
        /// Terms of the other, at most n.
        m: u64,
    },
    /// The quotient and remainder of a polynomial of n terms by one of m terms.
    Division {
        /// Terms of the dividend.
        n: u64,
        /// Terms of the divisor, at most n.
        m: u64,
    },
    /// The greatest common divisor of polynomials of n and m terms.
    Gcd {
        /// Terms of one.
        n: u64,
        /// Terms of the other, at most n.
        m: u64,
    },
    /// Sorting of n keys of so many bits.
    RadixSort {
        /// Keys.
        n: u64,
        /// Bits of a key, 1 to 64.
        bits: u64,
    },
}

impl Application {
    /// Its name, such as `gcd`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Multiplication { .. } => "multiplication",
            Self::Division { .. } => "division",
            Self::Gcd { .. } => "gcd",
            Self::RadixSort { .. } => "radix sort",
        }
    }

    /// The powers of two that s may be on any machine: up to m, or up to 16 bits a pass.
    pub fn parameters(&self) -> impl Iterator<Item = u64> + use<> {
        let most = match *self {
            Self::Multiplication { m, .. } | Self::Division { m, .. } | Self::Gcd { m, .. } => m,
            Self::RadixSort { bits, .. } => bits.min(16),
        };
        (0..u64::BITS).map(|log2| 1 << log2).take_while(move |&s| s <= most)
    }

    /// Checks that the formulas hold for the sizes and the parameter.
    fn check(&self, s: u64, threads: u64) -> Result<(), ModelError> {
        at_least("threads of a block", threads as f64, 1.0, "one or more")?;
        at_least("s", s as f64, 1.0, "one or more")?;
        let error =
            |name, found: u64, expected| Err(ModelError::Parameter { name, found: found as f64, expected });
        match *self {
            Self::Multiplication { n, m } | Self::Division { n, m } | Self::Gcd { n, m } => {
                at_least("m", m as f64, 1.0, "one term or more")?;
                at_least("n", n as f64, m as f64, "m terms or more")?;
                if s > m { error("s", s, "at most m") } else { Ok(()) }
            }
            Self::RadixSort { n, bits } => {
                at_least("n", n as f64, 1.0, "one key or more")?;
                match bits {
                    1..=64 if s > bits.min(32) => error("s", s, "at most the bits of a key, and 32"),
                    1..=64 => Ok(()),
                    _ => error("bits", bits, "1 to 64"),
                }
            }
        }
    }
}

impl fmt::Display for Application {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Multiplication { n, m } | Self::Division { n, m } | Self::Gcd { n, m } => {
                write!(f, "{} of {n} and {m} terms", self.name())
            }
            Self::RadixSort { n, bits } => write!(f, "{} of {n} keys of {bits} bits", self.name()),
        }
    }
}
