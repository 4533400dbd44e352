//! Sequences of products of sums, as data: the body of a loop over residues, with a bound of each variable.
//!
//! A variable holds a residue modulo N. A product takes two sums of multiples of variables and gives a number below
//! one bound, whatever they are; sums and differences are not reduced, and reach at most so many times that bound as
//! they have summands. So bounds are small integers. Sequences run in residue number systems
//! ([`modmul_rns`](crate::modmul_rns)), where a number is from `-lambda N` to `lambda N`, or by folds
//! ([`modmul_fold`](crate::modmul_fold)).

mod bounds;
mod error;

pub(crate) use bounds::MOST_SUMMED;
pub use error::SequenceError;

/// The number of a variable.
pub type Variable = u16;

/// A multiple of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// From -16 to 16, and not 0.
    pub coefficient: i8,
    /// The variable in rounds whose bit is 0, and in those whose bit is 1.
    pub variables: [Variable; 2],
}

impl Term {
    /// A variable, whatever the bit is.
    #[must_use]
    pub const fn of(variable: Variable) -> Self {
        Self { coefficient: 1, variables: [variable; 2] }
    }

    /// So many times the same.
    #[must_use]
    pub const fn times(self, coefficient: i8) -> Self {
        Self { coefficient, ..self }
    }
}

/// A step of a sequence: it sets one variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A product of two sums.
    Product {
        /// The variable that it sets.
        to: Variable,
        /// The sums.
        factors: [Vec<Term>; 2],
    },
    /// A sum, which is 0 if it has no terms.
    Sum {
        /// The variable that it sets.
        to: Variable,
        /// Its terms.
        terms: Vec<Term>,
    },
}

impl Step {
    /// The variable that it sets.
    #[must_use]
    pub const fn to(&self) -> Variable {
        match self {
            Self::Product { to, .. } | Self::Sum { to, .. } => *to,
        }
    }

    /// The sums that it reads.
    pub fn sums(&self) -> impl Iterator<Item = &[Term]> {
        let [first, second]: [&[Term]; 2] = match self {
            Self::Product { factors: [a, b], .. } => [a, b],
            Self::Sum { terms, .. } => [terms, &[]],
        };
        [first, second].into_iter()
    }
}

/// Rounds of the same steps over variables, of which the first ones are given. All bounds are proved.
///
/// ```
/// use limbforge_algos::modmul_rns::Plan;
/// use limbforge_algos::sequence::{Sequence, Step, Term};
/// use num_bigint::BigUint;
/// // x = (x + c) (x - c), y = 2 y - x; variable 3 is 1.
/// let [x, c, y, one, t] = [0, 1, 2, 3, 4].map(Term::of);
/// let steps = vec![
///     Step::Product { to: 4, factors: [vec![x, c], vec![x, c.times(-1)]] },
///     Step::Product { to: 2, factors: [vec![y.times(2), x.times(-1)], vec![one]] },
///     Step::Sum { to: 0, terms: vec![t] },
/// ];
/// let sequence = Sequence::new(3, steps, vec![0, 2])?;
/// let plan = Plan::for_sequences(64)?;
/// let modulus = plan.modulus(&BigUint::from(1_000_003_u32))?;
/// let numbers = [5_u32, 2, 7].map(BigUint::from);
/// assert_eq!(modulus.run(&sequence, &numbers, &[false])?, [21_u32, 9].map(BigUint::from));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sequence {
    inputs: Variable,
    variables: Variable,
    steps: Vec<Step>,
    outputs: Vec<Variable>,
    bounds: Vec<u32>,
}
