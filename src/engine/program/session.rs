//! A run that is computed slice by slice.

use core::fmt;
use std::marker::PhantomData;
use std::path::Path;
use std::time::{Duration, Instant};

use limbforge_algos::program::{TypedProgram, stages};
use limbforge_limb::{Base, Batch};

use super::checkpoint::Checkpoint;
use super::pace::Pace;
use super::result::{ProgramList, ProgramRun};
use super::slices::{Position, Slices};
use crate::engine::EngineError;

/// The run of a program, which is computed in slices: it can be looked at, written to a checkpoint and ended
/// between two of them.
///
/// ```
/// use std::time::Duration;
///
/// use limbforge::prelude::*;
///
/// let program = Program::parse("in n: u64\nvar f = n - n + 1\nfor i in 0 .. n { f = f * (i + 1) }\nout f")?;
/// let n: Batch<u64> = Batch::from_u64s("u64".parse()?, Layout::InstanceMajor, &[5, 20])?;
/// let folder = std::env::temp_dir().join(format!("factorials-{}", std::process::id()));
/// let engine = Engine::cpu();
/// let mut session = engine.start(&program, &[("n", &n)])?;
/// session.advance(Duration::ZERO)?; // a slice as short as can be
/// session.checkpoint(&folder)?;
/// drop(session); // as if the machine had been switched off
///
/// let mut session = engine.resume::<u64>(&folder)?;
/// while !session.progress().is_done {
///     let progress = session.advance(Duration::from_secs(1))?;
///     println!("round {} of {}", progress.round, progress.rounds);
/// }
/// let run = session.finish()?;
/// assert_eq!(run.result("f").map(Batch::to_u64s), Some(Ok(vec![120, 2_432_902_008_176_640_000])));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session<B> {
    program: TypedProgram,
    inputs: Vec<Batch<u64>>,
    instances: usize,
    stages: usize,
    slices: Box<dyn Slices>,
    pace: Pace,
    limb: PhantomData<B>,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The loop of the top level that is being computed, from 0.
    pub stage: usize,
    /// The number of loops of the top level, and 1 for what is behind the last of them.
    pub stages: usize,
    /// The rounds of the loop that are done.
    pub round: u64,
    /// The most rounds that an instance makes; the limit of a `while` loop, which may end before it.
    pub rounds: u64,
    /// The time that the others should take, once some have been computed.
    pub left: Option<Duration>,
    /// The number of instances.
    pub instances: usize,
    /// Whether nothing is left to compute.
    pub is_done: bool,
}

impl<B: Base> Session<B> {
    pub(super) fn new(
        program: TypedProgram,
        inputs: Vec<Batch<u64>>,
        instances: usize,
        slices: Box<dyn Slices>,
    ) -> Self {
        let stages = stages(&program).len();
        Self { program, inputs, instances, stages, slices, pace: Pace::default(), limb: PhantomData }
    }

    /// The program with the types of all its values.
    #[must_use]
    pub const fn program(&self) -> &TypedProgram {
        &self.program
    }

    /// The batch of an input, in limbs of 64 bits; None if the program has no such input.
    #[must_use]
    pub fn input(&self, name: &str) -> Option<&Batch<u64>> {
        let at = self.program.inputs().iter().position(|input| *input.name == *name)?;
        self.inputs.get(at)
    }

