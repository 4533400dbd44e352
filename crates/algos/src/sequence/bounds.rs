//! Bounds of the variables of a sequence: how often the bound of a product they are at most.

use super::{Sequence, SequenceError, Step, Term, Variable};

/// The most products of which a variable is the sum.
pub(crate) const MOST_SUMMED: u32 = 16;

/// The most variables, so that a kernel's terms have one word.
const MOST_VARIABLES: Variable = 1 << 10;

impl Sequence {
    /// The sequence of these steps over so many given variables, which are the first ones; behind them is
    /// [`one`](Self::one). Variables that no step of a round sets before it reads them are given, or keep
    /// what the last round has left.
    ///
    /// # Errors
    /// [`SequenceError`] where a variable is not set or a bound is not proved, and if there is no product.
    pub fn new(inputs: Variable, steps: Vec<Step>, outputs: Vec<Variable>) -> Result<Self, SequenceError> {
        let terms = || steps.iter().flat_map(Step::sums).flatten().flat_map(|term| term.variables);
        let highest = steps.iter().map(Step::to).chain(terms()).chain([Self::one(inputs)]).max();
        let variables = highest.map_or(0, |highest| highest.saturating_add(1));
        if variables > MOST_VARIABLES {
            return Err(SequenceError::Large { limit: MOST_VARIABLES });
        }
        if !steps.iter().any(|step| matches!(step, Step::Product { .. })) {
            return Err(SequenceError::NoProduct);
        }
        if let Some(&variable) = outputs.iter().find(|&&variable| variable >= variables) {
            return Err(SequenceError::Output { variable });
        }
        let mut sequence = Self { inputs, variables, steps, outputs, bounds: vec![] };
        sequence.bounds = sequence.prove()?;
        Ok(sequence)
    }

    /// The variable that holds 1, behind the given ones.
    #[must_use]
    pub const fn one(inputs: Variable) -> Variable {
        inputs
    }

    /// The variables that are given.
    #[must_use]
    pub const fn inputs(&self) -> Variable {
        self.inputs
    }

    /// All variables.
    #[must_use]
    pub const fn variables(&self) -> Variable {
        self.variables
    }

    /// Whether a step of a round adds numbers, and does not only multiply or move them.
    #[must_use]
    pub fn has_sums(&self) -> bool {
        self.steps.iter().flat_map(Step::sums).any(|terms| terms.len() > 1)
    }

    /// The steps of a round.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The variables that are results.
    #[must_use]
    pub fn outputs(&self) -> &[Variable] {
        &self.outputs
    }

    /// For each variable how often the bound of a product it is at most, from 1 to 16; 0 for one that is never set.
    #[must_use]
    pub fn bounds(&self) -> &[u32] {
        &self.bounds
    }

    /// The bounds that all rounds have: those before the first one, enlarged until a round keeps them. They
    /// grow up to 16 at most.
    fn prove(&self) -> Result<Vec<u32>, SequenceError> {
        let given = |variable| u32::from(variable <= Self::one(self.inputs));
        let mut before: Vec<u32> = (0..self.variables).map(given).collect();
        let mut largest = before.clone();
        loop {
            let after = self.round(before.clone(), &mut largest)?;
            // What a round alone sets is not there before the first one.
            let joined =
                before.iter().zip(&after).map(|(&a, &b)| if a == 0 { 0 } else { a.max(b) }).collect();
            if before == joined {
                break;
            }
            before = joined;
        }
        match self.outputs.iter().find(|&&output| before[usize::from(output)] == 0) {
            Some(&variable) => Err(SequenceError::Output { variable }),
            None => Ok(largest),
        }
    }

    /// The bounds after a round.
    fn round(&self, mut bounds: Vec<u32>, largest: &mut [u32]) -> Result<Vec<u32>, SequenceError> {
        for (step, what) in self.steps.iter().enumerate() {
            let mut sum = 0;
            for terms in what.sums() {
                sum = bound(step, terms, &bounds)?;
                if sum > MOST_SUMMED {
                    return Err(SequenceError::Unbounded { step });
                }
                if matches!(what, Step::Sum { .. }) {
                    break;
                }
            }
            if what.to() == Self::one(self.inputs) {
                return Err(SequenceError::One { step, variable: what.to() });
            }
            let to = usize::from(what.to());
            // A sum of nothing is 0, and within any bound.
            bounds[to] = if matches!(what, Step::Product { .. }) { 1 } else { sum.max(1) };
            largest[to] = largest[to].max(bounds[to]);
        }
        Ok(bounds)
    }
}

