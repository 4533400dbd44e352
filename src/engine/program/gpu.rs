//! Runs on GPUs: chunk after chunk of instances that fit their memory, in launches of about a second.

mod chunk;
mod failures;
mod launches;
mod lists;
mod loops;
mod member;
mod open;
mod rounds;
mod run;
mod stage;
mod state;
#[cfg(test)]
mod tests;
mod work;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use limbforge_algos::cpu::program::{check_inputs, check_state};
use limbforge_algos::program::{ProgramFailure, Rows, State, TypedProgram, stages};
use limbforge_kernels_gen::program::Entry;
use limbforge_limb::Batch;

use self::chunk::Chunk;
use self::launches::{Launches, OnDevice};
use self::member::Member;
use self::run::Run;
use super::cpu::OnCpu;
use super::pace::Pace;
use super::slices::{Position, Results, Slices};
use crate::engine::EngineError;
use crate::engine::gpu::{GpuTape, Gpus, all_at_once};

/// A run on the GPUs of a set. Each has a thread of its own, which computes its chunks one after the other; chunks
/// are equal, so that the slowest GPU decides.
///
/// Nothing runs before it is asked for, so that a short program that nobody looks into is one launch. Behind
/// the last loop only results are left, which the kernel computes and stores at once: there the run stays at
/// the end of that loop.
pub(super) struct OnGpu {
    run: Run,
    members: Vec<Member>,
    /// The instances that all GPUs compute at once.
    at_once: u64,
    is_started: bool,
    stage: usize,
    round: u64,
    /// The most rounds that an instance makes.
    rounds: u64,
    compacts: bool,
    pace: Pace,
    /// The time of this stage's rounds.
    spent: Duration,
    /// Those that are known, by their instances.
    failures: BTreeMap<usize, ProgramFailure>,
    /// The rows of each list so far, in the order of launches.
    lists: Vec<Rows>,
}

impl OnGpu {
    pub(super) fn start(
        gpus: &Arc<Gpus>,
        program: &TypedProgram,
        inputs: &[Batch<u64>],
        instances: usize,
    ) -> Result<Box<dyn Slices>, EngineError> {
        Ok(Box::new(Self::on_set(gpus, program, inputs, instances)?))
    }

    pub(super) fn resume(
        gpus: &Arc<Gpus>,
        program: &TypedProgram,
        inputs: &[Batch<u64>],
        instances: usize,
        state: &State,
    ) -> Result<Box<dyn Slices>, EngineError> {
        check_inputs(program, inputs, instances)?;
        check_state(program, instances, state)?;
        if state.stage + 1 >= stages(program).len() {
            // Nothing but results is left, and kernels enter no state there.
            return Ok(Box::new(OnCpu::resume(program, inputs, instances, state)?));
        }
        let mut run = Self::on_set(gpus, program, inputs, instances)?;
        run.enter(state)?;
        Ok(Box::new(run))
    }

    /// A run on all GPUs of a set that have work.
    fn on_set(
        gpus: &Gpus,
        program: &TypedProgram,
        inputs: &[Batch<u64>],
        instances: usize,
    ) -> Result<Self, EngineError> {
        let mut run = Run::new(program, inputs, instances)?;
        if gpus.prefers_residue_loops() || gpus.has_residue_loops(program) {
            run.loops = run.residue_loops()?;
        }
        let tapes = gpus.tapes(program, &run.one_for_all, &run.sequences())?;
        let share = instances.div_ceil(tapes.len());
        let chunks = tapes.iter().map(|tape| tape.chunk(share, instances));
        let chunk = chunks.collect::<Result<Vec<_>, _>>()?.into_iter().min().unwrap_or(1);
        let needed = instances.div_ceil(chunk).max(1);
        let device = |tape: GpuTape| -> Result<Box<dyn Launches>, EngineError> {
            Ok(Box::new(OnDevice::new(tape, chunk)?))
        };
        let at_once = tapes.iter().map(|tape| tape.loaded.kernel().resident_instances()).sum();
        let devices =
            all_at_once(tapes.into_iter().take(needed), device).into_iter().collect::<Result<_, _>>()?;
        Ok(Self { at_once, ..Self::of_run(devices, chunk, run)? })
    }

    /// A run on devices with memory for a chunk of instances each.
    fn of_run(devices: Vec<Box<dyn Launches>>, chunk: usize, run: Run) -> Result<Self, EngineError> {
        let (instances, lists) = (run.instances, Rows::of_all(&run.program));
        let mut members: Vec<Member> =
            devices.into_iter().map(|device| Member::new(device, &run.program)).collect();
        let count = members.len();
        for (i, first) in (0..instances).step_by(chunk).enumerate() {
            members[i % count].chunks.push(Chunk::new(first..instances.min(first + chunk)));
        }
        let mut run = Self {
            run,
            members,
            at_once: 0,
            is_started: false,
            stage: 0,
            round: 0,
            rounds: 0,
            compacts: true,
            pace: Pace::default(),
            spent: Duration::ZERO,
            failures: BTreeMap::new(),
            lists,
        };
        run.ask_all(|context, member| member.set_uniforms(context.run))?;
        run.rounds = run.rounds_known_before()?;
        Ok(run)
    }
}

impl Slices for OnGpu {
    fn position(&self) -> Position {
        match self.is_done() {
            true => Position { stage: self.run.stages.len() - 1, round: 0, rounds: 0 },
            false => Position { stage: self.stage, round: self.round, rounds: self.rounds },
        }
    }

    fn is_done(&self) -> bool {
        let is_last = self.is_started && self.stage + 2 == self.run.stages.len();
        self.run.stages.len() == 1 || is_last && !self.is_open()
    }

    fn instances_at_once(&self) -> Option<u64> {
        Some(self.at_once)
    }

    fn set_compaction(&mut self, compacts: bool) {
        self.compacts = compacts;
    }

    fn advance(&mut self, rounds: u64) -> Result<(), EngineError> {
        if self.is_done() {
            return Ok(());
        }
        self.begin()?;
        let (stage, end) = (self.stage, self.round.saturating_add(rounds));
        while self.stage == stage && self.round < end && !self.is_done() {
            let (start, fitting) = (Instant::now(), self.pace.rounds(stage, self.launch_time()));
            let fitting = fitting.min(end - self.round);
            self.run_rounds(self.round + fitting)?;
            let turns = self.members.iter().map(|member| member.chunks.len()).max().unwrap_or(1);
            let turns = u32::try_from(turns).unwrap_or(u32::MAX);
            self.pace.note(stage, fitting, start.elapsed() / turns.max(1));
            self.spent += start.elapsed();
        }
        Ok(())
    }

    fn take_rows(&mut self, list: usize) -> Option<Rows> {
        let mut rows = self.lists.get_mut(list)?.take();
        rows.sort();
        Some(rows)
    }

    fn state(&mut self) -> Result<State, EngineError> {
        self.joined_state()
    }

    fn finish(mut self: Box<Self>) -> Result<Results, EngineError> {
        let has_loops = self.run.loops.iter().any(Option::is_some);
        let is_one_launch = self.run.stages.len() == 1 || !self.is_started && !has_loops && self.is_short();
        let entry = if is_one_launch { Entry::Whole } else { Entry::Nodes(self.run.stages.len() - 1) };
        while !is_one_launch && !self.is_done() {
            self.advance(u64::MAX)?;
        }
        let results = self.results(entry)?;
        self.lists.iter_mut().for_each(Rows::sort);
        Ok((results, self.failures.into_values().collect(), self.lists))
    }
}