    /// The instances that the GPUs of the engine compute at once; None on CPUs. A multiple of them leaves no
    /// multiprocessor idle.
    ///
    /// ```
    /// use limbforge::prelude::*;
    ///
    /// let program = Program::parse("in x, n: u64\nvar y = x mod n\nrepeat 100 { y = sqr(y) }\nout y")?;
    /// let few = Batch::<u64>::from_u64s("u64".parse()?, Layout::InstanceMajor, &[3, 5])?;
    /// let session = Engine::cpu().start(&program, &[("x", &few), ("n", &few)])?;
    /// assert_eq!(session.instances_at_once(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn instances_at_once(&self) -> Option<u64> {
        self.slices.instances_at_once()
    }

    /// Whether the instances of a loop that have finished leave their places between two slices on GPUs, so that warps
    /// stay full. Results and the order of rows are the same; it begins as true.
    ///
    /// A chunk is compacted where more of its warps have an instance with rounds left than its GPU computes at once.
    ///
    /// ```
    /// use limbforge::prelude::*;
    ///
    /// let text = "in n: u64\nvar (x, steps) = (n, 0)\nwhile x != 1 limit 1000 {\n\
    ///             x = if x % 2 == 0 { x / 2 } else { 3*x + 1 }\nsteps = steps + 1 }\nout steps";
    /// let n = Batch::<u64>::from_u64s("u64".parse()?, Layout::InstanceMajor, &[1, 2, 27])?;
    /// let mut session = Engine::auto().start(&Program::parse(text)?, &[("n", &n)])?;
    /// session.set_compaction(false);
    /// assert_eq!(session.finish()?.result("steps").map(Batch::to_u64s), Some(Ok(vec![0, 1, 111])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_compaction(&mut self, compacts: bool) {
        self.slices.set_compaction(compacts);
    }

    /// Computes for about so long, at least one round of a loop.
    ///
    /// # Errors
    /// [`EngineError`] if the device fails.
    pub fn advance(&mut self, time: Duration) -> Result<Progress, EngineError> {
        let start = Instant::now();
        while !self.slices.is_done() {
            let before = self.slices.position();
            let slice = Instant::now();
            let rounds = self.pace.rounds(before.stage, time.saturating_sub(start.elapsed()));
            self.slices.advance(rounds)?;
            let after = self.slices.position();
            if after.stage == before.stage {
                self.pace.note(after.stage, after.round - before.round, slice.elapsed());
            }
            if start.elapsed() >= time {
                break;
            }
        }
        Ok(self.progress())
    }

    /// Takes the rows that a list has got since the last call, so that a long run need not hold them all. None
    /// if the program has no such list.
    ///
    /// The rows are in the order of a [`ProgramList`]. They count in the most rows of the list, and are neither
    /// in later checkpoints nor in the results. Store them before you write the next checkpoint: a run that
    /// resumes from an earlier one appends the same rows again.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use limbforge::prelude::*;
    ///
    /// let text = "in n: u64\nlist squares: u64 at most 2**40\nfor i in 0 .. n { emit squares(i*i) }";
    /// let n: Batch<u64> = Batch::from_u64s("u64".parse()?, Layout::InstanceMajor, &[1000])?;
    /// let mut session = Engine::cpu().start(&Program::parse(text)?, &[("n", &n)])?;
    /// let mut sum = 0;
    /// while !session.progress().is_done {
    ///     session.advance(Duration::ZERO)?;
    ///     let rows = session.take_rows("squares")?.unwrap();
    ///     sum += rows.columns()[0].to_u64s()?.iter().sum::<u64>();
    /// }
    /// assert_eq!(sum, 332_833_500);
    /// assert!(session.finish()?.list("squares").unwrap().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError`] if the rows cannot be addressed.
    pub fn take_rows(&mut self, list: &str) -> Result<Option<ProgramList<B>>, EngineError> {
        let at = self.program.lists().iter().position(|known| *known.name == *list);
        let rows = at.and_then(|at| self.slices.take_rows(at));
        Ok(rows.as_ref().map(ProgramList::new).transpose()?)
    }

    /// How far the run is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let Position { stage, round, rounds } = self.slices.position();
        Progress {
            stage,
            stages: self.stages,
            round,
            rounds,
            left: self.pace.time(stage, rounds.saturating_sub(round)),
            instances: self.instances,
            is_done: self.slices.is_done(),
        }
    }

    /// Writes the program, its inputs and its state as plain integers to a folder of this name, from which
    /// [`Engine::resume`](crate::Engine::resume) goes on, on any device. An earlier checkpoint is replaced when
    /// the new one is complete and on the disk.
    ///
    /// # Errors
    /// [`EngineError::Checkpoint`] if the folder cannot be written, or exists and is no checkpoint.
    pub fn checkpoint(&mut self, path: &Path) -> Result<(), EngineError> {
        let checkpoint = Checkpoint {
            program: self.program.clone(),
            inputs: self.inputs.clone(),
            instances: self.instances,
            state: self.slices.state()?,
        };
        Ok(checkpoint.write(path)?)
    }

    /// Computes all that is left, and returns the results, with the rows that were not [taken](Self::take_rows).
    ///
    /// # Errors
    /// [`EngineError`] if the device fails.
    pub fn finish(self) -> Result<ProgramRun<B>, EngineError> {
        let (results, failures, lists) = self.slices.finish()?;
        Ok(ProgramRun::new(self.program, self.instances, &results, failures, &lists)?)
    }
}

impl<B> fmt::Debug for Session<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.slices.position();
        f.debug_struct("Session").field("instances", &self.instances).field("position", &position).finish()
    }
}
