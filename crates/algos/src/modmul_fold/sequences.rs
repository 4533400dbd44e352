//! Sequences of products of sums by folds, step by step, with the words of the kernel.

use num_bigint::BigUint;

use super::{Fold, Modulus, TooWide};
use crate::invariant::broken_invariant;
use crate::sequence::{Sequence, Step, Term, Variable};

/// Variables and constants that terms have room for.
const MOST_NAMES: usize = 1 << 12;
/// The largest bound of a variable, so that a factor, 16 variables at most and each twice if it is subtracted, is below
/// B^(w + 1): 2^11 times 2^16.
const MOST_STORED: u32 = 1 << 6;

/// A constant term of sums with negative terms: `multiples` times a multiple of N, and `ones`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// How often the least `2^k N` that is not below [`Fold::unit`].
    pub multiples: u32,
    /// A number that is added to that.
    pub ones: u32,
}

/// A sequence as folds run it.
///
/// A variable is a number of w + 1 words. With the unit `u`, the least power of two that is not below `(1 + s) B^w`, a
/// product is below u, and a variable below its bound times u. M is the least `2^k N` from u on, and below 2 u. A sum with
/// c x less has M as often as c times the bound of x more: it is not below 0, and its bound counts x twice. Words have
/// `-c x = c (B^(w + 1) - 1 - x) + c` modulo `B^(w + 1)`. Sums that would grow from round to round are multiplied by 1.
///
/// ```
/// use limbforge_algos::modmul_fold::{Fold, FoldedSequence};
/// use limbforge_algos::sequence::{Sequence, Step, Term};
/// use num_bigint::BigUint;
/// // d = 3 - y, which is a sum; x = x d. Variable 2 is the number 1.
/// let [x, y, one, d] = [0, 1, 2, 3].map(Term::of);
/// let steps = vec![
///     Step::Sum { to: 3, terms: vec![one.times(3), y.times(-1)] },
///     Step::Product { to: 0, factors: [vec![x], vec![d]] },
/// ];
/// let sequence = Sequence::new(2, steps, vec![0])?;
/// let folded = FoldedSequence::new(Fold::for_sequences(1).ok_or("wide")?, &sequence).ok_or("long")?;
/// let [n, x, y] = [1_000_003_u32, 5, 7].map(BigUint::from);
/// // 5 (3 - 7), and times (3 - 7) again and again.
/// assert_eq!(folded.run(&n, &[x, y], &[false; 3])?, [BigUint::from(1_000_003_u32 - 320)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedSequence {
    fold: Fold,
    inputs: Variable,
    variables: Variable,
    steps: Vec<Step>,
    outputs: Vec<Variable>,
    bounds: Vec<u32>,
    constants: Vec<Constant>,
}

/// A sequence is given other numbers than it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRun {
    /// More or fewer of them.
    #[error("the sequence takes {expected} numbers, but is given {found}")]
    Numbers {
        /// What it takes.
        expected: usize,
        /// What it is given.
        found: usize,
    },
    /// The modulus or a number is too wide.
    #[error(transparent)]
    TooWide(#[from] TooWide),
}

impl Fold {
    /// Bits of the unit in which the bounds of [sequences](FoldedSequence) are: `2^unit_bits`.
    #[must_use]
    pub const fn unit_bits(self) -> u32 {
        32 * self.words + self.growth().next_power_of_two().trailing_zeros()
    }

    /// The same as a number.
    ///
    /// ```
    /// use limbforge_algos::modmul_fold::Fold;
    /// // 1 + 255 * 4 * 3 is below 2^12.
    /// assert_eq!(Fold::for_sequences(1).map(Fold::unit), Some(1_u64 << (32 + 12)).map(Into::into));
    /// ```
    #[must_use]
    pub fn unit(self) -> BigUint {
        BigUint::from(1_u32) << self.unit_bits()
    }
}

impl FoldedSequence {
    /// None if there are more than 4096 variables and constants.
    #[must_use]
    pub fn new(fold: Fold, sequence: &Sequence) -> Option<Self> {
        let one = Term::of(Sequence::one(sequence.inputs()));
        let mut steps = sequence.steps().to_vec();
        let bounds = loop {
            let growing = match bounds(&steps, sequence.variables()) {
                Ok(bounds) => break bounds,
                Err(growing) => growing,
            };
            let Step::Sum { to, terms } = &steps[growing] else { broken_invariant("a product has bound 1") };
            steps[growing] = Step::Product { to: *to, factors: [terms.clone(), vec![one]] };
        };
        let variables = sequence.variables();
        let mut constants = vec![];
        for terms in steps.iter_mut().flat_map(sums_of) {
            if let Some(constant) = constant(terms, &bounds) {
                let known = constants.iter().position(|&known| known == constant);
                let index = known.unwrap_or(constants.len());
                if known.is_none() {
                    constants.push(constant);
                }
                terms.push(Term::of(Variable::try_from(index).ok()?.checked_add(variables)?));
            }
        }
        let (inputs, outputs) = (sequence.inputs(), sequence.outputs().to_vec());
        let folded = Self { fold, inputs, variables, steps, outputs, bounds, constants };
        (usize::from(variables) + folded.constants.len() <= MOST_NAMES).then_some(folded)
    }

