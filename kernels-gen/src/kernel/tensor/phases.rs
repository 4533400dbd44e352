//! A ring expression as sums of products, each of which is computed as one: data, nothing here is CUDA.

use core::fmt;

use crate::invariant::broken_invariant;
use num_bigint::{BigInt, BigUint};

/// What a phase reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// An operand of the kernel.
    Input(usize),
    /// What an earlier phase left.
    Phase(usize),
}

/// A sum of products, of multiples of values, and of a constant.
///
/// The digit sums of all products are added up in one place, and the rest is added before carries are resolved: whatever
/// the sum consists of, one resolution makes it words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Phase {
    /// Products of two values, or squares.
    pub products: Vec<[Value; 2]>,
    /// Values with their factors, [`MAX_COEFFICIENT`] at most, not 0.
    pub terms: Vec<(Value, i64)>,
    /// The constant.
    pub constant: BigInt,
}

/// The largest factor of a value that is added: what it adds to a word stays far below 2^32 words.
pub const MAX_COEFFICIENT: i64 = (1 << 16) - 1;

/// The phases of a kernel in order; the last one is the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Phases {
    pub(super) inputs: usize,
    pub(super) phases: Vec<Phase>,
}

impl Phases {
    /// `a * b` alone, or `a * a` if there is one input.
    #[must_use]
    pub fn product(inputs: usize) -> Self {
        let pair = [Value::Input(0), Value::Input(inputs.saturating_sub(1))];
        Self { inputs, phases: vec![Phase { products: vec![pair], ..Phase::default() }] }
    }

    /// The phases.
    #[must_use]
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// Operands of the kernel.
    #[must_use]
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// Whether it is one product and nothing else.
    #[must_use]
    pub fn is_product(&self) -> bool {
        let [phase] = &*self.phases else { return false };
        phase.products.len() == 1 && phase.terms.is_empty() && phase.constant == BigInt::ZERO
    }

    /// The most products that a phase adds up.
    #[must_use]
    pub fn most_products(&self) -> usize {
        self.phases.iter().map(|phase| phase.products.len()).max().unwrap_or(0)
    }

    /// Whether a phase begins with a square.
    #[must_use]
    pub fn has_squares(&self) -> bool {
        self.phases.iter().any(Phase::begins_with_square)
    }

    /// Whether there is one product, a square, of a factor that takes no other part.
    #[must_use]
    pub fn is_lone_square(&self) -> bool {
        let [phase] = &*self.phases else { return false };
        let &[[x, y]] = &*phase.products else { return false };
        x == y && phase.terms.iter().all(|&(value, _)| value != x)
    }

    /// All products, by phases.
    pub fn products(&self) -> impl Iterator<Item = [Value; 2]> {
        self.phases.iter().flat_map(|phase| phase.products.iter().copied())
    }
}

impl Phase {
    /// What is added to the lowest words beside the terms, modulo 2^(32 `words`), as words without zeros above: the constant, and
    /// the factors of values that are subtracted, since -u is 1 more than u with all bits flipped.
    #[must_use]
    pub fn constant_words(&self, words: u32) -> Vec<u32> {
        let flipped: i64 = self.terms.iter().map(|term| (-term.1).max(0)).sum();
        let modulus = BigInt::from(1) << (32 * words);
        let constant = ((&self.constant + flipped) % &modulus + &modulus) % &modulus;
        let constant =
            BigUint::try_from(constant).unwrap_or_else(|_| broken_invariant("residues are not negative"));
        constant.to_u32_digits()
    }

    /// Whether the first product is a square: into sums that are zero it takes half the steps.
    #[must_use]
    pub fn begins_with_square(&self) -> bool {
        self.products.first().is_some_and(|pair| pair[0] == pair[1])
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(i) => write!(f, "{i}"),
            Self::Phase(i) => write!(f, "p{i}"),
        }
    }
}

impl fmt::Display for Phases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, phase) in self.phases.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ";" })?;
            for [x, y] in &phase.products {
                write!(f, "+{x}*{y}")?;
            }
            for (value, factor) in &phase.terms {
                write!(f, "{factor:+}*{value}")?;
            }
            if phase.constant != BigInt::ZERO {
                write!(f, "{:+}", phase.constant)?;
            }
        }
        Ok(())
    }
}
