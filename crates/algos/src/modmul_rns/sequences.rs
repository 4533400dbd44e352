//! Sequences of a modulus, step by step, with the words of the kernel.

use num_bigint::BigUint;

use super::error::Refused;
use super::modulus::Modulus;
use super::plan::Purpose;
use super::prime::Prime;
use super::residues::Residues;
use crate::invariant::broken_invariant;
use crate::sequence::{Sequence, Step, Term};

impl Modulus<'_> {
    /// Runs a round for each bit; returns the results in `0..N`. The given numbers are below `2^bits`.
    ///
    /// # Errors
    /// [`Refused::NoSlack`] unless the plan is [for sequences](super::Plan::for_sequences),
    /// [`Refused::Numbers`] if there are more or fewer numbers than the sequence is given or one is too wide.
    pub fn run(
        &self,
        sequence: &Sequence,
        numbers: &[BigUint],
        bits: &[bool],
    ) -> Result<Vec<BigUint>, Refused> {
        if self.plan.purpose != Purpose::Sequences {
            return Err(Refused::NoSlack);
        }
        let expected = usize::from(sequence.inputs());
        if numbers.len() != expected {
            return Err(Refused::Numbers { expected, found: numbers.len() });
        }
        let mut variables = vec![];
        for number in numbers {
            let entered =
                self.enter(number).map_err(|wide| Refused::Number { bits: wide.bits, found: wide.found })?;
            variables.push(self.below(entered));
        }
        variables.push(self.below(self.one()));
        let zero = || self.sum(&[], &[], false);
        variables.resize_with(sequence.variables().into(), zero);
        for &bit in bits {
            for step in sequence.steps() {
                let result = match step {
                    Step::Product { factors, .. } => {
                        let [a, b] = factors.each_ref().map(|terms| self.sum(terms, &variables, bit));
                        self.below(self.product(&a, &b))
                    }
                    Step::Sum { terms, .. } => self.sum(terms, &variables, bit),
                };
                let to = usize::from(step.to());
                self.check_bound(&result, sequence.bounds()[to]);
                variables[to] = result;
            }
        }
        Ok(sequence.outputs().iter().map(|&output| self.leave(&variables[usize::from(output)])).collect())
    }

    /// A sum of multiples of variables: words below their primes.
    fn sum(&self, terms: &[Term], variables: &[Residues], bit: bool) -> Residues {
        let of = |prime: Prime, word: &dyn Fn(&Residues) -> u32| {
            let add = |sum, term: &Term| {
                let variable = term.variables[usize::from(bit)];
                prime.plus(sum, prime.multiple(term.coefficient, word(&variables[usize::from(variable)])))
            };
            terms.iter().fold(0, add)
        };
        let plan = self.plan;
        let first = plan.first.iter().enumerate().map(|(i, c)| of(c.prime, &|z| z.first[i]));
        let second = plan.second.iter().enumerate().map(|(j, c)| of(c.prime, &|z| z.second[j]));
        Residues { first: first.collect(), second: second.collect() }
    }

    /// The words of a product, less their primes once if they are not below them.
    fn below(&self, residues: Residues) -> Residues {
        let once = |word: u32, prime: Prime| {
            let word = prime.subtract_once(word);
            if word >= prime.value {
                broken_invariant("a word of a product is below twice its prime");
            }
            word
        };
        let Residues { first, second } = residues;
        let first = first.into_iter().zip(&self.plan.first).map(|(word, c)| once(word, c.prime));
        let second = second.into_iter().zip(&self.plan.second).map(|(word, c)| once(word, c.prime));
        Residues { first: first.collect(), second: second.collect() }
    }

    /// Ends the program unless a number is at most so many times lambda N.
    fn check_bound(&self, number: &Residues, bound: u32) {
        let most = self.value() * (u64::from(bound) * u64::from(self.plan.bounds.lambda));
        if *self.plan.value(number).magnitude() > most {
            broken_invariant("a variable of a sequence is within its bound");
        }
    }
}

impl Prime {
    /// A sum of words below p, below p.
    const fn plus(self, a: u32, b: u32) -> u32 {
        self.subtract_once(a + b)
    }

    /// A small multiple of a word below p: from 0 to p. `2^31 = 2^31 - p mod p`, which has 21 bits.
    fn multiple(self, coefficient: i8, word: u32) -> u32 {
        let product = u64::from(coefficient.unsigned_abs()) * u64::from(word);
        let folded = (product >> 31) * ((1 << 31) - u64::from(self.value)) + (product & ((1 << 31) - 1));
        let folded = u32::try_from(folded).unwrap_or_else(|_| broken_invariant("a multiple has 32 bits"));
        let multiple = self.subtract_once(folded);
        if multiple >= self.value {
            broken_invariant("a folded multiple is below twice its prime");
        }
        if coefficient < 0 { self.value - multiple } else { multiple }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_at_the_ends() {
        for prime in Prime::largest(1064).into_iter().step_by(97) {
            for word in [0, 1, 2, prime.value / 2, prime.value - 2, prime.value - 1] {
                for coefficient in (-16..=16).filter(|&c| c != 0) {
                    let found = prime.plus(0, prime.multiple(coefficient, word));
                    let expected = (i64::from(coefficient) * i64::from(word)).rem_euclid(prime.value.into());
                    assert_eq!(i64::from(found), expected);
                }
            }
        }
    }
}
