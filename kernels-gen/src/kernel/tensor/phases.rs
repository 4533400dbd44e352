//! A ring expression as phases, each a sum of products that is computed as one: data, no CUDA.

use core::fmt;

use num_bigint::BigInt;

/// A value that a phase reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// An operand of the kernel.
    Input(usize),
    /// The result of an earlier phase.
    Phase(usize),
}

/// A sum of products, of multiples of values, and of a constant: carries are resolved once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Phase {
    /// Products of two values, or squares.
    pub products: Vec<[Value; 2]>,
    /// Values with their factors, at most [`MAX_COEFFICIENT`] in magnitude, not 0.
    pub terms: Vec<(Value, i64)>,
    /// The constant.
    pub constant: BigInt,
}

/// The largest factor of a summand: its carries stay far below a word.
pub const MAX_COEFFICIENT: i64 = (1 << 16) - 1;

/// The phases of a kernel in order; the last one is the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Phases {
    /// Operands of the kernel.
    pub inputs: usize,
    /// The phases.
    pub phases: Vec<Phase>,
}

impl Phases {
    /// `a * b` alone, or `a * a` if there is one input.
    #[must_use]
    pub fn product(inputs: usize) -> Self {
        let pair = [Value::Input(0), Value::Input(inputs.saturating_sub(1))];
        Self { inputs, phases: vec![Phase { products: vec![pair], ..Phase::default() }] }
    }

    /// Whether it is one product alone.
    #[must_use]
    pub fn is_product(&self) -> bool {
        let [phase] = &*self.phases else { return false };
        phase.products.len() == 1 && phase.terms.is_empty() && phase.constant == BigInt::ZERO
    }

    /// The most products that a phase adds up.
    pub(super) fn most_products(&self) -> usize {
        self.phases.iter().map(|phase| phase.products.len()).max().unwrap_or(0)
    }

    /// Whether a phase begins with a square.
    pub(super) fn has_squares(&self) -> bool {
        self.phases.iter().any(Phase::begins_with_square)
    }

    /// Whether its only product is a square, whose factor is no summand.
    pub(super) fn is_lone_square(&self) -> bool {
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
    /// The words of the constant and of the factors of subtracted values: -u is u with flipped bits, plus 1.
    pub(super) fn constant_words(&self, words: u32) -> Vec<u32> {
        let flipped: i64 = self.terms.iter().map(|term| (-term.1).max(0)).sum();
        let modulus = BigInt::from(1) << (32 * words);
        (((&self.constant + flipped) % &modulus + &modulus) % modulus).magnitude().to_u32_digits()
    }

    /// Whether the first product is a square: into sums that are zero it takes half the steps.
    pub(super) fn begins_with_square(&self) -> bool {
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