/// The bound of a sum.
fn bound(step: usize, terms: &[Term], bounds: &[u32]) -> Result<u32, SequenceError> {
    let mut sum: u32 = 0;
    for &Term { coefficient, variables } in terms {
        if coefficient == 0 || u32::from(coefficient.unsigned_abs()) > MOST_SUMMED {
            return Err(SequenceError::Coefficient { step, coefficient });
        }
        let [a, b] = variables.map(|variable| bounds[usize::from(variable)]);
        if let Some(&variable) = variables.iter().find(|&&variable| bounds[usize::from(variable)] == 0) {
            return Err(SequenceError::Unset { step, variable });
        }
        sum = sum.saturating_add(u32::from(coefficient.unsigned_abs()) * a.max(b));
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(to: Variable, factors: [Vec<Term>; 2]) -> Step {
        Step::Product { to, factors }
    }

    fn sum(to: Variable, terms: Vec<Term>) -> Step {
        Step::Sum { to, terms }
    }

    #[test]
    fn a_product_ends_the_growth_of_sums() {
        let [x, y] = [0, 1].map(Term::of);
        let one = Term::of(Sequence::one(2));
        // x = x x + 1.
        let steps = vec![product(0, [vec![x], vec![x]]), sum(0, vec![x, one])];
        assert_eq!(Sequence::new(2, steps, vec![0]).unwrap().bounds(), [2, 1, 1]);
        // y = y + x grows without end; multiplied by 1 it does not.
        let grows = vec![product(0, [vec![x], vec![x]]), sum(1, vec![y, x])];
        assert_eq!(Sequence::new(2, grows.clone(), vec![1]), Err(SequenceError::Unbounded { step: 1 }));
        let steps = [grows, vec![product(1, [vec![y], vec![one]])]].concat();
        assert_eq!(Sequence::new(2, steps, vec![1]).unwrap().bounds(), [1, 2, 1]);
    }

    #[test]
    fn sums_of_sixteen_are_the_largest() {
        let x = Term::of(0);
        let with = |terms| Sequence::new(1, vec![product(2, [terms, vec![x]])], vec![0]).map(|_| ());
        assert_eq!(with(vec![x.times(16)]), Ok(()));
        assert_eq!(with(vec![x.times(-9), x.times(7)]), Ok(()));
        assert_eq!(with(vec![x.times(16), x]), Err(SequenceError::Unbounded { step: 0 }));
        for coefficient in [0, 17, -17, i8::MIN] {
            let expected = SequenceError::Coefficient { step: 0, coefficient };
            assert_eq!(with(vec![x.times(coefficient)]), Err(expected));
        }
    }

    #[test]
    fn variables_are_set_before_they_are_read() {
        let x = Term::of(0);
        let unset = Term { variables: [0, 2], ..x };
        let square = product(0, [vec![x], vec![x]]);
        let steps = |steps: [Step; 2]| [vec![square.clone()], steps.to_vec()].concat();
        let found = Sequence::new(1, steps([sum(0, vec![unset]), sum(2, vec![x])]), vec![0]);
        assert_eq!(found, Err(SequenceError::Unset { step: 1, variable: 2 }));
        let local = steps([sum(2, vec![x]), sum(0, vec![unset])]);
        assert!(Sequence::new(1, local.clone(), vec![0]).is_ok());
        assert_eq!(Sequence::new(1, local.clone(), vec![2]), Err(SequenceError::Output { variable: 2 }));
        assert_eq!(Sequence::new(1, local, vec![9]), Err(SequenceError::Output { variable: 9 }));
        let one = Sequence::new(1, vec![sum(1, vec![x]), square], vec![0]);
        assert_eq!(one, Err(SequenceError::One { step: 0, variable: 1 }));
        assert_eq!(Sequence::new(1, vec![sum(2, vec![x])], vec![0]), Err(SequenceError::NoProduct));
        let far = product(MOST_VARIABLES, [vec![x], vec![x]]);
        assert_eq!(Sequence::new(1, vec![far], vec![0]), Err(SequenceError::Large { limit: MOST_VARIABLES }));
    }
}
