//! A modulus of a plan, and Montgomery's product modulo it.

use num_bigint::{BigInt, BigUint, Sign};

use super::chain::Extra;
use super::constants::remainder;
use super::error::{Refused, TooWide};
use super::plan::{Plan, check_modulus};
use super::residues::Residues;
use crate::invariant::broken_invariant;

/// A modulus N with its constants in a plan.
///
/// Numbers are residues of `x P mod N`, P the product of base 1: Montgomery's form. All are from `-lambda N`
/// to `lambda N`.
///
/// ```
/// use limbforge_algos::modmul_rns::Plan;
/// use num_bigint::BigUint;
/// let plan = Plan::each(128)?;
/// let modulus = plan.modulus(&BigUint::from(1_000_000_u32))?;
/// let a = modulus.enter(&BigUint::from(123_456_789_u32))?;
/// assert_eq!(modulus.leave(&modulus.product(&a, &a)), (123_456_789_u64.pow(2) % 1_000_000).into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Modulus<'p> {
    pub(super) plan: &'p Plan,
    value: BigUint,
    /// Factors `-R^2 (P/p_i)^-1 / N mod p_i`; none if the plan is for one modulus.
    pub first: Vec<u32>,
    /// Factors `R^2 d_j N mod q_j`; none if the plan is for one modulus.
    pub second: Vec<u32>,
    /// `P^2 mod N`, which brings numbers into Montgomery's form.
    pub square: BigUint,
    entry: Residues,
    one: Residues,
}

impl Plan {
    /// The constants of a modulus of up to the plan's bits, even or odd.
    ///
    /// # Errors
    /// [`Refused`] if another algorithm must serve this modulus.
    pub fn modulus(&self, modulus: &BigUint) -> Result<Modulus<'_>, Refused> {
        check_modulus(modulus, self.bits, &self.bases)?;
        if self.one.as_ref().is_some_and(|one| one != modulus) {
            return Err(Refused::Other);
        }
        let (mut first, mut second) = (vec![], vec![]);
        if self.one.is_none() {
            let of_first = self.first.iter().map(|c| {
                let inverse = c.prime.invert(remainder(modulus, c.prime));
                c.prime.mul(c.factor, inverse)
            });
            first.extend(of_first);
            second.extend(self.second.iter().map(|c| c.prime.mul(c.factor, remainder(modulus, c.prime))));
        }
        let radix = &self.bases.first.product;
        let square = radix * radix % modulus;
        let enter = |number: &BigUint| {
            self.enter(number).unwrap_or_else(|_| broken_invariant("a constant of a modulus fits the plan"))
        };
        let (entry, one) = (enter(&square), enter(&BigUint::from(1_u32)));
        Ok(Modulus { plan: self, value: modulus.clone(), first, second, square, entry, one })
    }
}

impl Modulus<'_> {
    /// N.
    #[must_use]
    pub const fn value(&self) -> &BigUint {
        &self.value
    }

    /// The residues of `x P mod N`, for x below `2^bits`, which may be above N.
    ///
    /// # Errors
    /// [`TooWide`] if x has more bits than the plan.
    pub fn enter(&self, x: &BigUint) -> Result<Residues, TooWide> {
        Ok(self.product(&self.plan.enter(x)?, &self.entry))
    }

    /// The residues of `P mod N`, Montgomery's form of 1.
    #[must_use]
    pub fn one(&self) -> Residues {
        self.product(&self.one, &self.entry)
    }

    /// The number of these residues, `z / P mod N`, in `0..N`.
    #[must_use]
    pub fn leave(&self, residues: &Residues) -> BigUint {
        let value = self.plan.value(&self.product(residues, &self.one));
        let modulus = BigInt::from(self.value.clone());
        let rest = value % &modulus;
        let rest = if rest.sign() == Sign::Minus { rest + modulus } else { rest };
        rest.into_parts().1
    }

    /// `a b / P mod N`: an extension from base 1 to base 2, and one back.
    #[must_use]
    pub fn product(&self, a: &Residues, b: &Residues) -> Residues {
        self.product_with(a, b, Extra::default())
    }

    /// The product with what tests of primality add to its steps.
    pub(super) fn product_with(&self, a: &Residues, b: &Residues, extra: Extra<'_>) -> Residues {
        let all = 0..self.plan.residues();
        let factors: Vec<u32> = all.clone().map(|i| self.factor(i, a, b, extra)).collect();
        let second: Vec<u32> =
            all.clone().map(|j| self.residue_in_second(j, a, b, (&factors, extra))).collect();
        let alpha = Plan::alpha(&second);
        if alpha > self.plan.bounds.largest_alpha {
            broken_invariant("alpha is at most the largest one of its plan");
        }
        let first = all.map(|i| self.residue_in_first(i, &second, alpha)).collect();
        Residues { first, second }
    }

    /// Residue i of q in base 1, for which `a b + q N` is a multiple of P: `q = sum xi_i P/p_i`.
    fn factor(&self, i: usize, a: &Residues, b: &Residues, extra: Extra<'_>) -> u32 {
        let prime = self.plan.first[i].prime;
        let product = prime.reduce(u64::from(a.first[i]) * u64::from(b.first[i]));
        let factor = match self.first.get(i) {
            Some(&factor) => prime.reduce(u64::from(product) * u64::from(extra.doubled(prime, factor))),
            None => product,
        };
        if 4 * u64::from(factor) > 7 * u64::from(prime.value) {
            broken_invariant("a factor of an extension is at most 7/4 of its prime");
        }
        factor
    }

    /// Residue j of `(a b + q N) / P` in base 2.
    fn residue_in_second(
        &self,
        j: usize,
        a: &Residues,
        b: &Residues,
        (factors, extra): (&[u32], Extra<'_>),
    ) -> u32 {
        let constants = &self.plan.second[j];
        let prime = constants.prime;
        let product = prime.reduce(u64::from(a.second[j]) * u64::from(b.second[j]));
        let sum = self.plan.to_second.product(j, factors, self.plan.bounds.joining);
        let times = |a: u32, b: u32| u64::from(a) * u64::from(b);
        let value = match self.second.get(j) {
            Some(&factor) => {
                let product = extra.doubled(prime, prime.subtract_once(product));
                times(prime.reduce(sum), factor) + times(product, constants.product_factor)
            }
            None => sum + times(product, constants.product_factor),
        };
        let less = extra.less.map_or(0, |less| less.words[j]);
        let residue = prime.subtract_once(prime.reduce(value + u64::from(less)));
        if residue >> 31 != 0 {
            broken_invariant("a residue in base 2 is below 2^31");
        }
        residue
    }

    /// Residue i of the number of these residues in base 2.
    fn residue_in_first(&self, i: usize, second: &[u32], alpha: u32) -> u32 {
        let constants = &self.plan.first[i];
        let sum = self.plan.to_first.product(i, second, self.plan.bounds.joining);
        constants.prime.reduce(sum + u64::from(alpha) * u64::from(constants.correction))
    }
}
