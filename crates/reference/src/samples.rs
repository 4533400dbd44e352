//! The programs of `examples/programs`, with operands and results that are known from elsewhere: what every
//! backend computes.

mod factoring;
mod roots;
mod tests_of_primes;

use limbforge_algos::program::Program;
use limbforge_testing::program::Input;
use num_bigint::BigInt;

pub use tests_of_primes::{FERMAT_PSEUDOPRIMES, LUCAS_PSEUDOPRIMES};

/// A program of `examples/programs`.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The name of its file without `.lf`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Batches with known results.
    pub cases: fn() -> Vec<Case>,
}

macro_rules! samples {
    ($($name:literal $cases:expr;)*) => {
        /// All samples.
        pub const SAMPLES: &[Sample] = &[$(Sample {
            name: $name,
            text: include_str!(concat!("../../../examples/programs/", $name, ".lf")),
            cases: $cases,
        }),*];
    };
}

samples! {
    "cfrac" roots::continued_fractions;
    "ecm" factoring::elliptic_curves;
    "isqrt" roots::square_roots;
    "modexp" roots::powers;
    "pm1" factoring::less_one;
    "prp" tests_of_primes::probable_primes;
    "rho" factoring::rho;
    "vdf" roots::delays;
}

/// A batch of operands, and what is known of its results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Where the results are from.
    pub about: &'static str,
    /// The number of instances.
    pub instances: usize,
    /// All inputs of the program.
    pub inputs: Vec<Input>,
    /// Some results or all; 0 for instances that fail.
    pub results: Vec<Known>,
    /// The instances that fail, in order, with their marks.
    pub failures: Vec<(usize, &'static str)>,
}

/// A result that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// The integers of each instance in turn.
    pub values: Vec<BigInt>,
}

impl Sample {
    /// The parsed program.
    ///
    /// # Panics
    /// If it does not parse.
    #[must_use]
    pub fn program(&self) -> Program {
        Program::parse(self.text).unwrap_or_else(|error| panic!("{}.lf: {error}", self.name))
    }
}

impl Case {
    fn new(about: &'static str, instances: usize) -> Self {
        Self { about, instances, inputs: vec![], results: vec![], failures: vec![] }
    }

    /// With an input of one integer for each instance, or one for all.
    fn input<T: Into<BigInt>>(
        self,
        name: &'static str,
        ty: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        self.array(name, ty, 1, values)
    }

    /// With an input of so many integers for each instance, or for all.
    fn array<T: Into<BigInt>>(
        mut self,
        name: &'static str,
        ty: &str,
        elements: usize,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        let ty = ty.parse().unwrap_or_else(|error| panic!("{error}"));
        let values: Vec<BigInt> = values.into_iter().map(Into::into).collect();
        assert!([elements, elements * self.instances].contains(&values.len()), "{name} of {}", self.about);
        self.inputs.push(Input { name, ty, values, elements });
        self
    }

    fn result<T: Into<BigInt>>(mut self, name: &'static str, values: impl IntoIterator<Item = T>) -> Self {
        self.results.push(Known { name, values: values.into_iter().map(Into::into).collect() });
        self
    }
}

impl Known {
    /// The integers of an instance of `instances`.
    #[must_use]
    pub fn of(&self, instance: usize, instances: usize) -> &[BigInt] {
        let elements = self.values.len() / instances;
        &self.values[instance * elements..][..elements]
    }
}

/// A number in decimal digits.
fn number(digits: &str) -> BigInt {
    digits.parse().unwrap_or_else(|error| panic!("{digits}: {error}"))
}

/// 2^k - 1
fn mersenne(k: u32) -> BigInt {
    (BigInt::from(1) << k) - 1
}
