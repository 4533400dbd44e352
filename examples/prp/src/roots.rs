//! Roots of forms modulo primes: the indices that a prime strikes.

use limbforge::field::primes;
use limbforge_hunts::HuntError;
use rayon::prelude::*;

use crate::family::{Family, Form};

/// No root.
const NONE: u32 = u32::MAX;

/// The primes up to a limit, and for each the index modulo it at which it divides the value of a form.
#[derive(Clone, Debug)]
pub struct Roots {
    primes: Vec<u32>,
    /// One after the other for each prime.
    roots: Vec<u32>,
    forms: usize,
}

impl Roots {
    /// The roots of a family modulo the primes up to a limit.
    ///
    /// # Errors
    /// [`HuntError::Argument`] if a prime divides a value at every index: there is nothing to find.
    pub fn new(family: &Family, limit: u32) -> Result<Self, HuntError> {
        let primes = primes::up_to(limit.min(NONE - 1));
        let forms: Vec<Digits> = family.forms().iter().map(Digits::new).collect();
        let k = forms.len();
        let mut roots = vec![NONE; primes.len() * k];
        let each = roots.par_chunks_mut(k).zip(&primes);
        each.for_each(|(out, &q)| {
            for (out, form) in out.iter_mut().zip(&forms) {
                *out = form.root(q).unwrap_or(NONE);
            }
        });
        let roots = Self { primes, roots, forms: k };
        for (q, distinct) in roots.counts().take_while(|(q, _)| *q as usize <= k) {
            if distinct == q {
                return Err(HuntError::argument(format!(
                    "{q} divides one of the {k} numbers at every place"
                )));
            }
        }
        Ok(roots)
    }

    /// The roots of prime number `at`, one for each form.
    pub(crate) fn of(&self, at: usize) -> (u32, &[u32]) {
        (self.primes[at], &self.roots[at * self.forms..(at + 1) * self.forms])
    }

    /// The number of primes.
    pub(crate) fn len(&self) -> usize {
        self.primes.len()
    }

    /// Each prime with the number of its different roots.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.len()).map(|at| {
            let (q, roots) = self.of(at);
            let is_first = |(i, root): (usize, &u32)| *root != NONE && !roots[..i].contains(root);
            (q, roots.iter().enumerate().filter(|&it| is_first(it)).count() as u32)
        })
    }
}

/// A root that is there.
pub(crate) const fn is_root(root: u32) -> bool {
    root != NONE
}

/// A form in words.
struct Digits {
    start: Vec<u32>,
    step: Vec<u32>,
}

impl Digits {
    fn new(form: &Form) -> Self {
        Self { start: form.start.to_u32_digits(), step: form.step.to_u32_digits() }
    }

    /// The root modulo a prime that does not divide the step; a form without one is never divisible by it.
    fn root(&self, q: u32) -> Option<u32> {
        let step = modulo(&self.step, q);
        let inverse = u64::from(inverse(step, q)?);
        let start = modulo(&self.start, q);
        let minus_start = if start == 0 { 0 } else { q - start };
        Some((u64::from(minus_start) * inverse % u64::from(q)) as u32)
    }
}

/// The number modulo q.
fn modulo(words: &[u32], q: u32) -> u32 {
    let q = u64::from(q);
    words.iter().rev().fold(0, |rest, &word| (rest << 32 | u64::from(word)) % q) as u32
}

/// The inverse of a modulo a prime q, unless a is 0.
fn inverse(a: u32, q: u32) -> Option<u32> {
    let (mut r, mut s) = ((i64::from(q), i64::from(a)), (0_i64, 1_i64));
    while r.1 != 0 {
        let quotient = r.0 / r.1;
        r = (r.1, r.0 - quotient * r.1);
        s = (s.1, s.0 - quotient * s.1);
    }
    (r.0 == 1).then(|| s.0.rem_euclid(q.into()) as u32)
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;

    #[test]
    fn a_root_is_where_the_prime_divides() {
        let power = BigUint::from(6_u8).pow(50);
        let family = Family::powers(&power, 1000, 5000, &[-1, 5]).unwrap();
        let roots = Roots::new(&family, 3000).unwrap();
        let mut seen = 0;
        for at in 0..roots.len() {
            let (q, of_q) = roots.of(at);
            let some: Vec<(usize, u32)> =
                of_q.iter().copied().enumerate().filter(|it| is_root(it.1)).collect();
            assert_eq!(some.len(), if q < 5 { 0 } else { 2 }, "{q}");
            for (form, root) in some {
                assert_eq!(family.forms()[form].value(root.into()) % q, BigUint::ZERO, "{q}");
                seen += 1;
            }
        }
        assert_eq!(seen, 2 * 428);
    }

    #[test]
    fn patterns_that_a_prime_forbids_are_refused() {
        let family = Family::range(&101_u8.into(), &1001_u32.into(), &[0, 2, 4]).unwrap();
        let error = Roots::new(&family, 100).unwrap_err().to_string();
        assert_eq!(error, "3 divides one of the 3 numbers at every place");
    }
}
