//! Errors of resident residues.

/// Resident residues that do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResidueError {
    /// Operands of different fields.
    #[error("operand `b` has residues modulo {found}; expected residues modulo {expected}, as those of `a`")]
    OtherField {
        /// The modulus of the first operand.
        expected: u64,
        /// The modulus of the second operand.
        found: u64,
    },
    /// Numbers of residues that do not go together.
    #[error(
        "{a} residues and {b}: expected as many of both, or a number of the second operand that divides that of the first"
    )]
    Counts {
        /// Residues of the first operand.
        a: usize,
        /// Residues of the second operand.
        b: usize,
    },
    /// Residues that are no polynomials of the given number of terms, or polynomials that do not make pairs.
    #[error(
        "{a} and {b} residues are not as many polynomials of {a_terms} and {b_terms} terms: expected whole polynomials, as many of both, of a term or more"
    )]
    Polynomials {
        /// Residues of the first operand.
        a: usize,
        /// Terms of each of its polynomials.
        a_terms: usize,
        /// Residues of the second operand.
        b: usize,
        /// Terms of each of its polynomials.
        b_terms: usize,
    },
    /// Dividends with fewer terms than divisors.
    #[error("dividends of {n} terms and divisors of {m}: expected dividends of as many terms or more")]
    ShortDividends {
        /// Terms of the dividends.
        n: usize,
        /// Terms of the divisors.
        m: usize,
    },
    /// A divisor whose last term is 0.
    #[error(
        "the divisor of pair {pair} has the leading coefficient 0; expected {m} terms, the last one not 0"
    )]
    LeadingCoefficient {
        /// Its number, from 0.
        pair: usize,
        /// Terms of the divisors.
        m: usize,
    },
}
