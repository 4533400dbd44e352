//! The results of a program.

use limbforge_algos::cpu::EvalError;
use limbforge_algos::program::{ProgramFailure, TypedProgram};
use limbforge_limb::{Base, Batch};

use super::limbs::in_limbs;

/// The results of a program: a batch for each, and the instances that failed.
///
/// ```
/// use limbforge::prelude::*;
/// let program = Program::parse("in a, b\nout q = a / b, pair = (a, b)")?;
/// let batch = |values: &[u64]| Batch::<u64>::from_u64s("u64".parse().unwrap(), Layout::InstanceMajor, values);
/// let run = Engine::cpu().run(&program, &[("a", &batch(&[7, 8])?), ("b", &batch(&[2, 0])?)])?;
/// assert_eq!(run.result("q").map(Batch::to_u64s), Some(Ok(vec![3, 0])));
/// assert_eq!(run.result("pair").map(Batch::to_u64s), Some(Ok(vec![7, 2, 0, 0])));
/// assert_eq!(run.failures()[0].instance, 1); // 8 / 0
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProgramRun<B> {
    program: TypedProgram,
    instances: usize,
    results: Vec<Batch<B>>,
    failures: Vec<ProgramFailure>,
}

impl<B: Base> ProgramRun<B> {
    pub(super) fn new(
        program: TypedProgram,
        instances: usize,
        results: &[Batch<u64>],
        failures: Vec<ProgramFailure>,
    ) -> Result<Self, EvalError> {
        let results = results.iter().map(in_limbs).collect::<Result<_, _>>()?;
        Ok(Self { program, instances, results, failures })
    }

    /// The program with the types of all its values.
    #[must_use]
    pub const fn program(&self) -> &TypedProgram {
        &self.program
    }

    /// The number of instances.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let program = Program::parse("out six = 2 * 3")?;
    /// let run = Engine::cpu().run::<u64>(&program, &[])?;
    /// assert_eq!(run.instances(), 1); // without inputs
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn instances(&self) -> usize {
        self.instances
    }

    /// The result of this name: k integers for each instance, where it is an array or a tuple of k. None if the
    /// program has no such result. Those of instances that failed are 0.
    #[must_use]
    pub fn result(&self, name: &str) -> Option<&Batch<B>> {
        self.results().find(|(known, _)| *known == name).map(|(_, batch)| batch)
    }

    /// All results in the order of the program.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let program = Program::parse("out six = 2 * 3, big = 7 ** 20")?;
    /// let run = Engine::cpu().run::<u64>(&program, &[])?;
    /// let names: Vec<&str> = run.results().map(|(name, _)| name).collect();
    /// assert_eq!(names, ["six", "big"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn results(&self) -> impl Iterator<Item = (&str, &Batch<B>)> {
        self.program.results().iter().map(|result| &*result.name).zip(&self.results)
    }

    /// The instances that failed, in order, each with its reason and its place in the text.
    #[must_use]
    pub fn failures(&self) -> &[ProgramFailure] {
        &self.failures
    }
}
