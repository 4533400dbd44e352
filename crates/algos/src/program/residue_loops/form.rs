//! Sums of multiples of variables.

use super::NotResidues;
use crate::sequence::{Term, Variable};

/// The largest bound of a sum.
pub(super) const MOST: u32 = 16;

/// A sum: a coefficient of each pair of variables, for rounds whose bit is 0 and 1, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Form(Vec<([Variable; 2], i32)>);

impl Form {
    /// A variable.
    pub(super) fn of(variable: Variable) -> Self {
        Self(vec![([variable; 2], 1)])
    }

    /// So many times the same.
    pub(super) fn times(&self, factor: i32) -> Self {
        let scaled = self.0.iter().map(|&(variables, coefficient)| (variables, coefficient * factor));
        Self(scaled.filter(|&(_, coefficient)| coefficient != 0).collect())
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for &(variables, coefficient) in &other.0 {
            match sum.0.binary_search_by_key(&variables, |term| term.0) {
                Ok(at) => sum.0[at].1 += coefficient,
                Err(at) => sum.0.insert(at, (variables, coefficient)),
            }
        }
        sum.0.retain(|&(_, coefficient)| coefficient != 0);
        sum
    }

    /// How often lambda N it is at most.
    pub(super) fn weight(&self, bounds: &[u32]) -> u32 {
        let of = |&([a, b], coefficient): &([Variable; 2], i32)| {
            let bound = bounds[usize::from(a)].max(bounds[usize::from(b)]);
            coefficient.unsigned_abs().saturating_mul(bound)
        };
        self.0.iter().map(of).fold(0, u32::saturating_add)
    }

    /// How often 1 it is, if it is nothing else.
    pub(super) fn multiple_of(&self, one: Variable) -> Option<i32> {
        match *self.0 {
            [] => Some(0),
            [(variables, coefficient)] if variables == [one; 2] => Some(coefficient),
            _ => None,
        }
    }

    /// The variable, if it is one.
    pub(super) fn variable(&self) -> Option<Variable> {
        match *self.0 {
            [([a, b], 1)] if a == b => Some(a),
            _ => None,
        }
    }

    /// This one where the bit is 1 and `other` where it is 0, if they are alike: as many terms with the same
    /// coefficients.
    pub(super) fn where_set(&self, other: &Self) -> Option<Self> {
        let sorted = |form: &Self| {
            let mut terms = form.0.clone();
            terms.sort_unstable_by_key(|&(variables, coefficient)| (coefficient, variables));
            terms
        };
        let (set, unset) = (sorted(self), sorted(other));
        let is_alike = set.len() == unset.len() && set.iter().zip(&unset).all(|(a, b)| a.1 == b.1);
        let pairs =
            set.iter().zip(&unset).map(|(&([_, a], coefficient), &([b, _], _))| ([b, a], coefficient));
        // The same pair may come twice.
        let add = |sum: Self, term| sum.plus(&Self(vec![term]));
        is_alike.then(|| pairs.fold(Self::default(), add))
    }

    pub(super) fn reads(&self, variable: Variable) -> bool {
        self.0.iter().any(|(variables, _)| variables.contains(&variable))
    }

    pub(super) fn terms(&self) -> Result<Vec<Term>, NotResidues> {
        let term = |&(variables, coefficient): &([Variable; 2], i32)| {
            let coefficient = i8::try_from(coefficient).map_err(|_| NotResidues::Long)?;
            Ok(Term { coefficient, variables })
        };
        self.0.iter().map(term).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_join_and_vanish() {
        let [x, y] = [0, 1].map(Form::of);
        let sum = x.plus(&y.times(-3)).plus(&x);
        assert_eq!((sum.weight(&[1, 2]), sum.weight(&[2, 1])), (8, 7));
        assert_eq!(sum.plus(&sum.times(-1)), Form::default());
        assert_eq!((x.variable(), x.times(2).variable(), sum.multiple_of(0)), (Some(0), None, None));
        assert_eq!((y.times(5).multiple_of(1), Form::default().multiple_of(1)), (Some(5), Some(0)));
    }

    #[test]
    fn choices_of_sums_that_are_alike_are_sums() {
        let [x, y, z] = [0, 1, 2].map(Form::of);
        let swapped = x.where_set(&y).unwrap();
        assert_eq!(swapped, Form(vec![([1, 0], 1)]));
        // A choice of choices.
        assert_eq!(swapped.where_set(&z), Some(Form(vec![([2, 0], 1)])));
        let (sum, difference) = (x.plus(&y), x.plus(&y.times(-1)));
        assert_eq!(sum.where_set(&difference), None);
        assert_eq!(difference.where_set(&y.plus(&x.times(-1))), Some(Form(vec![([0, 1], -1), ([1, 0], 1)])));
        assert_eq!(sum.where_set(&z), None);
    }
}
