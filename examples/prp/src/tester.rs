//! Tests of candidates by an engine.

use limbforge::prelude::*;
use limbforge_hunts::{HuntError, word_bits};
use num_bigint::BigUint;
use rayon::prelude::*;

use crate::family::{Family, Form};

/// The bits of values whose tests take no longer than a compilation.
const PREPARED: u64 = 4096;

/// A test of primality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Test {
    /// Fermat's to base 2: 2^(n - 1) = 1 modulo n.
    Fermat,
    /// The strong test to base 2, by Miller and Rabin.
    Strong,
    /// Baillie, Pomerance, Selfridge and Wagstaff: no composite is known that passes. Exact below 2^64.
    Bpsw,
}

impl Test {
    /// The result of a program with an odd number n.
    const fn text(self) -> &'static str {
        match self {
            Self::Fermat => "out passes = 2 ** (n - 1) mod n == 1",
            Self::Strong => "out passes = is_strong_probable_prime(n, 2)",
            Self::Bpsw => "out passes = is_prime(n)",
        }
    }
}

/// An engine that tests candidates.
#[derive(Clone, Debug)]
pub struct Tester {
    engine: Engine,
}

impl Tester {
    /// A tester on this engine.
    #[must_use]
    pub const fn new(engine: Engine) -> Self {
        Self { engine }
    }

    /// The engine.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The indices at which the values of all forms pass, in order, and the number of tests. A form is tested where
    /// the ones before it pass.
    ///
    /// # Errors
    /// [`HuntError`] if the engine fails.
    pub fn passing(
        &self,
        test: Test,
        family: &Family,
        indices: Vec<u64>,
    ) -> Result<(Vec<u64>, u64), HuntError> {
        let (mut left, mut tests) = (indices, 0);
        for form in family.forms() {
            tests += left.len() as u64;
            left = self.passing_of(test, form, left)?;
        }
        Ok((left, tests))
    }

    /// Compiles and loads the program of a family's first form on a GPU, by the tests of two values. What fails here fails
    /// again, and is an error, where candidates are tested.
    pub fn prepare(&self, test: Test, family: &Family) {
        let is_short = self.engine.device_name() != "CPU" && family.bits() <= PREPARED;
        if let Some(form) = family.forms().first().filter(|_| is_short) {
            let _ = self.of_form(test, form, &[0, family.count() - 1]);
        }
    }

    /// The indices at which the value of a form passes.
    fn passing_of(&self, test: Test, form: &Form, indices: Vec<u64>) -> Result<Vec<u64>, HuntError> {
        if indices.is_empty() {
            return Ok(indices);
        }
        let passes = passes(&self.of_form(test, form, &indices)?)?;
        let left = indices.into_par_iter().zip(passes).filter(|(_, passes)| *passes);
        Ok(left.map(|(index, _)| index).collect())
    }

    /// Tests the values of a form at some indices. The device computes the values: of each candidate, 8 bytes go
    /// there.
    fn of_form(&self, test: Test, form: &Form, indices: &[u64]) -> Result<ProgramRun<u64>, HuntError> {
        let (first, last) = (indices[0], indices[indices.len() - 1]);
        let ty = unsigned(word_bits(form.value(last).bits().max(form.step.bits())))?;
        let start = one(ty, &form.value(first))?;
        // A sum takes less of a GPU than a product, so that more candidates are tested at once.
        let step = u64::try_from(&form.step).ok().filter(|step| step.checked_mul(last - first).is_some());
        let difference = |&index: &u64| (index - first) * step.unwrap_or(1);
        let differences = indices.par_iter().map(difference).collect();
        let i = Batch::from_limbs(unsigned(64)?, Layout::InstanceMajor, differences)?;
        Ok(if step.is_some() {
            let text = format!("in start\nin i: u64\nlet n = start + i\n{}", test.text());
            self.engine.run(&Program::parse(&text)?, &[("start", &start), ("i", &i)])?
        } else {
            let text = format!("in step, start\nin i: u64\nlet n = step*i + start\n{}", test.text());
            let step = one(ty, &form.step)?;
            self.engine.run(&Program::parse(&text)?, &[("step", &step), ("start", &start), ("i", &i)])?
        })
    }

    /// Which of these odd numbers pass.
    ///
    /// # Errors
    /// [`HuntError`] if the engine fails, or a number is even.
    pub fn of_numbers(&self, test: Test, numbers: &[BigUint]) -> Result<Vec<bool>, HuntError> {
        let ty = unsigned(word_bits(numbers.iter().map(BigUint::bits).max().unwrap_or(0)))?;
        let program = Program::parse(&format!("in n\n{}", test.text()))?;
        let batch = Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, numbers)?;
        if numbers.is_empty() {
            return Ok(vec![]);
        }
        passes(&self.engine.run(&program, &[("n", &batch)])?)
    }
}

/// The flag of each instance.
fn passes(run: &ProgramRun<u64>) -> Result<Vec<bool>, HuntError> {
    if let Some(failure) = run.failures().first() {
        return Err(HuntError::Wrong(format!("candidate {} has no test: {failure:?}", failure.instance)));
    }
    let flags =
        run.result("passes").ok_or_else(|| HuntError::Wrong("a program has lost its result".to_owned()))?;
    // A flag has one limb in every layout.
    Ok(flags.limbs().par_iter().map(|&flag| flag == 1).collect())
}

fn unsigned(bits: u64) -> Result<IntType, HuntError> {
    IntType::unsigned(bits).map_err(|error| HuntError::argument(error.to_string()))
}

fn one(ty: IntType, value: &BigUint) -> Result<Batch<u64>, HuntError> {
    Ok(Batch::from_biguints(ty, Layout::InstanceMajor, std::slice::from_ref(value))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 341 = 11 * 31 passes Fermat's test to base 2, 2047 = 23 * 89 the strong one (<https://oeis.org/A001567>,
    /// <https://oeis.org/A001262>).
    #[test]
    fn pseudoprimes_pass_as_they_should() {
        let tester = Tester::new(Engine::cpu());
        let numbers = [341_u32, 2047, 2049, 65_537, 561].map(BigUint::from);
        let of = |test| tester.of_numbers(test, &numbers).unwrap();
        assert_eq!(of(Test::Fermat), [true, true, false, true, true]);
        assert_eq!(of(Test::Strong), [false, true, false, true, false]);
        assert_eq!(of(Test::Bpsw), [false, false, false, true, false]);
        assert!(tester.of_numbers(Test::Fermat, &[]).unwrap().is_empty());
    }

    /// Against powers by num-bigint, also at the border of a width.
    #[test]
    fn values_are_those_of_the_form() {
        let tester = Tester::new(Engine::cpu());
        let two = BigUint::from(2_u8);
        for (power, first) in [(64, 1), (96, 1 << 31), (31, 3), (128, u64::MAX - 200), (3, 1 << 40)] {
            let family = Family::powers(&two.pow(power), first, first + 60, &[-1]).unwrap();
            let all: Vec<u64> = (0..family.count()).collect();
            let passes = |&i: &u64| {
                let n = family.forms()[0].value(i);
                two.modpow(&(&n - 1_u8), &n) == BigUint::from(1_u8)
            };
            let expected: Vec<u64> = all.iter().copied().filter(passes).collect();
            let count = all.len() as u64;
            assert_eq!(tester.passing(Test::Fermat, &family, all).unwrap(), (expected, count), "{power}");
        }
    }
}