    /// The variables that are given.
    #[must_use]
    pub const fn inputs(&self) -> Variable {
        self.inputs
    }

    /// All variables. Terms of larger numbers are [constants](Self::constants).
    #[must_use]
    pub const fn variables(&self) -> Variable {
        self.variables
    }

    /// The steps of a round. A negative term is so many times the complement of its variable.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The variables that are results.
    #[must_use]
    pub fn outputs(&self) -> &[Variable] {
        &self.outputs
    }

    /// The constants of sums with negative terms.
    #[must_use]
    pub fn constants(&self) -> &[Constant] {
        &self.constants
    }

    /// Runs a round for each bit; returns the results in `0..n`, for n = 0 modulo 1.
    ///
    /// # Errors
    /// [`NotRun`] if there are more or fewer numbers than the sequence is given, or n or one of them is too wide.
    pub fn run(&self, n: &BigUint, numbers: &[BigUint], bits: &[bool]) -> Result<Vec<BigUint>, NotRun> {
        let expected = usize::from(self.inputs);
        if numbers.len() != expected {
            return Err(NotRun::Numbers { expected, found: numbers.len() });
        }
        let modulus = self.fold.modulus(n)?;
        numbers.iter().try_for_each(|number| self.fold.check(number))?;
        let mut variables: Vec<BigUint> = numbers.to_vec();
        variables.push(BigUint::from(1_u32));
        variables.resize(self.variables.into(), BigUint::ZERO);
        let multiple = modulus.multiple();
        variables.extend(self.constants.iter().map(|c| &multiple * c.multiples + c.ones));
        for &bit in bits {
            for step in &self.steps {
                let value = match step {
                    Step::Product { factors, .. } => {
                        let [a, b] = factors.each_ref().map(|terms| self.sum(terms, &variables, bit));
                        modulus.product(&a, &b)
                    }
                    Step::Sum { terms, .. } => self.sum(terms, &variables, bit),
                };
                let to = usize::from(step.to());
                if value > self.fold.unit() * self.bounds[to] {
                    broken_invariant("a variable of a sequence is within its bound");
                }
                variables[to] = value;
            }
        }
        Ok(self.outputs.iter().map(|&output| &variables[usize::from(output)] % &modulus.n).collect())
    }

    /// A sum of multiples of variables and of their complements, in w + 1 words.
    fn sum(&self, terms: &[Term], variables: &[BigUint], bit: bool) -> BigUint {
        let radix = BigUint::from(1_u32) << (32 * (self.fold.words + 1));
        let multiple = |term: &Term| {
            let x = &variables[usize::from(term.variables[usize::from(bit)])];
            let x = if term.coefficient < 0 { &radix - 1_u32 - x } else { x.clone() };
            x * term.coefficient.unsigned_abs()
        };
        terms.iter().map(multiple).sum::<BigUint>() % &radix
    }
}

impl Modulus {
    /// The least `2^k N` that is not below the unit.
    fn multiple(&self) -> BigUint {
        &self.n << (u64::from(self.fold.unit_bits()) + 1 - self.n.bits())
    }
}

/// The sums of a step.
fn sums_of(step: &mut Step) -> impl Iterator<Item = &mut Vec<Term>> {
    let [first, second] = match step {
        Step::Product { factors: [a, b], .. } => [Some(a), Some(b)],
        Step::Sum { terms, .. } => [Some(terms), None],
    };
    [first, second].into_iter().flatten()
}

/// How often the unit each variable is at most, after any step that sets it; the first sum that would be more than
/// [`MOST_STORED`] if there is one.
fn bounds(steps: &[Step], variables: Variable) -> Result<Vec<u32>, usize> {
    let mut bounds = vec![1; variables.into()];
    loop {
        let before = bounds.clone();
        for (i, step) in steps.iter().enumerate() {
            if let Step::Sum { to, terms } = step {
                let bound: u32 = terms.iter().map(|term| bound(term, &bounds)).sum();
                if bound > MOST_STORED {
                    return Err(i);
                }
                let to = &mut bounds[usize::from(*to)];
                *to = bound.max(*to);
            }
        }
        if bounds == before {
            return Ok(bounds);
        }
    }
}

/// The bound of a term: twice that of its variable if it is subtracted from a multiple of N.
fn bound(term: &Term, bounds: &[u32]) -> u32 {
    subtracted(term, bounds).map_or_else(|| times(term, bounds), |multiples| 2 * multiples)
}

/// The bound of a multiple of a term's variable.
fn times(term: &Term, bounds: &[u32]) -> u32 {
    let [a, b] = term.variables.map(|variable| bounds[usize::from(variable)]);
    u32::from(term.coefficient.unsigned_abs()) * a.max(b)
}

/// The bound of a multiple that is subtracted.
fn subtracted(term: &Term, bounds: &[u32]) -> Option<u32> {
    (term.coefficient < 0).then(|| times(term, bounds))
}

/// What a sum with negative terms has more.
fn constant(terms: &[Term], bounds: &[u32]) -> Option<Constant> {
    let multiples: u32 = terms.iter().filter_map(|term| subtracted(term, bounds)).sum();
    let negative = terms.iter().filter(|term| term.coefficient < 0);
    let ones = negative.map(|term| u32::from(term.coefficient.unsigned_abs())).sum();
    (ones > 0).then_some(Constant { multiples, ones })
}
