//! The results of a program.

use limbforge_algos::cpu::EvalError;
use limbforge_algos::program::{ProgramFailure, Rows, TypedProgram};
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
    lists: Vec<ProgramList<B>>,
}

/// The rows of a list of a program: those of instance 0 in the order in which it has appended them, then those of
/// instance 1, and so on. The order is the same on every backend.
///
/// ```
/// use limbforge::prelude::*;
/// let text = "in a\nlist odd: (u64, u8) at most 100\nvar x = a\n\
///             for i in 0 .. 5 { emit odd(x, u8(i)) where x % 2 == 1\n x = x / 2 }";
/// let batch = Batch::<u64>::from_u64s("u64".parse().unwrap(), Layout::InstanceMajor, &[8, 11])?;
/// let run = Engine::auto().run(&Program::parse(text)?, &[("a", &batch)])?;
/// let odd = run.list("odd").unwrap();
/// assert_eq!(odd.instances(), [0, 1, 1, 1]);
/// assert_eq!(odd.columns()[0].to_u64s()?, [1, 11, 5, 1]);
/// assert_eq!(odd.columns()[1].to_u64s()?, [3, 0, 1, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProgramList<B> {
    instances: Vec<u64>,
    columns: Vec<Batch<B>>,
}

impl<B: Base> ProgramList<B> {
    pub(super) fn new(rows: &Rows) -> Result<Self, EvalError> {
        let columns = rows.columns().map_err(EvalError::from)?;
        let columns = columns.iter().map(in_limbs).collect::<Result<_, _>>()?;
        Ok(Self { instances: rows.instances().to_vec(), columns })
    }

    /// The number of rows.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.instances.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// The instance of each row, from 0.
    #[must_use]
    pub fn instances(&self) -> &[u64] {
        &self.instances
    }

    /// The columns: a batch with an integer for each row, of type `u1` for a `bool`, and for a residue of the type
    /// of the modulus.
    #[must_use]
    pub fn columns(&self) -> &[Batch<B>] {
        &self.columns
    }
}

impl<B: Base> ProgramRun<B> {
    pub(super) fn new(
        program: TypedProgram,
        instances: usize,
        results: &[Batch<u64>],
        failures: Vec<ProgramFailure>,
        lists: &[Rows],
    ) -> Result<Self, EvalError> {
        let results = results.iter().map(in_limbs).collect::<Result<_, _>>()?;
        let lists = lists.iter().map(ProgramList::new).collect::<Result<_, _>>()?;
        Ok(Self { program, instances, results, failures, lists })
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

    /// The list of this name. None if the program has no such list.
    #[must_use]
    pub fn list(&self, name: &str) -> Option<&ProgramList<B>> {
        self.lists().find(|(known, _)| *known == name).map(|(_, list)| list)
    }

    /// All lists in the order of the program.
    pub fn lists(&self) -> impl Iterator<Item = (&str, &ProgramList<B>)> {
        self.program.lists().iter().map(|list| &*list.name).zip(&self.lists)
    }

    /// The instances that failed, in order, each with its reason and its place in the text.
    #[must_use]
    pub fn failures(&self) -> &[ProgramFailure] {
        &self.failures
    }
}
